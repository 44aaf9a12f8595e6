import type { LoginRequest, SignedIn } from '../generated/api-types.ts';
import { AuthenticationError } from './errors.ts';
import { type ClientOptions, Transport } from './transport.ts';

/** A person's e-mail address and password, and for those who have a second factor its `code`. */
export type LoginOptions = Omit<ClientOptions, 'apiKey' | 'token'> & LoginRequest;

/** A token is renewed this long before its end, so that it is still good when the request arrives. */
const renewedEarlyMs = 60_000;
/** With a clock that is wrong every token looks old: none is renewed before it has served this long. */
const servesAtLeastMs = 30_000;

/** A person who is signed in. Its tokens live 15 minutes and are renewed as calls need them. */
export class Session {
  readonly #transport: Transport;
  /** Null after {@link logout}. */
  #login: LoginRequest | null;
  #current: SignedIn;
  #renewAt: number;
  #renewal: Promise<string> | null = null;

  private constructor(transport: Transport, login: LoginRequest, current: SignedIn) {
    this.#transport = transport;
    this.#login = login;
    this.#current = current;
    this.#renewAt = renewalOf(current);
  }

  static async start({ email, password, code, ...options }: LoginOptions): Promise<Session> {
    const login = { email, password, ...(code !== undefined && { code }) };
    const transport = new Transport({ ...options, fetch: cookieKeepingFetch(options.fetch) });
    return new Session(transport, login, await signIn(transport, login));
  }

  get user(): SignedIn['user'] {
    return this.#current.user;
  }

  /** The account, and the person's role in it. */
  get account(): SignedIn['account'] {
    return this.#current.account;
  }

  /** A token that is good for the next minute; never the one that was `refused`. */
  async token(refused?: string): Promise<string> {
    const { token } = this.#current;
    if (token !== refused && Date.now() < this.#renewAt) return token;
    // The credential behind it works once: calls at the same time share one renewal.
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** Ends the session at the gateway. Its calls are refused from then on. */
  async logout(): Promise<void> {
    this.#login = null;
    await this.#transport.call({ method: 'POST', path: '/v1/auth/logout' });
  }

  async #renew(): Promise<string> {
    this.#current = await this.#refreshed();
    this.#renewAt = renewalOf(this.#current);
    return this.#current.token;
  }

  async #refreshed(): Promise<SignedIn> {
    try {
      return (await this.#transport.call({ method: 'POST', path: '/v1/auth/refresh' })) as SignedIn;
    } catch (error) {
      // The session is over. A code of a second factor is good once: then only the person can go on.
      const login = this.#login;
      if (!(error instanceof AuthenticationError) || login === null || login.code !== undefined) throw error;
      return signIn(this.#transport, login);
    }
  }
}

async function signIn(transport: Transport, body: LoginRequest): Promise<SignedIn> {
  return (await transport.call({ method: 'POST', path: '/v1/auth/login', body })) as SignedIn;
}

const renewalOf = ({ expiresAt }: SignedIn) =>
  Math.max(Date.parse(expiresAt) - renewedEarlyMs, Date.now() + servesAtLeastMs);

/**
 * A fetch that keeps the cookies it is given, as a browser does. In a browser this one can neither read nor set any, and
 * the browser's own go with requests to its own host.
 */
function cookieKeepingFetch(send: typeof fetch = fetch): typeof fetch {
  const cookies = new Map<string, string>();
  return async (input, init) => {
    const headers = new Headers(init?.headers);
    if (cookies.size > 0) headers.set('Cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const response = await send(input, { ...init, headers });
    for (const line of setCookies(response.headers)) keep(cookies, line);
    return response;
  };
}

/** One line a cookie; early versions of Node 18 give them joined. */
function setCookies(headers: Headers): string[] {
  const { getSetCookie } = headers as { getSetCookie?: () => string[] };
  if (getSetCookie !== undefined) return getSetCookie.call(headers);
  return headers.get('Set-Cookie')?.split(/,(?=\s*[\w-]+=)/) ?? [];
}

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const [name = '', ...value] = pair.split('=');
  const isOver = attributes.some((attribute) => /^max-age=(0|-.*)$/i.test(attribute));
  if (isOver) cookies.delete(name);
  else cookies.set(name, value.join('='));
}

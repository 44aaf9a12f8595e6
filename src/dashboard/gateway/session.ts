import { AuthenticationError, Heliograph, type LoginRequest, type SignedIn } from '../../sdk/index.ts';
import { Store } from './store.ts';

/** What can be asked without being signed in: how to get in. */
export const signedOutClient = new Heliograph({
  baseUrl: window.location.origin,
  token: () => null,
  retryForMs: 10_000,
});

/** Renewed this long before its end, so that it is still good when a request arrives. */
const renewedEarlyMs = 60_000;
/** The refresh credential works once: tabs take turns. */
const lockName = 'heliograph-refresh';

/** Whether there may be a cookie: scripts do not see it, and to ask in vain is an error in every browser's console. */
const markName = 'heliograph-was-signed-in';

type Notice = 'signed-in' | 'signed-out';

/**
 * Who is signed in. The access token lives in this object and nowhere else; what renews it is a cookie that no script
 * sees, so a new tab signs in by itself, and a sign-out is one of all tabs.
 */
class BrowserSession {
  /** Null: nobody. */
  readonly current = new Store<SignedIn | null>(null);
  readonly #tabs = new BroadcastChannel('heliograph-session');
  #renewal: Promise<SignedIn | null> | null = null;

  constructor() {
    this.#tabs.onmessage = ({ data }: MessageEvent<Notice>) => {
      if (data === 'signed-out') this.current.set(null);
      else void this.resume().catch(() => {});
    };
  }

  /** Signs in by the cookie, if there is one that works. Throws where the gateway could not be asked. */
  async resume(): Promise<void> {
    if (this.mayResume) await this.#renew();
  }

  /** Whether there may be such a cookie. */
  get mayResume(): boolean {
    return localStorage.getItem(markName) !== null;
  }

  /** Throws what the gateway refuses with. */
  async login(request: LoginRequest): Promise<void> {
    const signedIn = await signedOutClient.request<SignedIn>({
      method: 'POST',
      path: '/v1/auth/login',
      body: request,
    });
    localStorage.setItem(markName, 'yes');
    this.current.set(signedIn);
    this.#tell('signed-in');
  }

  async logout(): Promise<void> {
    await signedOutClient.request({ method: 'POST', path: '/v1/auth/logout' });
    localStorage.removeItem(markName);
    this.current.set(null);
    this.#tell('signed-out');
  }

  /** A token that is good for the next minute, and never the one that was `refused`; null where nobody is signed in. */
  async token(refused?: string): Promise<string | null> {
    const { value } = this.current;
    if (value === null) return null;
    if (value.token !== refused && Date.now() < Date.parse(value.expiresAt) - renewedEarlyMs)
      return value.token;
    return (await this.#renew())?.token ?? null;
  }

  #renew(): Promise<SignedIn | null> {
    this.#renewal ??= this.#inTurn().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** Other tabs wait meanwhile, where the browser can do that (https, or this machine). */
  #inTurn(): Promise<SignedIn | null> {
    if (navigator.locks === undefined) return this.#refresh();
    return navigator.locks.request(lockName, () => this.#refresh());
  }

  async #refresh(): Promise<SignedIn | null> {
    try {
      const signedIn = await signedOutClient.request<SignedIn>({ method: 'POST', path: '/v1/auth/refresh' });
      this.current.set(signedIn);
      return signedIn;
    } catch (error) {
      if (!(error instanceof AuthenticationError)) throw error;
      localStorage.removeItem(markName);
      this.current.set(null);
      return null;
    }
  }

  #tell(notice: Notice): void {
    this.#tabs.postMessage(notice);
  }
}

export const session = new BrowserSession();

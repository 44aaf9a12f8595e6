import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import worker from '../../src/worker/index.ts';
import type { Answer, Ask } from './front-door.ts';
import { eventually } from './front-door.ts';
import type { ReceivedMail } from './people/identity-servers.ts';

type Variables = Partial<Record<keyof Env, unknown>>;

/** The Worker's front door under other variables than the test configuration's. What goes on behind an answer goes on. */
export function doorWith(variables: Variables, origin = 'https://gateway.test') {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers of every shape, and asserts on what it reads
  return async <Body = any>(method: string, path: string, options: Ask = {}): Promise<Answer<Body>> => {
    const { headers = {}, json, raw } = options;
    const type: Record<string, string> = json === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = new Request<unknown, IncomingRequestCfProperties>(`${origin}${path}`, {
      method,
      headers: { ...type, ...headers },
      body: (json === undefined ? raw : JSON.stringify(json)) ?? null,
    });
    const response = await worker.fetch(request, { ...env, ...variables } as Env, createExecutionContext());
    const text = new TextDecoder().decode(await response.arrayBuffer());
    const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
  };
}

/** The variables of a gateway that sends its e-mails to the test's mail server. */
export function mailVariables() {
  const { smtpPort, mailUser, mailPassword } = inject('identityServers');
  return {
    SMTP_HOST: '127.0.0.1',
    SMTP_PORT: String(smtpPort),
    SMTP_USER: mailUser,
    SMTP_PASSWORD: mailPassword,
    MAIL_FROM: 'gateway@example.com',
    PUBLIC_URL: 'https://dashboard.example.com',
  };
}

/** Everything that has arrived at this address. */
export async function mailTo(address: string): Promise<ReceivedMail[]> {
  const { deskUrl } = inject('identityServers');
  return (await fetch(`${deskUrl}/mail?to=${encodeURIComponent(address)}`)).json();
}

/** The newest e-mail at this address with this subject, as soon as it is there, and the token of its link. */
export async function nextMail(
  address: string,
  subject: RegExp,
  notFirst = 0,
): Promise<ReceivedMail & { token: string }> {
  const mail = await eventually(
    async () => (await mailTo(address)).filter((it) => subject.test(it.subject))[notFirst],
  );
  return { ...mail, token: /#token=([\w-]+)/.exec(mail.text)?.[1] ?? '' };
}

/** The value of the refresh cookie that an answer sets, as a request header; and its attributes. */
export function refreshCookieOf({ headers }: Answer): { header: { Cookie: string }; attributes: string[] } {
  return cookieOf(headers, 'heliograph_refresh');
}

/** The value of the cookie that marks a browser as known, as a request header; and its attributes. */
export function deviceCookieOf({ headers }: Answer): { header: { Cookie: string }; attributes: string[] } {
  return cookieOf(headers, 'heliograph_device');
}

/** By https its name begins with `__Host-`. */
function cookieOf(headers: Headers, name: string) {
  const cookies = headers.getSetCookie();
  const cookie = cookies.find((it) => it.startsWith(`__Host-${name}=`) || it.startsWith(`${name}=`));
  const [value = '', ...attributes] = (cookie ?? '').split('; ');
  return { header: { Cookie: value }, attributes };
}

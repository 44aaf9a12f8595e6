import type { Context } from 'hono';
import { WorkerMailer } from 'worker-mailer';
import { type Refusal, refuse } from '../../contract/errors.ts';
import type { BucketRate } from '../../durable/account/admission/rate-limits.ts';
import { log, logFault } from '../../durable/log.ts';
import { settingsOf, smtpTlsOf, type WorkerSettings } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';
import { hashSecretToken } from '../auth/tokens/secret-token.ts';
import { addressBlock } from '../http/request/address-block.ts';
import { clientAddress } from '../http/request/client-address.ts';

/** An e-mail of ours, to one person. */
export interface Mail {
  /** What it is for, for the log; the log knows nothing else of it. */
  kind:
    | 'password_reset'
    | 'invitation'
    | 'sign_up'
    | 'sign_up_known'
    | 'code_guessed'
    | 'alert'
    | 'alert_address'
    | 'backup_failed';
  to: string;
  subject: string;
  text: string;
  /** The same with a form. */
  html?: string;
  /** The link in its text. */
  link?: string;
}

/** What became of an e-mail. */
export type MailOutcome = 'sent' | 'failed' | 'not_configured';

/** Sends an e-mail, or says in the log that it could not. */
export async function sendMail(env: Env, mail: Mail, requestId: string): Promise<MailOutcome> {
  const settings = settingsOf(env);
  const { SMTP_HOST: host, MAIL_FROM: from, UNSENT_MAIL, MAIL_CATCHER_URL } = settings;
  const { kind, to, subject, text, html, link } = mail;
  if (host === undefined || from === undefined) {
    // Secrets stand in no log, except on the machine of whoever is to read them there.
    log('mail.not_configured', { kind, requestId, ...(UNSENT_MAIL === 'log' && { to, subject, link }) });
    if (MAIL_CATCHER_URL !== undefined) await leaveAt(MAIL_CATCHER_URL, { to, subject, text }, requestId);
    return 'not_configured';
  }
  try {
    await sendBySmtp(settings, host, { from, to, subject, text, ...(html !== undefined && { html }) });
    log('mail.sent', { kind, requestId });
    return 'sent';
  } catch (error) {
    // What the server answered may name the recipient.
    const told = String(error).replaceAll(/[^\s<>:]+@[^\s<>:]+/g, '…');
    logFault('mail.failed', new Error(told), { kind, requestId });
    return 'failed';
  }
}

/** For whoever tries the gateway on their own machine: see `mail.url` in local.json. */
async function leaveAt(
  url: string,
  mail: Pick<Mail, 'to' | 'subject' | 'text'>,
  requestId: string,
): Promise<void> {
  try {
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(mail) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
  } catch (error) {
    logFault('mail.not_caught', error, { requestId });
  }
}

const timeoutMs = 20_000;

/** What a mail server is told. */
interface SmtpMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Hands a mail to the server that the settings name; throws when it was not taken. */
async function sendBySmtp(settings: WorkerSettings, host: string, mail: SmtpMail): Promise<void> {
  const { SMTP_PORT: port, SMTP_USER: username, SMTP_PASSWORD: password } = settings;
  const tls = smtpTlsOf(settings);
  const mailer: WorkerMailer = Reflect.construct(WorkerMailer, [
    {
      host,
      port,
      secure: tls === 'implicit',
      startTls: tls === 'starttls',
      ...(username && password ? { credentials: { username, password }, authType: ['plain', 'login'] } : {}),
      socketTimeoutMs: timeoutMs,
      // Its own log lines would hold addresses.
      logLevel: 4,
    },
  ]);
  endWithTheConnection(mailer);
  if (tls === 'starttls') requireStartTls(mailer);
  try {
    // biome-ignore lint/complexity/useLiteralKeys: what WorkerMailer.connect does, with a stricter step in it
    await mailer['initializeSmtpSession']();
    // biome-ignore lint/complexity/useLiteralKeys: as above
    void mailer['start']().catch(() => {});
    const { from, ...letter } = mail;
    await mailer.send({ from: { name: 'Heliograph', email: from }, ...letter });
  } finally {
    await mailer.close().catch(() => {});
  }
}

/** A server may hang up within an answer. The library would go on reading what has ended, without a pause and for ever. */
function endWithTheConnection(mailer: WorkerMailer): void {
  const ending = (reader: ReadableStreamDefaultReader<Uint8Array>) => ({
    read: async () => {
      const next = await reader.read();
      if (next.done) throw new Error('the mail server closed the connection');
      return next;
    },
    releaseLock: () => reader.releaseLock(),
  });
  // biome-ignore lint/complexity/useLiteralKeys: private there; the version is pinned, and a test looks at the outcome
  let reader = ending(mailer['reader']);
  // After STARTTLS it reads from another one.
  Object.defineProperty(mailer, 'reader', {
    get: () => reader,
    set: (next: ReadableStreamDefaultReader<Uint8Array>) => {
      reader = ending(next);
    },
  });
}

/**
 * If the server offers no STARTTLS, the library continues without encryption. Then an attacker on the way who removes the
 * offer could read passwords and links. Here the connection ends before anything secret is sent.
 */
function requireStartTls(mailer: WorkerMailer): void {
  // biome-ignore lint/complexity/useLiteralKeys: private there; the version is pinned, and a test looks at the outcome
  const signIn = mailer['auth'].bind(mailer);
  const strict = async () => {
    // biome-ignore lint/complexity/useLiteralKeys: as above
    if (!mailer['supportsStartTls']) throw new Error('the mail server offers no STARTTLS');
    await signIn();
  };
  Object.assign(mailer, { auth: strict });
}

const hourSeconds = 3600;
/** Mails of one kind that one person gets: five, then one every two hours. */
const perRecipient: BucketRate = { burst: 5, perSecond: 1 / (2 * hourSeconds) };
/** Mails that one network address causes, whoever gets them. */
const perNetworkAddress: BucketRate = { burst: 20, perSecond: 20 / hourSeconds };
/** Mails that the people of one account cause. */
const perAccount: BucketRate = { burst: 100, perSecond: 100 / hourSeconds };

/**
 * Takes one mail from the budget of the sender, then from that of the recipient. A sender without budget is refused. If the
 * recipient has none left, the route decides whether to say so.
 */
export async function takeMail(
  c: Context<AppEnv>,
  mail: { kind: Mail['kind']; to: string; accountId?: string },
): Promise<{ ok: true; hadEnough: boolean; retryAfterSeconds: number } | Refusal> {
  const oneMore = (name: string, rate: BucketRate) => c.env.SIGN_IN_GUARD.getByName(name).take(rate);
  const address = clientAddress(c);
  const taken = await Promise.all([
    ...(address === null ? [] : [oneMore(`mails-from:${addressBlock(address)}`, perNetworkAddress)]),
    ...(mail.accountId === undefined ? [] : [oneMore(`mails-from:account:${mail.accountId}`, perAccount)]),
  ]);
  const senderWaits = Math.max(0, ...taken.map(({ retryAfterSeconds }) => retryAfterSeconds));
  if (senderWaits > 0) {
    return refuse('RATE_LIMITED', 'Too many emails were requested from here: try again later.', {
      retryAfterSeconds: senderWaits,
    });
  }
  // Hashed: names of objects are shown to operators.
  const { ok, retryAfterSeconds } = await oneMore(
    `mails-to:${mail.kind}:${hashSecretToken(mail.to)}`,
    perRecipient,
  );
  return { ok: true, hadEnough: !ok, retryAfterSeconds };
}

import { WorkerMailer } from 'worker-mailer';
import { log, logFault } from '../../durable/log.ts';

/** An e-mail of ours: plain text, to one person. */
export interface Mail {
  /** What it is for, for the log; the log knows nothing else of it. */
  kind: 'password_reset' | 'invitation' | 'sign_up' | 'sign_up_known';
  to: string;
  subject: string;
  text: string;
}

/** Whatever takes an e-mail to its recipient's server. Throws when it was not taken. */
interface Mailer {
  send(mail: Mail): Promise<void>;
}

const timeoutMs = 20_000;
const isLoopback = (host: string) => ['127.0.0.1', 'localhost', '::1'].includes(host);

/** The mail server that `SMTP_HOST` names; null when it, or `MAIL_FROM`, is not set. */
function smtpMailer(env: Env): Mailer | null {
  const { SMTP_HOST: host, SMTP_USER: username, SMTP_PASSWORD: password, MAIL_FROM: from } = env;
  if (!host || !from) return null;
  const port = Number(env.SMTP_PORT || 465);
  const isTlsFromStart = port === 465;
  return {
    async send({ to, subject, text }) {
      await WorkerMailer.send(
        {
          host,
          port,
          secure: isTlsFromStart,
          startTls: !isTlsFromStart && !isLoopback(host),
          ...(username && password
            ? { credentials: { username, password }, authType: ['plain', 'login'] }
            : {}),
          socketTimeoutMs: timeoutMs,
          // Its own log lines would hold addresses.
          logLevel: 4,
        },
        { from: { name: 'Heliograph', email: from }, to, subject, text },
      );
    },
  };
}

/** Sends an e-mail, or says in the log that it could not: whoever asked for it is told the same in any case. */
export async function sendMail(env: Env, mail: Mail, requestId: string): Promise<void> {
  const mailer = smtpMailer(env);
  if (mailer === null) {
    log('mail.not_configured', { kind: mail.kind, requestId });
    return;
  }
  try {
    await mailer.send(mail);
    log('mail.sent', { kind: mail.kind, requestId });
  } catch (error) {
    // What the server answered may name the recipient.
    const told = String(error).replaceAll(/[^\s<>:]+@[^\s<>:]+/g, '…');
    logFault('mail.failed', new Error(told), { kind: mail.kind, requestId });
  }
}

import { WorkerMailer } from 'worker-mailer';
import { smtpTlsOf, type WorkerSettings } from '../../settings/worker-settings.ts';

const timeoutMs = 20_000;

/** What a mail server is told. */
export interface SmtpMail {
  from: string;
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Hands a mail to the server that the settings name; throws when it was not taken. */
export async function sendBySmtp(settings: WorkerSettings, host: string, mail: SmtpMail): Promise<void> {
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

/**
 * The library goes on in clear where the server offers no STARTTLS, so whoever takes the offer out on the way would read
 * passwords and links. Here that is the end, before anything secret is said.
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

import { log, logFault } from '../../durable/log.ts';
import { settingsOf } from '../../settings/worker-settings.ts';
import { sendBySmtp } from './smtp.ts';

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

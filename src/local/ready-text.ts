import { simulatedRecipient } from './demo/demo-message.ts';
import { terminal } from './terminal.ts';

export interface ReadyFacts {
  baseUrl: string;
  admin: { email: string; password: string };
  /** Null: the administrator has an own password, and the start none of its keys any more. */
  apiKey: string | null;
  localJson: string;
  /** Secrets are shown: a person reads this, and sees them for the first time. */
  showsSecrets: boolean;
  /** The administrator has made the account their own: the first password is good no more. */
  isLocked: boolean;
  /** A number is paired and a message sent without being asked for. */
  demo: boolean;
  /** Of the simulated number that was paired so; null without one. */
  phoneNumber: string | null;
}

/** How to sign in and which key there is, as rows of name and value. Secrets stand there once, and else where they lie. */
export function credentialRows(facts: ReadyFacts): [string, string][] {
  const { admin, apiKey, localJson, showsSecrets, isLocked } = facts;
  const password = showsSecrets ? admin.password : `password: see ${localJson}`;
  return [
    ['sign-in', `${admin.email}  ${isLocked ? 'with your own password' : password}`],
    ['API key', apiKey === null ? 'make one in the dashboard' : showsSecrets ? apiKey : `see ${localJson}`],
  ];
}

/** A command that sends a message as it stands; where the key is not shown, the command reads it. Null without a key. */
export function curlLine({ baseUrl, apiKey, localJson, showsSecrets }: ReadyFacts): string | null {
  if (apiKey === null) return null;
  const file = `'${localJson.replaceAll("'", "'\\''")}'`;
  const key = showsSecrets ? apiKey : `$(node -p 'require(process.argv[1]).apiKey' ${file})`;
  return (
    `curl -X POST ${baseUrl}/v1/messages/send -H "X-API-Key: ${key}" -H 'Content-Type: application/json' ` +
    `-d '{"to":"${simulatedRecipient}","text":"Hello from curl"}'`
  );
}

/** What the terminal says once everything runs. */
export function showReady(facts: ReadyFacts, readyMs: number): void {
  const { baseUrl, demo, phoneNumber, isLocked } = facts;
  terminal.heading(`Ready in ${(readyMs / 1000).toFixed(1)} s`);
  terminal.row('dashboard', baseUrl);
  terminal.row('API', `${baseUrl}/v1`);
  terminal.row('reference', `${baseUrl}/docs`);
  for (const [name, value] of credentialRows(facts)) terminal.row(name, value);
  if (phoneNumber === null) {
    if (isLocked && demo) terminal.warn('The account is your own now: the demo rests.');
    if (demo) return;
    terminal.text('');
    terminal.text('No number is paired yet, so nothing can be sent yet: POST /v1/numbers, then its /pair.');
    return;
  }
  terminal.row('number', `${phoneNumber} (simulated)`);
  const curl = curlLine(facts);
  if (curl === null) return;
  terminal.heading('Send a message');
  terminal.text(curl);
  terminal.heading('Have its events sent to you');
  terminal.text('npm run webhook http://127.0.0.1:3000');
}

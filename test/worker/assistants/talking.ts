import { env } from 'cloudflare:workers';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { received } from '../../durable/event-log/event-log-fixture.ts';
import { ask, eventually, type TestAccount } from '../front-door.ts';
import { assistantPath, type MadeAssistant } from './assistant-fixture.ts';

let written = 0;

/** Somebody writes to a number of the account: the log is told as the number does. */
export async function write(
  account: TestAccount,
  numberId: string,
  from: string,
  text: string,
  fields: Record<string, unknown> = {},
): Promise<void> {
  written += 1;
  const at = new Date().toISOString();
  const message = {
    providerMessageId: `3A${written.toString(16).padStart(18, '0')}`,
    from,
    at,
    pushName: 'Budi',
  };
  const content = { type: 'text' as const, text };
  await logOf(env, account.accountId).take([received({ ...message, content, ...fields }, numberId)]);
}

/** A time as the network tells it: in whole seconds. */
export const secondOf = (at: number): string => new Date(at - (at % 1000)).toISOString();

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it asserts on
type Shown = Record<string, any>;

/** The conversation with somebody. */
export async function conversationWith(account: TestAccount, numberId: string, phoneNumber: string) {
  const found = await logOf(env, account.accountId).conversationOf({ numberId, phoneNumber });
  if (found === null) throw new Error('there is no such conversation');
  return found;
}

export async function runsOf(account: TestAccount, assistant: MadeAssistant, query = ''): Promise<Shown[]> {
  const { body } = await ask('GET', assistantPath(assistant, `/runs${query}`), { headers: account.owner });
  return body.data;
}

/** The runs of an assistant once so many are over. */
export const runsOver = (account: TestAccount, assistant: MadeAssistant, count: number): Promise<Shown[]> =>
  eventually(async () => {
    const runs = await runsOf(account, assistant);
    return runs.filter(({ outcome }) => outcome !== 'running').length >= count ? runs : undefined;
  });

/** What was sent to somebody, oldest first. */
export async function sentTo(account: TestAccount, to: string): Promise<Shown[]> {
  const path = `/v1/messages?direction=outbound&to=${to}`;
  const { body } = await ask('GET', path, { headers: account.owner });
  return [...body.data].reverse();
}

/** The same once it is so much. */
export const eventuallySentTo = (account: TestAccount, to: string, count = 1): Promise<Shown[]> =>
  eventually(async () => {
    const sent = await sentTo(account, to);
    return sent.length >= count ? sent : undefined;
  });

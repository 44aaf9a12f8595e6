import { setTimeout as delay } from 'node:timers/promises';
import { requestJson } from '../../src/local/json-client.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import type { LocalRun } from './local-run.ts';

const batchSize = 100;
const pageSize = 200;
/** Rarely enough to take nothing from what is measured. */
const askEveryMs = 200;
/** A busy machine takes long, and that is what the rate then says. */
const withinMs = 400_000;

interface SentRecord {
  messageId: string;
  sentAt: string | null;
}

/** A number of the gateway, and a key that always sends from it. */
export interface BenchNumber {
  numberId: string;
  apiKey: string;
}

/** Accepts texts, to the recipients in turn; their ids, in the order of their acceptance. */
export async function acceptTexts(
  run: LocalRun,
  { apiKey }: BenchNumber,
  recipients: readonly string[],
  count: number,
): Promise<string[]> {
  const accepted: string[] = [];
  while (accepted.length < count) {
    const first = accepted.length;
    const messages = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) => ({
      to: recipients[(first + index) % recipients.length],
      text: `text ${first + index} of the bench`,
    }));
    const { data } = await requestJson<{ data: { messageId?: string }[] }>(
      run.baseUrl,
      'POST',
      '/v1/messages/send-batch',
      { headers: { 'x-api-key': apiKey }, body: { messages } },
    );
    accepted.push(...data.flatMap(({ messageId }) => messageId ?? []));
    if (accepted.length < first + messages.length) throw new Error('Not all texts were accepted.');
  }
  return accepted;
}

/** Quiet hours around the present hour: what is accepted waits in the account. */
export async function holdBack(run: LocalRun, { numberId }: BenchNumber): Promise<void> {
  const hour = new Date().getUTCHours();
  const clock = (value: number) => `${String((value + 24) % 24).padStart(2, '0')}:00`;
  await run.pace(numberId, { quietHours: { start: clock(hour - 1), end: clock(hour + 2) } });
}

export async function letGo(run: LocalRun, { numberId }: BenchNumber): Promise<void> {
  await run.pace(numberId, { quietHours: null });
}

/** Waits until the log has the message, so that nothing of the acceptance is still being worked on. */
export async function whenListed(run: LocalRun, { numberId }: BenchNumber, messageId: string): Promise<void> {
  await waitUntil('The log', withinMs, async () => {
    const path = `/v1/messages?numberId=${numberId}&limit=${pageSize}`;
    const { data } = await run.admin<{ data: SentRecord[] }>('GET', path);
    return data.some((record) => record.messageId === messageId) ? true : null;
  });
}

/** Resolves when the network has acknowledged all of them; when it did, by their records (Unix time, milliseconds). */
export async function whenAcknowledged(
  run: LocalRun,
  { numberId, apiKey }: BenchNumber,
  ids: readonly string[],
): Promise<number[]> {
  const headers = { 'x-api-key': apiKey };
  await waitUntil('The last message acknowledged', withinMs, async () => {
    await delay(askEveryMs);
    const last = await requestJson<SentRecord>(run.baseUrl, 'GET', `/v1/messages/${ids.at(-1)}`, { headers });
    return last.sentAt === null ? null : true;
  });
  // They leave in the order of their places, which is nearly that of their acceptance.
  return waitUntil('All messages acknowledged', withinMs, async () => {
    const sentAt = await sentTimes(run, numberId, new Set(ids));
    return sentAt.includes(null) || sentAt.length < ids.length
      ? null
      : sentAt.map((time) => Date.parse(time ?? ''));
  });
}

async function sentTimes(
  run: LocalRun,
  numberId: string,
  wanted: ReadonlySet<string>,
): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  let cursor = '';
  do {
    const path = `/v1/messages?numberId=${numberId}&limit=${pageSize}${cursor}`;
    const page = await run.admin<{ data: SentRecord[]; nextCursor: string | null }>('GET', path);
    found.push(...page.data.filter(({ messageId }) => wanted.has(messageId)).map((record) => record.sentAt));
    cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
  } while (cursor !== '' && found.length < wanted.size);
  return found;
}

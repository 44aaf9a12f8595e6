import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { assembleArchive } from '../../../../src/durable/event-log/archive/archive.ts';
import type { ArchiveCalls } from '../../../../src/durable/event-log/archive/archive-calls.ts';
import { archiveLimits } from '../../../../src/durable/event-log/archive/archive-sweep.ts';
import { sizeLimits } from '../../../../src/durable/event-log/archive/fullness.ts';
import { ArchivedConversations } from '../../../../src/durable/event-log/conversations/rows/archived-conversations.ts';
import { ConversationRows } from '../../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import type { EventLog } from '../../../../src/durable/event-log/event-log.ts';
import { EventRows, openRowLimits } from '../../../../src/durable/event-log/events/event-rows.ts';
import type { OutboundRecord } from '../../../../src/durable/event-log/facts.ts';
import { LogState } from '../../../../src/durable/event-log/log-state.ts';
import type { LoggedMessage } from '../../../../src/durable/event-log/messages/logged-message.ts';
import { MessageWords } from '../../../../src/durable/event-log/messages/message-words.ts';
import type { MessageFilter } from '../../../../src/durable/event-log/messages/reading/message-list.ts';
import { derivedUuid, newUuid } from '../../../../src/durable/new-ids.ts';
import { type LogStub, queued, record, sent } from '../event-log-fixture.ts';

export const dayMs = 24 * 3_600_000;
/** A time at which messages are too old, whatever the settings' default. */
export const longAgo = Date.UTC(2024, 4, 1, 12);
const [usualSlices, usualSizes] = [{ ...archiveLimits }, { ...sizeLimits }];

export function resetLimits(): void {
  Object.assign(archiveLimits, usualSlices);
  Object.assign(sizeLimits, usualSizes);
}

/** For tests that tell events by their commit: none shares its row with another, until what this answers is called. */
export function rowACommit(): () => void {
  const usual = { ...openRowLimits };
  openRowLimits.charactersMax = 0;
  return () => void Object.assign(openRowLimits, usual);
}

export interface ArchivingLog {
  accountId: string;
  log: LogStub;
}

export function newArchivingLog(): ArchivingLog {
  const accountId = newUuid();
  return { accountId, log: env.EVENT_LOG.getByName(accountId) };
}

/** A message whose id tells the time at which it was accepted, as all do. */
export function messageAt(queuedAt: number, more: Partial<OutboundRecord> = {}): OutboundRecord {
  return record({ messageId: `msg_${derivedUuid(queuedAt, newUuid())}`, queuedAt, ...more });
}

/** Tells the log of so many messages that were sent, a minute apart, all in one call. */
export async function sendMessages(
  log: LogStub,
  count: number,
  firstAt: number,
  more: Partial<OutboundRecord> = {},
): Promise<OutboundRecord[]> {
  const messages = Array.from({ length: count }, (_, index) => messageAt(firstAt + index * 60_000, more));
  await log.take(messages.flatMap((message) => [queued(message), sent(message)]));
  return messages;
}

/** Makes the events of this many commits older, and lets the log find that out. */
export async function ageEvents(log: LogStub, commits: number, byMs: number): Promise<void> {
  await runInDurableObject(log, (_, { storage }) => {
    const first = 'SELECT first_seq FROM events ORDER BY first_seq LIMIT ?';
    storage.sql.exec(`UPDATE events SET at = at - ? WHERE first_seq IN (${first})`, byMs, commits);
  });
  await evictDurableObject(log);
}

/** One slice of the sweep, with a stand-in for the entrypoint. */
export async function archiveSlice(
  { accountId, log }: ArchivingLog,
  callsOf: (object: EventLog) => ArchiveCalls,
): Promise<void> {
  await runInDurableObject<EventLog, void>(log, async (object, { storage }) => {
    const calls = callsOf(object);
    const { archiveSweep } = assembleArchive({
      storage,
      d1: env.DB,
      accountId,
      state: new LogState(storage.sql),
      events: new EventRows(storage.sql),
      words: new MessageWords(storage),
      calls,
      talk: {
        rows: new ConversationRows(storage.sql),
        archived: new ArchivedConversations(storage.sql),
        merging: { comeBack: () => [] },
      },
      commit: (change) => void change(Date.now()),
      tellBytes: async () => undefined,
      reload: () => undefined,
    });
    await archiveSweep.run(Date.now());
  });
}

/** Names of what stands in R2 of an account, in order. */
export async function storedKeys(accountId: string, kind: 'events' | 'messages'): Promise<string[]> {
  const { objects } = await env.ARCHIVE.list({ prefix: `${accountId}/${kind}/` });
  return objects.map(({ key }) => key);
}

/** All messages that the log answers with, page by page. */
export async function allMessages(
  log: LogStub,
  limit: number,
  filter: MessageFilter = {},
): Promise<LoggedMessage[]> {
  const all: LoggedMessage[] = [];
  let before: number | null = null;
  do {
    const page: { messages: LoggedMessage[]; nextBefore: number | null } = await log.messages(
      filter,
      limit,
      before,
    );
    all.push(...page.messages);
    before = page.nextBefore;
  } while (before !== null);
  return all;
}

/** The segments that the log knows of, oldest first. */
export function segmentsOf(log: LogStub, kind: 'events' | 'messages') {
  return runInDurableObject(log, (_, { storage }) =>
    storage.sql
      .exec<{ first: number; last: number; rows: number; bytes: number }>(
        'SELECT first, last, rows, bytes FROM segments WHERE kind = ? ORDER BY last',
        kind,
      )
      .toArray(),
  );
}

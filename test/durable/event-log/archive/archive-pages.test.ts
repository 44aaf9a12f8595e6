import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ArchiveCalls } from '../../../../src/durable/event-log/archive/archive-calls.ts';
import { ArchiveReader, KeptEvents } from '../../../../src/durable/event-log/archive/archive-reader.ts';
import { messagesInLines } from '../../../../src/durable/event-log/archive/archived-lines.ts';
import { Segments } from '../../../../src/durable/event-log/archive/segments.ts';
import { ChatPages } from '../../../../src/durable/event-log/conversations/reading/chat-page.ts';
import type { EventRows, StoredEvent } from '../../../../src/durable/event-log/events/event-rows.ts';
import {
  loggedMessage,
  type StoredMessage,
} from '../../../../src/durable/event-log/messages/logged-message.ts';
import { newUuid } from '../../../../src/durable/new-ids.ts';

const dayMs = 86_400_000;

const messageAt = (id: number): StoredMessage =>
  ({
    id,
    message_id: `message ${id}`,
    direction: 'inbound',
    status: 'received',
    number_id: 'number',
    peer: '628123456789',
    own_phone: '15550000001',
    chat_type: 'personal',
    message_type: 'text',
    content: JSON.stringify({ type: 'text', text: 'hello' }),
    group_id: null,
    provider_message_id: `provider ${id}`,
    received_at: Math.floor(id / 1000),
  }) as StoredMessage;

/** An archive in memory under a real table of contents. */
function withArchive(check: (archive: ReturnType<typeof archiveOver>) => Promise<void>) {
  return runInDurableObject(env.EVENT_LOG.getByName(newUuid()), async (_, { storage }) => {
    await check(archiveOver(storage.sql));
  });
}

function archiveOver(sql: SqlStorage) {
  const segments = new Segments(sql);
  const files = new Map<string, string>();
  const eventFiles = new Map<string, StoredEvent[]>();
  const calls = {
    messages: async (key: string, query: Parameters<ArchiveCalls['messages']>[1]) => {
      const text = files.get(key);
      return text === undefined ? null : messagesInLines(text, query);
    },
    events: async (key: string, after: number, limit: number) =>
      eventFiles
        .get(key)
        ?.filter(({ seq }) => seq > after)
        .slice(0, limit) ?? null,
  } as unknown as ArchiveCalls;
  const reader = new ArchiveReader(segments, calls, () => ({ eventsDays: 30, messagesMonths: 12 }) as never);
  return {
    reader,
    clear: () => void sql.exec('DELETE FROM segments'),
    addMessages(ids: readonly number[]) {
      const [first = 0, last = 0] = [ids[0], ids.at(-1)];
      const key = `messages ${first}`;
      files.set(key, ids.map((id) => JSON.stringify(messageAt(id))).join('\n'));
      segments.note({ kind: 'messages', first, last, lastAt: Math.floor(last / 1000), key }, 1, ids.length);
    },
    addEvents(first: number, last: number, lastAt: number, isThere = true) {
      const key = `events ${first}`;
      const seqs = Array.from({ length: last - first + 1 }, (_, index) => first + index);
      if (isThere)
        eventFiles.set(
          key,
          seqs.map((seq) => ({ seq, envelope: {} }) as StoredEvent),
        );
      segments.note({ kind: 'events', first, last, lastAt, key }, 1, seqs.length);
    },
  };
}

test('page by page every message is listed once, newest first, wherever it stands: in the log, in the archive or in both', () =>
  withArchive(async ({ reader, addMessages, clear }) => {
    const place = fc.constantFrom('log', 'archive', 'both', 'archive', 'archive');
    const message = fc.record({
      gap: fc.constantFrom(1, 1_000, 1_000, 2_500),
      place,
      endsSegment: fc.boolean(),
    });
    const asked = fc.record({
      limit: fc.integer({ min: 1, max: 12 }),
      /** Rows that a page of the log looks at. */
      looked: fc.integer({ min: 1, max: 12 }),
      since: fc.option(fc.integer({ min: 0, max: 40 })),
      until: fc.option(fc.integer({ min: 0, max: 40 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 40 }),
        asked,
        async (all, { limit, looked, since, until }) => {
          clear();
          let id = 1_000;
          const inLog: number[] = [];
          let segment: number[] = [];
          const ids = all.map(({ gap, place: where, endsSegment }) => {
            id += gap;
            if (where !== 'archive') inLog.unshift(id);
            if (where !== 'log') segment.push(id);
            if (endsSegment && segment.length > 0) {
              addMessages(segment);
              segment = [];
            }
            return id;
          });
          if (segment.length > 0) addMessages(segment);
          const isAsked = (it: number) =>
            it >= (since ?? 0) * 1000 && it < (until ?? Number.POSITIVE_INFINITY) * 1000;
          const filter = { ...(since !== null && { since }), ...(until !== null && { until }) };
          const listed: number[] = [];
          for (let before: number | null = null, pages = 0; ; pages += 1) {
            if (pages > 200) throw new Error('the pages have no end');
            const rest = inLog.filter((it) => isAsked(it) && (before === null || it < before));
            const read = rest.slice(0, Math.min(looked, limit));
            const messages = read.map((it) => loggedMessage(messageAt(it)));
            const nextBefore = rest.length > read.length ? (read.at(-1) ?? null) : null;
            const page = await reader.complete({ messages, nextBefore }, { filter, limit, before });
            expect(page.messages.length).toBeLessThanOrEqual(limit);
            listed.push(...page.messages.map((it) => it.id));
            if (page.nextBefore === null) break;
            before = page.nextBefore;
          }
          expect(listed).toEqual(ids.filter(isAsked).reverse());
        },
      ),
      { numRuns: 300 },
    );
  }));

test('upwards, page by page, every message and note of a chat is listed once, oldest first, wherever it stands', () =>
  withArchive(async ({ reader, addMessages, clear }) => {
    const item = fc.record({
      gap: fc.constantFrom(1, 1_000, 2_500),
      place: fc.constantFrom('log', 'archive', 'both', 'archive', 'note'),
      endsSegment: fc.boolean(),
    });
    const asked = fc.record({
      limit: fc.integer({ min: 1, max: 12 }),
      /** Rows that a page of the log looks at. */
      looked: fc.integer({ min: 1, max: 12 }),
      after: fc.integer({ min: 0, max: 20_000 }),
      below: fc.option(fc.integer({ min: 1_000, max: 40_000 })),
    });
    const chat = {
      conversationId: 'c',
      numberId: 'number',
      phoneNumber: '628123456789',
      lid: null,
      groupId: null,
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { maxLength: 40 }),
        asked,
        async (all, { limit, looked, after, below }) => {
          clear();
          let id = 1_000;
          const [inLog, notes]: [number[], number[]] = [[], []];
          let segment: number[] = [];
          const ids = all.map(({ gap, place, endsSegment }) => {
            id += gap;
            if (place === 'note') notes.push(id);
            if (place === 'log' || place === 'both') inLog.push(id);
            if (place === 'archive' || place === 'both') segment.push(id);
            if (endsSegment && segment.length > 0) {
              addMessages(segment);
              segment = [];
            }
            return id;
          });
          if (segment.length > 0) addMessages(segment);
          const pages = new ChatPages(
            {
              upwards: (_: object, most: number, from: number) => {
                const rest = inLog.filter((it) => it > from);
                const read = rest.slice(0, Math.min(looked, most));
                const messages = read.map((it) => loggedMessage(messageAt(it)));
                return { messages, knownTo: rest.length > read.length ? (read.at(-1) ?? from) : null };
              },
            } as never,
            {
              after: (_: string, from: number, most: number) =>
                notes
                  .filter((it) => it > from)
                  .slice(0, most)
                  .map((it) => ({ id: it })),
            } as never,
            reader,
            { upwards: async (_: string, __: string, kept: object) => kept } as never,
            { digitsOf: () => ['628123456789'] } as never,
          );
          const listed: number[] = [];
          for (let place = after, turns = 0; ; turns += 1) {
            if (turns > 200) throw new Error('the pages have no end');
            const page = await pages.upwards(chat, { limit, after: place, below });
            expect(page.items.length).toBeLessThanOrEqual(limit);
            listed.push(...page.items.map((it) => it.id));
            if (page.nextAfter === null) break;
            place = page.nextAfter;
          }
          expect(listed).toEqual(ids.filter((it) => it > after && (below === null || it < below)));
        },
      ),
      { numRuns: 300 },
    );
  }));

test('events are read on from the archive into the log without a gap, and those that are too old are none', () =>
  withArchive(async ({ reader, addEvents }) => {
    const now = Date.now();
    addEvents(1, 10, now - 30 * dayMs - 60_000);
    addEvents(11, 20, now - 30 * dayMs + 60_000);
    addEvents(21, 30, now);
    const inLog = Array.from({ length: 5 }, (_, index) => ({ seq: 31 + index }) as StoredEvent);
    const rows = {
      oldest: 31,
      head: 35,
      read: (after: number, limit: number) => inLog.filter(({ seq }) => seq > after).slice(0, limit),
    } as unknown as EventRows;
    const kept = new KeptEvents(rows, reader);
    expect(kept.oldest).toBe(11);
    for (const from of [0, 10, 15, 29]) {
      const read: number[] = [];
      for (let after = from; after < kept.head; after = read.at(-1) ?? kept.head) {
        const some = await kept.read(after, 7);
        read.push(...some.map(({ seq }) => seq));
      }
      const first = Math.max(from + 1, kept.oldest);
      expect(read).toEqual(Array.from({ length: 36 - first }, (_, index) => first + index));
    }
  }));

test('whoever reads on where an archived part is missing goes on behind it', () =>
  withArchive(async ({ reader, addEvents }) => {
    const now = Date.now();
    addEvents(1, 10, now, false);
    addEvents(11, 20, now);
    expect((await reader.events(4, 3, now)).map(({ seq }) => seq)).toEqual([11, 12, 13]);
  }));

import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ArchiveCalls } from '../../durable/event-log/archive/archive-calls.ts';
import {
  type ArchivedMessagesQuery,
  eventsInLines,
  messagesInLines,
  type PastQuery,
  type PastRow,
  rowsOfPast,
  withMessages,
  withPast,
} from '../../durable/event-log/archive/archived-lines.ts';
import type { StoredEvent } from '../../durable/event-log/events/event-rows.ts';
import type { StoredMessage } from '../../durable/event-log/messages/logged-message.ts';
import { changeSegment, readSegment, writeSegment } from './segment-file.ts';

/** As many connections as an invocation may have open. */
const callsAtOnce = 6;

/** Writes and reads the segments of the accounts' logs in R2. Keeps nothing itself. */
export class ArchiveKeeper extends WorkerEntrypoint<Env> implements ArchiveCalls {
  put(key: string, lines: string): Promise<number> {
    return writeSegment(this.env.ARCHIVE, key, lines);
  }

  async addMessages(key: string, lines: string): Promise<number> {
    return (await changeSegment(this.env.ARCHIVE, key, (text) => withMessages(text ?? '', lines))) ?? 0;
  }

  async addPasts(pasts: readonly { key: string; lines: string }[]): Promise<void> {
    for (let from = 0; from < pasts.length; from += callsAtOnce) {
      await Promise.all(
        pasts
          .slice(from, from + callsAtOnce)
          .map(({ key, lines }) =>
            changeSegment(this.env.ARCHIVE, key, (text) => withPast(text ?? '', lines)),
          ),
      );
    }
  }

  async events(key: string, after: number, limit: number): Promise<StoredEvent[] | null> {
    const text = await this.#read(key);
    return text === null ? null : eventsInLines(text, after, limit);
  }

  async messages(key: string, query: ArchivedMessagesQuery): Promise<StoredMessage[] | null> {
    const text = await this.#read(key);
    return text === null ? null : messagesInLines(text, query);
  }

  async past(key: string, query: PastQuery): Promise<PastRow[] | null> {
    const text = await this.#read(key);
    return text === null ? null : rowsOfPast(text, query);
  }

  #read(key: string): Promise<string | null> {
    return readSegment(this.env.ARCHIVE, key);
  }
}

import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ArchiveCalls } from '../../durable/event-log/archive/archive-calls.ts';
import { eventsInLines } from '../../durable/event-log/archive/segments/event-lines.ts';
import {
  type ArchivedMessagesQuery,
  messagesInLines,
  withMessages,
} from '../../durable/event-log/archive/segments/message-lines.ts';
import type { StoredEvent } from '../../durable/event-log/events/event-rows.ts';
import type { StoredMessage } from '../../durable/event-log/messages/logged-message.ts';

/** Writes and reads the segments of the accounts' logs in R2. Keeps nothing itself. */
export class ArchiveKeeper extends WorkerEntrypoint<Env> implements ArchiveCalls {
  async put(key: string, lines: string): Promise<number> {
    const compressed = await new Response(
      new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    await this.env.ARCHIVE.put(key, compressed, { httpMetadata: { contentType: 'application/gzip' } });
    return compressed.byteLength;
  }

  async addMessages(key: string, lines: string): Promise<number> {
    return this.put(key, withMessages((await this.#read(key)) ?? '', lines));
  }

  async events(key: string, after: number, limit: number): Promise<StoredEvent[] | null> {
    const text = await this.#read(key);
    return text === null ? null : eventsInLines(text, after, limit);
  }

  async messages(key: string, query: ArchivedMessagesQuery): Promise<StoredMessage[] | null> {
    const text = await this.#read(key);
    return text === null ? null : messagesInLines(text, query);
  }

  async #read(key: string): Promise<string | null> {
    const found = await this.env.ARCHIVE.get(key);
    if (found === null) return null;
    return new Response(found.body.pipeThrough(new DecompressionStream('gzip'))).text();
  }
}

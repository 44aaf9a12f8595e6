import { WorkerEntrypoint } from 'cloudflare:workers';
import type { ArchiveCalls } from '../durable/event-log/archive/archive-calls.ts';
import {
  type ArchivedMessagesQuery,
  eventsInLines,
  messagesInLines,
  type PastQuery,
  type PastRow,
  rowsOfPast,
  withMessages,
  withPast,
} from '../durable/event-log/archive/archived-lines.ts';
import type { StoredEvent } from '../durable/event-log/events/event-rows.ts';
import type { StoredMessage } from '../durable/event-log/messages/logged-message.ts';

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

/** How often a change is made anew to what somebody else has written meanwhile. */
const attemptsMax = 5;
/** A writer whose caller has given up on it (after a minute) begins no write any more. */
const writesForMs = 45_000;

type Bucket = Pick<R2Bucket, 'get' | 'head' | 'put'>;

/** Somebody else has written the segment meanwhile. */
class SegmentTaken extends Error {}

/**
 * Replaces a segment; returns its size in bytes. If two calls write the same segment, the later one throws instead of
 * overwriting the other unnoticed, and its caller tries again.
 */
export async function writeSegment(bucket: Bucket, key: string, lines: string): Promise<number> {
  const before = await bucket.head(key);
  const compressed = await gzipped(lines);
  if (!(await putOver(bucket, key, before, compressed)))
    throw new SegmentTaken(`${key} was written meanwhile`);
  return compressed.byteLength;
}

/**
 * Changes the content of a segment. If the segment was written meanwhile, `change` runs again on the new content. So what an
 * erasure removed stays removed, and what was archived is not lost. `change` returns null if there is nothing to write.
 * Returns the bytes written, or null if none were.
 */
export async function changeSegment(
  bucket: Bucket,
  key: string,
  change: (lines: string | null) => string | null,
): Promise<number | null> {
  const until = Date.now() + writesForMs;
  for (let attempt = 1; attempt <= attemptsMax && Date.now() < until; attempt += 1) {
    const found = await bucket.get(key);
    const lines = change(found && (await gunzipped(found.body)));
    if (lines === null) return null;
    const compressed = await gzipped(lines);
    if (Date.now() < until && (await putOver(bucket, key, found, compressed))) return compressed.byteLength;
  }
  throw new SegmentTaken(`${key} was written again and again meanwhile`);
}

/** What a segment holds; null: there is none. */
export async function readSegment(bucket: Bucket, key: string): Promise<string | null> {
  const found = await bucket.get(key);
  return found && gunzipped(found.body);
}

/** False: it is another one by now than `before`, or is there where none was. */
async function putOver(
  bucket: Bucket,
  key: string,
  before: { etag: string } | null,
  bytes: ArrayBuffer,
): Promise<boolean> {
  const onlyIf = before === null ? new Headers({ 'If-None-Match': '*' }) : { etagMatches: before.etag };
  const httpMetadata = { contentType: 'application/gzip' };
  return (await bucket.put(key, bytes, { onlyIf, httpMetadata })) !== null;
}

const gzipped = (lines: string): Promise<ArrayBuffer> =>
  new Response(new Blob([lines]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();

const gunzipped = (body: ReadableStream): Promise<string> =>
  new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();

import { importFileBytesMax } from '../../../../../contract/contacts/import.ts';
import { invalidField, type Refusal, refuse } from '../../../../../contract/errors.ts';
import { mediaDaysKept } from '../../../../../contract/messages/media.ts';
import { dayMs } from '../../../../../contract/times.ts';
import type { SliceAsked } from '../../../../../durable/event-log/contacts/imports/import-rows.ts';
import { csvOf } from '../../../../http/answer/csv.ts';
import { askAccount } from '../../../../object-calls.ts';
import { InspectedBytes, joined, TooManyBytes } from '../../../media/store/inspected-bytes.ts';
import { writeObject } from '../../../media/store/object-writer.ts';
import type { RefusedRow } from './csv-slice.ts';

const folderOf = (accountId: string, importId: string) => `${accountId}/imports/${importId}`;
/** Under which the account counts the file. */
const fileIdOf = (importId: string) => `import:${importId}`;
const fileKey = (accountId: string, importId: string) => `${folderOf(accountId, importId)}/file.csv`;
const partPrefix = (accountId: string, importId: string) => `${folderOf(accountId, importId)}/refused-`;

/**
 * The files of imports, in the bucket of the messages' files, which deletes what is older than 30 days. An import has its
 * uploaded file until it is done, and one file of refused rows for each slice that has some.
 */
export class ImportFiles {
  readonly #env: Pick<Env, 'MEDIA' | 'ACCOUNT'>;
  readonly #bucket: R2Bucket;

  constructor(env: Pick<Env, 'MEDIA' | 'ACCOUNT'>) {
    this.#env = env;
    this.#bucket = env.MEDIA;
  }

  /**
   * Streams the file into the bucket; UTF-16 becomes UTF-8. Returns the stored size in bytes and the first part of the file.
   * Refused if the account has no room.
   */
  async store(
    accountId: string,
    importId: string,
    body: ReadableStream<Uint8Array>,
    bytesKnown: number | null,
  ): Promise<{ ok: true; bytes: number; head: string } | Refusal> {
    const tooLarge = refuse('PAYLOAD_TOO_LARGE', 'The file is larger than 100 MiB.', {
      details: [{ bytesMax: importFileBytesMax }],
    });
    const bytes = new InspectedBytes(body, () => importFileBytesMax);
    const head = await bytes.head();
    if (head.byteLength === 0 || (bytesKnown ?? 0) > importFileBytesMax) {
      await bytes.drop();
      return head.byteLength === 0 ? invalidField('file', 'The file is empty.') : tooLarge;
    }
    const fileId = fileIdOf(importId);
    const room = await askAccount(this.#env, accountId, (account) => account.storageRoom(fileId));
    if (room.bytesMax !== null && (bytesKnown ?? 0) > room.bytesMax) {
      await bytes.drop();
      return room.refusal;
    }
    const order = utf16Order(head);
    const stored = new StoredText(order === null ? bytes.chunks() : utf8Of(bytes.chunks(), order));
    try {
      const length = order === null ? bytesKnown : null;
      await writeObject(this.#bucket, fileKey(accountId, importId), stored.chunks(), length);
    } catch (error) {
      await bytes.drop();
      if (error instanceof TooManyBytes) return tooLarge;
      throw error;
    }
    const file = { fileId, bytes: stored.bytes, expiresAt: Date.now() + mediaDaysKept * dayMs };
    const full = await askAccount(this.#env, accountId, (account) => account.keepFile(file));
    if (full === null) return { ok: true, bytes: stored.bytes, head: latin1(stored.head) };
    await this.forget(accountId, importId);
    return full;
  }

  /** A part of the file, each byte a character; null: it is gone. */
  async read({ accountId, importId, place }: SliceAsked, length: number): Promise<string | null> {
    const found = await this.#bucket.get(fileKey(accountId, importId), { range: { offset: place, length } });
    return found === null ? null : latin1(new Uint8Array(await found.arrayBuffer()));
  }

  /**
   * Rewritten under the same name if a slice is read again. These files count towards the storage limit, but are stored even
   * above it: a running import reports the outcome of each row.
   */
  async storeRefused({ accountId, importId, place }: SliceAsked, rows: readonly RefusedRow[]): Promise<void> {
    const lines = rows.map(({ row, path, message, cells }) => [row, path, message, ...cells]);
    const name = String(place).padStart(12, '0');
    const part = new TextEncoder().encode(csvOf(lines));
    await this.#bucket.put(`${partPrefix(accountId, importId)}${name}`, part);
    const expiresAt = Date.now() + mediaDaysKept * dayMs;
    const file = { fileId: `${fileIdOf(importId)}/${name}`, bytes: part.byteLength, expiresAt };
    await askAccount(this.#env, accountId, (account) => account.keepFile(file, true));
  }

  /** The refused rows of an import, part by part. */
  async *refused(accountId: string, importId: string): AsyncGenerator<ReadableStream<Uint8Array>> {
    let cursor: string | undefined;
    do {
      const listed = await this.#bucket.list({
        prefix: partPrefix(accountId, importId),
        ...(cursor !== undefined && { cursor }),
      });
      for (const { key } of listed.objects) {
        const part = await this.#bucket.get(key);
        if (part !== null) yield part.body;
      }
      cursor = listed.truncated ? listed.cursor : undefined;
    } while (cursor !== undefined);
  }

  async forget(accountId: string, importId: string): Promise<void> {
    await this.#bucket.delete(fileKey(accountId, importId));
    await askAccount(this.#env, accountId, (account) => account.giveBackFiles([fileIdOf(importId)]));
  }
}

/** So much of the beginning of a file tells how it is written. */
const headBytes = 65_536;

/** What is stored of a file: how long it is, and how it begins. */
class StoredText {
  readonly #chunks: AsyncIterable<Uint8Array>;
  bytes = 0;
  head = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#chunks) {
      const missing = headBytes - this.head.byteLength;
      if (missing > 0) this.head = joined([this.head, chunk.subarray(0, missing)]);
      this.bytes += chunk.byteLength;
      yield chunk;
    }
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** The byte order that the mark at the beginning of a file in UTF-16 tells; null: it has none. */
export function utf16Order(head: Uint8Array): 'LE' | 'BE' | null {
  if (head[0] === 0xff && head[1] === 0xfe) return 'LE';
  return head[0] === 0xfe && head[1] === 0xff ? 'BE' : null;
}

/** A file in UTF-16 as UTF-8, chunk by chunk, without its mark. What is no character becomes U+FFFD. */
export async function* utf8Of(
  chunks: AsyncIterable<Uint8Array>,
  order: 'LE' | 'BE',
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder('utf-16le');
  const encoder = new TextEncoder();
  let half: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = new Uint8Array(half.byteLength + chunk.byteLength);
    bytes.set(half);
    bytes.set(chunk, half.byteLength);
    const even = bytes.byteLength - (bytes.byteLength % 2);
    half = bytes.slice(even);
    const text = decoder.decode(order === 'LE' ? bytes.slice(0, even) : swapped(bytes.slice(0, even)), {
      stream: true,
    });
    if (text !== '') yield encoder.encode(text);
  }
  const rest = decoder.decode(half);
  if (rest !== '') yield encoder.encode(rest);
}

const swapped = (bytes: Uint8Array): Uint8Array => new Uint8Array(Buffer.from(bytes).swap16());

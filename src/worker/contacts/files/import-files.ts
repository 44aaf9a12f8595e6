import { importFileBytesMax } from '../../../contract/contacts/import.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { SliceAsked } from '../../../durable/event-log/contacts/imports/import-calls.ts';
import { csvOf } from '../../http/answer/csv.ts';
import { invalidField } from '../../http/request/validation-details.ts';
import { InspectedBytes, TooManyBytes } from '../../media/inspected-bytes.ts';
import { writeObject } from '../../media/object-writer.ts';
import type { RefusedRow } from './csv-slice.ts';

const folderOf = (accountId: string, importId: string) => `${accountId}/imports/${importId}`;
const fileKey = (accountId: string, importId: string) => `${folderOf(accountId, importId)}/file.csv`;
const partPrefix = (accountId: string, importId: string) => `${folderOf(accountId, importId)}/refused-`;

/**
 * The files of imports, beside those of messages, whose bucket deletes what is older than 30 days: the file as it came, until
 * it is in, and the refused rows, a part for each slice that has some.
 */
export class ImportFiles {
  readonly #bucket: R2Bucket;

  constructor(env: Pick<Env, 'MEDIA'>) {
    this.#bucket = env.MEDIA;
  }

  /** Stores the file as it comes, never whole in memory; how large it is, and how it begins. */
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
    const head = latin1(await bytes.head());
    if (head === '' || (bytesKnown ?? 0) > importFileBytesMax) {
      await bytes.drop();
      return head === '' ? invalidField('file', 'The file is empty.') : tooLarge;
    }
    try {
      await writeObject(this.#bucket, fileKey(accountId, importId), bytes.chunks(), bytesKnown);
    } catch (error) {
      await bytes.drop();
      if (error instanceof TooManyBytes) return tooLarge;
      throw error;
    }
    return { ok: true, bytes: bytes.bytes, head };
  }

  /** A part of the file, each byte a character; null: it is gone. */
  async read({ accountId, importId, place }: SliceAsked, length: number): Promise<string | null> {
    const found = await this.#bucket.get(fileKey(accountId, importId), { range: { offset: place, length } });
    return found === null ? null : latin1(new Uint8Array(await found.arrayBuffer()));
  }

  /** Written again under the same name when a slice is read again. */
  async storeRefused({ accountId, importId, place }: SliceAsked, rows: readonly RefusedRow[]): Promise<void> {
    const lines = rows.map(({ row, path, message, cells }) => [row, path, message, ...cells]);
    const name = String(place).padStart(12, '0');
    await this.#bucket.put(`${partPrefix(accountId, importId)}${name}`, csvOf(lines));
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
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

import { WorkerEntrypoint } from 'cloudflare:workers';
import type {
  FileSlice,
  ImportCalls,
  SliceAsked,
} from '../../../../../durable/event-log/contacts/imports/import-rows.ts';
import { knownAmong } from '../../../messages/sending/known-addresses.ts';
import { readRows, sliceOf } from './csv-slice.ts';
import { ImportFiles } from './import-files.ts';

/** Bytes that are read at first, and at most: a row that is longer ends the import. */
const windowBytes = 65_536;
const windowBytesMax = 4 * 1024 * 1024;

/** Reads the files of imports for the accounts' logs. Keeps nothing itself. */
export class ImportReader extends WorkerEntrypoint<Env> implements ImportCalls {
  async slice(asked: SliceAsked): Promise<FileSlice> {
    const files = new ImportFiles(this.env);
    const { place, row, shape } = asked;
    const stopped = (problem: string): FileSlice => ({
      contacts: [],
      refused: [],
      place,
      row,
      isLast: true,
      problem,
    });
    if (place >= shape.bytes) return { contacts: [], refused: [], place, row, isLast: true };
    for (let length = windowBytes; ; length *= 4) {
      const text = await files.read(asked, Math.min(length, shape.bytes - place));
      if (text === null) return stopped('The file no longer exists. Import it again.');
      const isEnd = place + text.length >= shape.bytes;
      const first = readRows(text, isEnd, asked);
      if (first.bytes > 0) {
        const known = await knownAmong(this.env, asked.accountId, first.doubtful);
        const read = known.size === 0 ? first : readRows(text, isEnd, asked, known);
        if (read.refused.length > 0) await files.storeRefused(asked, read.refused);
        return sliceOf(read, asked);
      }
      if (length >= windowBytesMax) {
        return stopped(`Row ${row + 1} has no end: more than 4 MiB, perhaps an unclosed quote.`);
      }
    }
  }

  async forget(accountId: string, importId: string): Promise<void> {
    await new ImportFiles(this.env).forget(accountId, importId);
  }
}

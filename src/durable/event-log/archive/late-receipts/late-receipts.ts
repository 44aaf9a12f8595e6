import { logFault } from '../../../log.ts';
import type { EventDraft } from '../../events/event-draft.ts';
import type { StoredMessage } from '../../messages/logged-message.ts';
import type { ArchiveReader } from '../archive-reader.ts';
import type { AwaitedReceipts, ReceiptFact } from './awaited-receipts.ts';

/** Messages that are fetched in one go. */
const messagesAtOnce = 100;
const pauseMs = 200;
const retryMs = 60_000;

interface Parts {
  awaited: AwaitedReceipts;
  archive: ArchiveReader;
  /** How many people were erased; null while one is. */
  erased: () => number | null;
  /** Makes a message a row of the log again. */
  putBack: (row: StoredMessage) => void;
  /** What a receipt of a message in the log changes. */
  receipt: (fact: ReceiptFact) => EventDraft[];
  /** One transaction, with the events of the change. */
  commit: (change: () => EventDraft[]) => void;
}

/**
 * Takes receipts of messages that went to the archive for the log's size: the message is fetched back, and archived anew
 * later. Fetched and taken in one transaction; a crash before it leaves the receipts where they were.
 */
export class LateReceipts {
  readonly #parts: Parts;
  #restUntil = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  dueAt(): number | null {
    return this.#parts.awaited.first() === null ? null : this.#restUntil;
  }

  async run(now: number): Promise<void> {
    this.#restUntil = now + retryMs;
    try {
      if (await this.#step()) this.#restUntil = Date.now() + pauseMs;
    } catch (error) {
      logFault('archive.receipts_wait', error);
    }
  }

  /** False: not now. */
  async #step(): Promise<boolean> {
    const { awaited, archive, erased, putBack, receipt, commit } = this.#parts;
    const first = awaited.first();
    const erasedBefore = erased();
    // What is read of a person who is erased meanwhile must not be written here again.
    if (first === null || erasedBefore === null) return false;
    const { rows, ids } = await archive.rowsAt(first, (last) =>
      awaited.messages(first, last, messagesAtOnce),
    );
    if (erased() !== erasedBefore) return true;
    commit(() => {
      for (const row of rows) putBack(row);
      return ids.flatMap((id) => awaited.remove(id)).flatMap(receipt);
    });
    return true;
  }
}

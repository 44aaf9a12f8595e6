import { isFileContent } from '../../../contract/messages/content.ts';
import type { FileFacts } from '../../../contract/messages/media.ts';
import type { MediaKind } from '../../../contract/messages/media-kinds.ts';
import { endOfWait } from '../../due-times.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import { Tables } from '../../storage/rows.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { type Failures, recordOf } from './failures.ts';
import type { Schedule } from './placement.ts';

/** A wake-up that nobody handled is sent again after that long; a fetch with all its attempts takes less. */
const ringEveryMs = 15 * 60_000;
/** Wake-ups in one go. */
const wakeUpsMax = 100;

/** What the queue of fetches carries: the message waits in its account, and a wake-up that comes twice changes nothing. */
export interface FileWakeUp {
  accountId: string;
  messageId: string;
}

/** A file that is to be fetched for a message. */
export interface WantedFile {
  url: string;
  mediaId: string;
  kind: MediaKind;
  isVoice: boolean;
  /** As the sender calls it, where they do. */
  fileName?: string;
}

/** What became of it. `reason`: a sentence for the sender of the message. */
export type FetchedFile = { ok: true; file: FileFacts } | { ok: false; reason: string };

interface FileFetchesParts {
  sql: SqlStorage;
  accountId: string;
  backlog: Backlog;
  senders: Senders;
  schedule: Schedule;
  failures: Failures;
  logOutbox: LogOutbox;
  change: <Result>(work: () => Result) => Result;
  ring: (wakeUps: readonly FileWakeUp[]) => Promise<void>;
}

/**
 * Messages whose file is at a URL: accepted, and held until a consumer of the queue has fetched the file. Only the rows count;
 * the queue carries wake-ups, and the alarm repeats those that a queue has lost.
 */
export class FileFetches extends Tables {
  readonly #parts: FileFetchesParts;
  /** Undefined: to be read. */
  #nextAt: number | null | undefined;

  constructor(parts: FileFetchesParts) {
    super(parts.sql);
    this.#parts = parts;
  }

  /** A message was accepted that waits for its file. Call inside the transaction that accepts it. */
  note(messageId: string, now: number): void {
    this.sql.exec('INSERT INTO file_fetches (message_id, ring_at) VALUES (?, ?)', messageId, now);
    if (this.#nextAt !== undefined) this.#nextAt = Math.min(this.#nextAt ?? now, now);
  }

  dueAt(): number | null {
    if (this.#nextAt === undefined) this.#nextAt = this.queryValue('SELECT min(ring_at) FROM file_fetches');
    return this.#nextAt && endOfWait(this.#nextAt, ringEveryMs);
  }

  async run(now: number): Promise<void> {
    const { accountId, change, ring } = this.#parts;
    const query =
      'SELECT message_id FROM file_fetches WHERE ring_at <= ? OR ring_at > ? ORDER BY ring_at LIMIT ?';
    // Or rung by a clock that went back since.
    const due = this.queryValues<string>(query, now, now + ringEveryMs, wakeUpsMax);
    const waiting = due.filter((messageId) => !this.#isOver(messageId, now));
    change(() => {
      for (const messageId of waiting) {
        this.sql.exec(
          'UPDATE file_fetches SET ring_at = ? WHERE message_id = ?',
          now + ringEveryMs,
          messageId,
        );
      }
      this.reload();
    });
    await ring(waiting.map((messageId) => ({ accountId, messageId })));
  }

  /** What is to be fetched for a message; null when it waits for nothing any more. */
  wanted(messageId: string): WantedFile | null {
    const found = this.#parts.backlog.waitingForFile(messageId);
    if (found === null) return null;
    const { content, fileUrl } = found.message;
    if (!isFileContent(content) || fileUrl === undefined) return null;
    const { mediaId, voice, fileName } = content.media;
    const named = fileName === undefined ? {} : { fileName };
    return { url: fileUrl, mediaId, kind: content.type, isVoice: voice === true, ...named };
  }

  /** A file was fetched, or never will be. To say it again changes nothing. */
  settle(messageId: string, fetched: FetchedFile, now: number): void {
    const { change, backlog, senders, schedule, failures, logOutbox } = this.#parts;
    change(() => {
      this.sql.exec('DELETE FROM file_fetches WHERE message_id = ?', messageId);
      this.reload();
      const found = backlog.waitingForFile(messageId);
      if (found === null) return;
      const { numberId, message } = found;
      const sender = senders.of(numberId);
      backlog.removeLater(numberId, messageId);
      if (!fetched.ok) {
        const errorMessage = `Its file could not be fetched. ${fetched.reason}`;
        failures.fail(message, sender, { errorMessage, errorCode: 'file_not_fetched' }, now);
        return;
      }
      const complete = withFile(message, fetched.file);
      const notBefore = complete.sendAt ?? now;
      backlog.addLater(numberId, complete, notBefore);
      // What is due leaves with the next round of it.
      schedule.note(notBefore);
      logOutbox.add([{ kind: 'message.completed', message: recordOf(complete, sender) }]);
    });
  }

  /** After a change that this does not know of, and after a transaction that was rolled back. */
  reload(): void {
    this.#nextAt = undefined;
  }

  /** Fails a message whose time is over; one that waits no more is forgotten. */
  #isOver(messageId: string, now: number): boolean {
    const found = this.#parts.backlog.waitingForFile(messageId);
    if (found !== null && found.message.expiresAt > now) return false;
    this.settle(messageId, { ok: false, reason: 'It took too long.' }, now);
    return true;
  }
}

function withFile(message: AcceptedMessage, file: FileFacts): AcceptedMessage {
  const { fileUrl: _, content, ...rest } = message;
  if (!isFileContent(content)) return message;
  const { status: __, fileName = file.fileName, ...media } = content.media;
  const name = content.type === 'document' && fileName !== undefined ? { fileName } : {};
  const { fileName: ___, ...facts } = file;
  return { ...rest, content: { ...content, media: { ...media, ...facts, ...name } } };
}

import { isFileContent } from '../../../contract/messages/content.ts';
import type { FileFacts } from '../../../contract/messages/media.ts';
import type { MediaKind } from '../../../contract/messages/media-kinds.ts';
import { endOfWait } from '../../due-times.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import { LongCalls } from '../../hand-over/long-calls.ts';
import type { AcceptedMessage } from '../../hand-over/message-batch.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { Tables } from '../../storage/rows.ts';
import type { Senders } from '../senders/senders.ts';
import type { Backlog } from './backlog.ts';
import { type Failures, recordOf } from './failures.ts';
import type { Schedule } from './placement.ts';

/** Files of one account that are fetched at a time. */
const fetchesAtOnceMax = 6;
/** A fetch with all its redirects takes less. */
const fetchMsMax = 10 * 60_000;
/** Before a file is asked for again after a fault of ours. */
const faultWaitMs = 30_000;
/** No file waits longer for its next attempt. */
const waitMsMax = 5 * 60_000;

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
/** It may work later. */
export interface FetchLater {
  againSeconds: number;
}

interface FileFetchesParts {
  sql: SqlStorage;
  backlog: Backlog;
  senders: Senders;
  schedule: Schedule;
  failures: Failures;
  logOutbox: LogOutbox;
  change: <Result>(work: () => Result) => Result;
  /** Fetches a file, outside of the object: it may take minutes. */
  fetch: (messageId: string, wanted: WantedFile, attempt: number) => Promise<FetchedFile | FetchLater>;
  waitUntil: (work: Promise<void>) => void;
  /** There is room for another fetch. */
  freed: () => void;
}

/**
 * Messages whose file is at a URL: accepted, and held until the Worker has fetched the file. Only the rows count: what is under way
 * when the object ends is begun again, and so is what has no answer in time.
 */
export class FileFetches extends Tables {
  readonly #parts: FileFetchesParts;
  /** Undefined: to be read. */
  #nextAt: number | null | undefined;
  readonly #calls: LongCalls<string>;

  constructor(parts: FileFetchesParts) {
    super(parts.sql);
    this.#parts = parts;
    const { waitUntil, freed } = parts;
    this.#calls = new LongCalls({
      name: 'files under way',
      call: (messageId) => this.#fetch(messageId),
      atOnceMax: fetchesAtOnceMax,
      callMsMax: fetchMsMax,
      failed: (messageId) => this.#putOff(messageId, faultWaitMs, 0),
      waitUntil,
      freed: () => {
        this.reload();
        freed();
      },
    });
  }

  get timers(): NamedTimer[] {
    return [{ name: 'files', dueAt: () => this.dueAt(), run: (now) => this.run(now) }, this.#calls.timer];
  }

  /** A message was accepted that waits for its file. Call inside the transaction that accepts it. */
  note(messageId: string, now: number): void {
    this.sql.exec('INSERT INTO file_fetches (message_id, ring_at) VALUES (?, ?)', messageId, now);
    if (this.#nextAt !== undefined) this.#nextAt = Math.min(this.#nextAt ?? now, now);
  }

  dueAt(): number | null {
    if (this.#calls.room === 0) return null;
    if (this.#nextAt === undefined) {
      const query = `SELECT min(ring_at) FROM file_fetches WHERE ${notUnderWay}`;
      this.#nextAt = this.queryValue(query, this.#idsUnderWay());
    }
    return this.#nextAt && endOfWait(this.#nextAt, waitMsMax);
  }

  run(now: number): void {
    // Or put off by a clock that went back since.
    const query = `SELECT message_id FROM file_fetches WHERE ${notUnderWay} AND (ring_at <= ? OR ring_at > ?)
      ORDER BY ring_at LIMIT ?`;
    const { room } = this.#calls;
    const due = this.queryValues<string>(query, this.#idsUnderWay(), now, now + waitMsMax, room);
    const waiting = due.filter((messageId) => !this.#isOver(messageId, now));
    this.#calls.begin(waiting, now);
    this.reload();
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

  async #fetch(messageId: string): Promise<void> {
    const query = 'SELECT failed_attempts FROM file_fetches WHERE message_id = ?';
    const attempt = 1 + (this.queryValue<number>(query, messageId) ?? 0);
    const wanted = this.wanted(messageId);
    const fetched = wanted === null ? nothingWanted : await this.#parts.fetch(messageId, wanted, attempt);
    if ('againSeconds' in fetched) this.#putOff(messageId, fetched.againSeconds * 1000, 1);
    else this.settle(messageId, fetched, Date.now());
  }

  /** `failures`: attempts of it that its host has failed. */
  #putOff(messageId: string, waitMs: number, failures: number): void {
    this.#parts.change(() => {
      this.sql.exec(
        'UPDATE file_fetches SET ring_at = ?, failed_attempts = failed_attempts + ? WHERE message_id = ?',
        ...[Date.now() + waitMs, failures, messageId],
      );
    });
  }

  #idsUnderWay(): string {
    return JSON.stringify(this.#calls.underWay);
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

const notUnderWay = 'message_id NOT IN (SELECT value FROM json_each(?))';
const nothingWanted: FetchedFile = { ok: false, reason: 'Nothing waits for it.' };

function withFile(message: AcceptedMessage, file: FileFacts): AcceptedMessage {
  const { fileUrl: _, content, ...rest } = message;
  if (!isFileContent(content)) return message;
  const { status: __, fileName = file.fileName, ...media } = content.media;
  const name = content.type === 'document' && fileName !== undefined ? { fileName } : {};
  const { fileName: ___, ...facts } = file;
  return { ...rest, content: { ...content, media: { ...media, ...facts, ...name } } };
}

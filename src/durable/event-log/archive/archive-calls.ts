import { withinDeadline } from '../../deadline.ts';
import type { StoredEvent } from '../events/event-rows.ts';
import type { StoredMessage } from '../messages/logged-message.ts';
import type { ArchivedMessagesQuery, PastQuery, PastRow } from './archived-lines.ts';

/**
 * The part of the archive that a stateless entrypoint of the Worker does: it compresses, writes and reads segments, which
 * would take the log's own time and memory. Reading returns null if there is no such object in R2.
 */
export interface ArchiveCalls {
  /** Writes a segment, also over one of the same name; its bytes. */
  put(key: string, lines: string): Promise<number>;
  /** Adds lines of messages to a segment; those that it has already are replaced. Its bytes. */
  addMessages(key: string, lines: string): Promise<number>;
  /** Adds lines to the pasts of conversations; rows that they have already are replaced. One that was erased stays so. */
  addPasts(pasts: readonly { key: string; lines: string }[]): Promise<void>;
  /** Events behind `after`, oldest first, at most `limit` and about a megabyte. */
  events(key: string, after: number, limit: number): Promise<StoredEvent[] | null>;
  /** Messages that match, newest first unless the query goes upwards. */
  messages(key: string, query: ArchivedMessagesQuery): Promise<StoredMessage[] | null>;
  /** Rows of a conversation's past, newest first; above a place oldest first. */
  past(key: string, query: PastQuery): Promise<PastRow[] | null>;
}

/** A call that takes longer counts as failed. It may still write what it was given: then it is written twice. */
export const callMsMax = 60_000;

/** What a call answers, unless it takes too long. */
export const inTime = <Answer>(call: Promise<Answer>): Promise<Answer> => withinDeadline(call, callMsMax);

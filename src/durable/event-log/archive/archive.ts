import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import type { MessageWords } from '../messages/message-words.ts';
import type { ArchiveCalls } from './archive-calls.ts';
import { ArchiveReader } from './archive-reader.ts';
import { ArchiveSweep } from './archive-sweep.ts';
import { ArchivedEvents } from './archived-events.ts';
import { ArchivedMessages } from './archived-messages.ts';
import { KeptEvents } from './kept-events.ts';
import { RetentionSetting } from './retention-setting.ts';
import { Segments } from './segments/segments.ts';

interface ArchiveNeeds {
  storage: DurableObjectStorage;
  d1: D1Database;
  accountId: string;
  state: LogState;
  events: EventRows;
  words: MessageWords;
  calls: ArchiveCalls;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/** The archive of a log: what moves to R2, and how it is read there. */
export function assembleArchive(needs: ArchiveNeeds) {
  const { storage, d1, accountId, state, events, words, calls, reload } = needs;
  const { sql } = storage;
  const segments = new Segments(sql);
  const setting = new RetentionSetting(state, d1, accountId);
  const retention = () => setting.value;
  const rows = {
    events: new ArchivedEvents(sql, events, state, accountId),
    messages: new ArchivedMessages(sql, words, segments, accountId),
  };
  const archive = new ArchiveReader(segments, calls, retention);
  return {
    archive,
    segments,
    archiveSweep: new ArchiveSweep({ storage, state, segments, rows, calls, retention, reload }),
    /** Events as the outside may ask for them, archived or not. */
    keptEvents: new KeptEvents(events, archive),
    retention: setting,
  };
}

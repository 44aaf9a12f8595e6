import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import type { MessageWords } from '../messages/message-words.ts';
import type { ArchiveCalls } from './archive-calls.ts';
import { ArchiveReader, KeptEvents } from './archive-reader.ts';
import { ArchiveSweep } from './archive-sweep.ts';
import { ArchivedPasts, PastReader } from './archived-pasts.ts';
import { ArchivedEvents, ArchivedMessages } from './archived-rows.ts';
import { ConversationArchive, type ConversationArchiveParts } from './conversation-archive.ts';
import { FillNotice, Fullness } from './fullness.ts';
import { AwaitedReceipts } from './late-receipts.ts';
import { RetentionSetting } from './retention.ts';
import { Segments } from './segments.ts';

interface ArchiveNeeds {
  storage: DurableObjectStorage;
  d1: D1Database;
  accountId: string;
  state: LogState;
  events: EventRows;
  words: MessageWords;
  calls: ArchiveCalls;
  talk: Pick<ConversationArchiveParts, 'rows' | 'archived' | 'merging'>;
  commit: ConversationArchiveParts['commit'];
  /** The operator hears how large the log is; null: no more than it may be. */
  tellBytes: (bytes: number | null) => Promise<void>;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/** The archive of a log: what moves to R2, and how it is read there. */
export function assembleArchive(needs: ArchiveNeeds) {
  const { storage, d1, accountId, state, events, words, calls, talk, commit, tellBytes, reload } = needs;
  const { sql } = storage;
  const segments = new Segments(sql);
  const setting = new RetentionSetting(state, d1, accountId);
  const retention = () => setting.value;
  const fullness = new Fullness(sql, state);
  const awaitedReceipts = new AwaitedReceipts(sql, retention);
  const rows = {
    events: new ArchivedEvents(sql, events, state, accountId),
    messages: new ArchivedMessages({ sql, words, segments, awaitedReceipts, accountId }),
  };
  const archive = new ArchiveReader(segments, calls, retention);
  const pasts = new ArchivedPasts(storage, calls, accountId);
  const { rows: talkRows, archived, merging } = talk;
  const conversations = new ConversationArchive({
    storage,
    rows: talkRows,
    archived,
    merging,
    pasts,
    calls,
    commit,
  });
  return {
    archive,
    pasts,
    conversationArchive: conversations,
    pastReader: new PastReader(pasts, calls),
    segments,
    archiveSweep: new ArchiveSweep({
      storage,
      state,
      segments,
      fullness,
      rows,
      pasts,
      conversations,
      calls,
      retention,
      reload,
    }),
    awaitedReceipts,
    fillNotice: new FillNotice(accountId, state, fullness, tellBytes),
    /** Events as the outside may ask for them, archived or not. */
    keptEvents: new KeptEvents(events, archive),
    retention: setting,
  };
}

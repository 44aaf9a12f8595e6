import type { Fact, OutboundRecord } from '../event-log/facts.ts';
import type { EarlierCursors } from '../event-log/feed/stream-start.ts';
import { LogState } from '../event-log/log-state.ts';
import { type AcceptedMessage, extrasOf } from '../hand-over/message-batch.ts';

/*
 * What is true of an object that was restored and was not when it was copied. The gateway that the copy was taken of may have
 * gone on: what waited then may have been sent since.
 */

type Storage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

export interface Settling {
  /** Milliseconds since 1970. */
  now: number;
  /** The gateway that was copied has sent nothing since: what waited goes on. */
  goesOn: boolean;
}

/** Above every epoch that the gateway which was copied may have given out since: bridges of its leases only report. */
const epochsAhead = 1_000_000;
const unknownOutcome =
  'It waited when the backup was made from which the gateway was restored: whether it has left since is not known.';

/** The keys with which messages were encrypted last. New ones are made with each recipient, so that none serves twice. */
const spentKeys = ['session/*', 'sender-key/*', 'sender-key-memory/*'];

/** Answers the messages that it still has. */
export function settleNumber(storage: Storage, { now, goesOn }: Settling): string[] {
  return storage.transactionSync(() => {
    storage.sql.exec(
      `UPDATE device SET json = json_remove(json_set(json,
         '$.epoch', json_extract(json, '$.epoch') + ${epochsAhead}, '$.linkLostAt', iif(json_extract(json, '$.desired') = 'none', NULL, ?)), '$.bridgeId')`,
      now,
    );
    for (const keys of spentKeys) storage.sql.exec('DELETE FROM vault WHERE key GLOB ?', keys);
    // As if a bridge that is gone had been given them, and over their time: the number then says that nobody knows.
    if (!goesOn)
      storage.sql.exec(
        `UPDATE queue SET handed_to = coalesce(handed_to, 'before the restore'), handed_at = coalesce(handed_at, ?1),
           message = json_set(message, '$.expiresAt', ?1)`,
        now,
      );
    return storage.sql
      .exec<{ message_id: string }>('SELECT message_id FROM queue')
      .toArray()
      .map(({ message_id }) => message_id);
  });
}

type LogRow = {
  message_id: string;
  number_id: string;
  own_phone: string | null;
  peer: string;
  chat_type: OutboundRecord['chatType'];
  content: string;
  sender_source: OutboundRecord['senderSource'];
  queued_at: number;
};

/**
 * Answers the messages that are under way as far as the log knows. Words of messages are indexed anew, in the background.
 * Events that come from here on have sequences that the gateway which was copied has used for others: so they have cursors of
 * their own.
 */
export function settleLog(storage: Storage): OutboundRecord[] {
  return storage.transactionSync(() => {
    renewCursors(storage);
    storage.sql.exec(
      "DELETE FROM log_state WHERE name IN ('words.indexedUpTo', 'terms.indexedUpTo', 'terms.formerUpTo')",
    );
    for (const { name } of storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE name GLOB 'message_terms_??????' OR name GLOB 'message_words_??????'",
      )
      .toArray())
      storage.sql.exec(`DROP TABLE ${name}`);
    return storage.sql
      .exec<LogRow>("SELECT * FROM messages WHERE direction = 'outbound' AND status = 'queued'")
      .toArray()
      .map((row) => ({
        messageId: row.message_id,
        numberId: row.number_id,
        from: row.own_phone,
        to: row.peer,
        chatType: row.chat_type,
        content: JSON.parse(row.content),
        senderSource: row.sender_source,
        queuedAt: row.queued_at,
      }));
  });
}

function renewCursors({ sql }: Storage): void {
  const state = new LogState(sql);
  const last = sql
    .exec<{ head: number }>(
      'SELECT first_seq + count - 1 AS head FROM events ORDER BY first_seq DESC LIMIT 1',
    )
    .toArray()[0];
  const upTo = last?.head ?? state.get<{ seq: number }>('events.head')?.seq ?? 0;
  const before = state.get<EarlierCursors[]>('earlierCursors') ?? [];
  state.put('earlierCursors', [...before, { generation: state.cursorGeneration(), upTo }]);
  state.put('cursorGeneration', crypto.randomUUID().slice(0, 8));
}

/**
 * `underWay`: what the log knows as such. `atNumbers`: the messages that the account's numbers have. What is neither there nor
 * here was accepted or handed back while the copy was made: the log is told that nobody knows what became of it, and so it is
 * told of what waits here.
 */
export function settleAccount(
  storage: Storage,
  { now, goesOn, underWay, atNumbers }: Settling & { underWay: OutboundRecord[]; atNumbers: string[] },
): void {
  storage.transactionSync(() => {
    const rows = storage.sql
      .exec<{
        number_id: string;
        kind: string;
        message_id: string;
        not_before: number | null;
        message: string;
      }>('SELECT number_id, kind, message_id, not_before, message FROM accepted')
      .toArray();
    const isToCome = ({ kind, not_before }: (typeof rows)[number]) =>
      kind === 'later' && not_before !== null && not_before > now && not_before < Number.MAX_SAFE_INTEGER;
    const ended = goesOn ? [] : rows.filter((row) => !isToCome(row));
    const held = new Set([...atNumbers, ...rows.map(({ message_id }) => message_id)]);
    const lost = underWay.filter(({ messageId }) => !held.has(messageId));
    const ends = [...ended.map((row) => recordOf(JSON.parse(row.message), row.number_id)), ...lost];
    let { seq } = storage.sql
      .exec<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM log_outbox')
      .one();
    for (const message of ends) {
      seq += 1;
      const facts: Fact[] = [
        {
          kind: 'message.failed',
          message,
          at: now,
          errorMessage: unknownOutcome,
          errorCode: 'unknown_outcome',
        },
      ];
      storage.sql.exec('INSERT INTO log_outbox (seq, facts) VALUES (?, ?)', seq, JSON.stringify(facts));
    }
    if (goesOn) return;
    for (const { number_id, kind, message_id } of ended)
      storage.sql.exec(
        'DELETE FROM accepted WHERE number_id = ? AND kind = ? AND message_id = ?',
        ...[number_id, kind, message_id],
      );
    storage.sql.exec('DELETE FROM file_fetches WHERE message_id NOT IN (SELECT message_id FROM accepted)');
    storage.sql.exec(
      `UPDATE senders SET batch = NULL, backlog =
         (SELECT count(*) FROM accepted WHERE accepted.number_id = senders.number_id AND kind <> 'later')`,
    );
  });
}

function recordOf(message: AcceptedMessage, numberId: string): OutboundRecord {
  const { messageId, to, chatType, content, senderSource, queuedAt } = message;
  return {
    ...{ messageId, numberId, from: null, to, chatType, content, senderSource, queuedAt },
    ...extrasOf(message),
  };
}

/** No bridge has any number, and those of the gateway that was copied get none under an epoch that they know. */
export function settleFleet(storage: Storage, { now }: Settling): void {
  storage.transactionSync(() => {
    storage.sql.exec(
      `UPDATE leases SET bridge_id = NULL, epoch = epoch + ${epochsAhead}, free_at = NULL,
         waits_since = iif(wanted = 1, ?, NULL)`,
      now,
    );
    storage.sql.exec('DELETE FROM bridges');
    storage.sql.exec('DELETE FROM bridge_losses');
  });
}

/** A campaign that ran may have gone on: a person decides whether it does here. */
export function settleCampaign(storage: Storage, { goesOn }: Settling): void {
  if (goesOn) return;
  storage.transactionSync(() =>
    storage.sql.exec(
      `UPDATE progress SET json = json_set(json, '$.status', 'paused', '$.reason', 'by_person', '$.hold', json('null'),
         '$.mustWithdraw', json('true'), '$.withdrawnUpTo', json('null')) WHERE json_extract(json, '$.status') = 'running'`,
    ),
  );
}

/** Its pieces are in the index as they were written, and are indexed by their terms in the background. */
export function settleKnowledge(storage: Storage): void {
  storage.transactionSync(() => storage.sql.exec('UPDATE chunks SET form = 0'));
}

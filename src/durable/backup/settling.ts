import { minuteMs } from '../../contract/times.ts';
import { type Fact, type OutboundRecord, outboundRecord } from '../event-log/facts.ts';
import type { EarlierCursors } from '../event-log/feed/cursor.ts';
import { LogState } from '../event-log/log-state.ts';
import { answerMs } from '../event-log/support/surveys/surveys.ts';
import type { AcceptedMessage } from '../hand-over/message-batch.ts';

/*
 * Adjusts an object that was restored from a copy. The gateway of the copy may have continued, so what was waiting then may
 * have been sent since.
 */

type Storage = Pick<DurableObjectStorage, 'sql' | 'transactionSync'>;

export interface Settling {
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

/** What a number or an account has of the messages that are under way, as it was copied. */
export interface HeldMessages {
  messageIds: string[];
  /** Of a number: the last batch of its account that it has taken. */
  takenUpTo: number;
}

export function heldByNumber({ sql }: Storage): HeldMessages {
  const state = sql
    .exec<{ json: string }>("SELECT json FROM number_state WHERE name = 'batches'")
    .toArray()[0];
  const { takenUpTo } = state === undefined ? { takenUpTo: 0 } : (JSON.parse(state.json) as HeldMessages);
  return { messageIds: idsOf(sql.exec<IdRow>('SELECT message_id FROM queue')), takenUpTo };
}

export const heldByAccount = ({ sql }: Storage): HeldMessages => ({
  messageIds: idsOf(sql.exec<IdRow>('SELECT message_id FROM accepted')),
  takenUpTo: 0,
});

type IdRow = { message_id: string };
const idsOf = (rows: Iterable<IdRow>) => [...rows].map(({ message_id }) => message_id);

/** `past`: the log, which was copied later, knows already what became of them. */
export function settleNumber(storage: Storage, { now, goesOn, past }: Settling & { past: string[] }): void {
  storage.transactionSync(() => {
    storage.sql.exec(
      `UPDATE device SET json = json_remove(json_set(json,
         '$.epoch', json_extract(json, '$.epoch') + ${epochsAhead},
         '$.linkLostAt', iif(json_extract(json, '$.desired') = 'none', NULL, ?)), '$.bridgeId')`,
      now,
    );
    for (const keys of spentKeys) storage.sql.exec('DELETE FROM vault WHERE key GLOB ?', keys);
    for (const id of past) storage.sql.exec('DELETE FROM queue WHERE message_id = ?', id);
    if (goesOn) return;
    // As if a bridge that is gone had been given them, and over their time: the number then says that nobody knows.
    storage.sql.exec(
      `UPDATE queue SET handed_to = coalesce(handed_to, 'before the restore'), handed_at = coalesce(handed_at, ?1),
         message = json_set(message, '$.expiresAt', ?1)`,
      now,
    );
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

/** Bound values are not to be larger than a row. */
const idsAtOnce = 20_000;

export interface KnownToLog {
  /** They are under way, as far as the log knows. */
  underWay: OutboundRecord[];
  /** Of the messages that were asked about, those that are not any more. */
  past: string[];
}

/**
 * Returns what the log knows about the messages in progress. Words of messages are indexed again, in the background. New
 * events get sequences that the old gateway may have used for other events, so they get cursors of their own.
 */
export function settleLog(storage: Storage, held: readonly string[], { now, goesOn }: Settling): KnownToLog {
  return storage.transactionSync(() => {
    const upTo = renewCursors(storage);
    if (!goesOn) endAutomaticReplies(storage, upTo, now);
    storage.sql.exec("DELETE FROM log_state WHERE name = 'terms.indexedUpTo'");
    for (const name of tablesLike(storage.sql, 'message_terms_??????'))
      storage.sql.exec(`DROP TABLE ${name}`);
    const past: string[] = [];
    for (let start = 0; start < held.length; start += idsAtOnce)
      past.push(
        ...idsOf(
          storage.sql.exec<IdRow>(
            `SELECT message_id FROM messages WHERE direction = 'outbound' AND status <> 'queued'
               AND message_id IN (SELECT value FROM json_each(?))`,
            JSON.stringify(held.slice(start, start + idsAtOnce)),
          ),
        ),
      );
    const underWay = storage.sql
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
    return { underWay, past };
  });
}

const tablesLike = (sql: SqlStorage, pattern: string): string[] =>
  sql
    .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB ?", pattern)
    .toArray()
    .map(({ name }) => name);

/** Returns the last event that the copy has. */
function renewCursors({ sql }: Storage): number {
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
  return upTo;
}

/**
 * What rules, assistants and surveys were about to say may have been said since. So rules answer nothing that came before,
 * nor a wait that has lasted long enough since; what is to be said later stays.
 */
function endAutomaticReplies({ sql }: Storage, upTo: number, now: number): void {
  new LogState(sql).put('automations.position', upTo);
  sql.exec('DELETE FROM automation_causes');
  // A log of release 0.1 has no such table.
  if (tablesLike(sql, 'late_waits').length > 0) sql.exec('DELETE FROM late_waits');
  sql.exec(
    `UPDATE automation_rules
     SET waited_to = max(waited_to, coalesce(? - json_extract(definition, '$.waitingMinutes') * ?, waited_to))`,
    ...[now, minuteMs],
  );
  // As if nobody had begun it in time: the rule then says so of its run.
  sql.exec(
    `UPDATE automation_actions SET due_at = 0, attempts = 0
     WHERE due_at <= ? AND json_extract(action, '$.kind') = 'reply'`,
    now,
  );
  sql.exec(
    `UPDATE assistant_turns SET state = iif(ends_as = 'handed_off', 'handed_off', 'dropped'), reason = coalesce(reason, 'not_sent'),
       ring_at = NULL, lease = NULL, ended_at = ? WHERE ring_at IS NOT NULL`,
    now,
  );
  // An answer is still read.
  sql.exec('UPDATE surveys SET due_at = NULL, ends_at = ? WHERE due_at <= ?', now + answerMs, now);
}

export interface AccountSettling extends Settling, KnownToLog {
  /** What each number of the account has, by its id. */
  numbers: Record<string, HeldMessages>;
}

/**
 * An account is copied before its numbers, and numbers before the log. So a message that the account had may be at a number by
 * then, or done. Then the account drops it, and it uses no batch number again. A message that nobody has was accepted or
 * returned while the copy was made: the log is told that its outcome is unknown. It is told the same of messages that wait
 * here.
 */
export function settleAccount(
  storage: Storage,
  { now, goesOn, underWay, past, numbers }: AccountSettling,
): void {
  storage.transactionSync(() => {
    const gone = new Set([...past, ...Object.values(numbers).flatMap(({ messageIds }) => messageIds)]);
    const rows = storage.sql
      .exec<AcceptedRow>('SELECT number_id, kind, message_id, not_before, message FROM accepted')
      .toArray();
    const waiting = rows.filter(({ message_id }) => !gone.has(message_id));
    const ended = goesOn ? [] : waiting.filter((row) => !isToCome(row, now));
    const held = new Set([...gone, ...waiting.map(({ message_id }) => message_id)]);
    const lost = underWay.filter(({ messageId }) => !held.has(messageId));
    failAll(storage, [...ended.map((row) => recordOf(JSON.parse(row.message), row.number_id)), ...lost], now);
    for (const row of [...rows.filter(({ message_id }) => gone.has(message_id)), ...ended])
      storage.sql.exec(
        'DELETE FROM accepted WHERE number_id = ? AND kind = ? AND message_id = ?',
        ...[row.number_id, row.kind, row.message_id],
      );
    storage.sql.exec('DELETE FROM file_fetches WHERE message_id NOT IN (SELECT message_id FROM accepted)');
    for (const [numberId, { takenUpTo }] of Object.entries(numbers))
      storage.sql.exec(
        `UPDATE senders SET batch = iif(batch_number > ?2, batch, NULL), batch_number = max(batch_number, ?2)
         WHERE number_id = ?1`,
        ...[numberId, takenUpTo],
      );
    if (!goesOn) storage.sql.exec('UPDATE senders SET batch = NULL');
    storage.sql.exec(
      `UPDATE senders SET backlog =
         (SELECT count(*) FROM accepted WHERE accepted.number_id = senders.number_id AND kind <> 'later')`,
    );
  });
}

type AcceptedRow = {
  number_id: string;
  kind: string;
  message_id: string;
  not_before: number | null;
  message: string;
};

/** It was not to leave yet, whoever had it. One that waits for its file has no time. */
const isToCome = ({ kind, not_before }: AcceptedRow, now: number): boolean =>
  kind === 'later' && not_before !== null && not_before > now && not_before < Number.MAX_SAFE_INTEGER;

function failAll({ sql }: Storage, messages: readonly OutboundRecord[], at: number): void {
  let { seq } = sql.exec<{ seq: number }>('SELECT coalesce(max(seq), 0) AS seq FROM log_outbox').one();
  for (const message of messages) {
    seq += 1;
    const failed = { kind: 'message.failed', message, at, errorMessage: unknownOutcome } as const;
    const facts: Fact[] = [{ ...failed, errorCode: 'unknown_outcome' }];
    sql.exec('INSERT INTO log_outbox (seq, facts) VALUES (?, ?)', seq, JSON.stringify(facts));
  }
}

const recordOf = (message: AcceptedMessage, numberId: string): OutboundRecord =>
  outboundRecord(message, { numberId, phoneNumber: null });

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

/**
 * A campaign that ran may have gone on, and one whose time has come may have begun: a person decides whether it does here. Whom
 * the account was being asked about may have their message: a batch that is as old as that is asked about no more.
 */
export function settleCampaign(storage: Storage, { now, goesOn }: Settling): void {
  if (goesOn) return;
  storage.transactionSync(() => {
    storage.sql.exec(
      `UPDATE progress SET json = json_set(json, '$.status', 'paused', '$.reason', 'by_person', '$.hold', json('null'),
         '$.mustWithdraw', json('true'), '$.withdrawnUpTo', json('null')) WHERE json_extract(json, '$.status') = 'running'`,
    );
    // As where a person takes back what was planned.
    storage.sql.exec(
      `UPDATE progress SET json = json_set(json, '$.status', 'draft') WHERE json_extract(json, '$.status') = 'scheduled'
         AND (SELECT json_extract(definition.json, '$.startAt') FROM definition) <= ?`,
      now,
    );
    storage.sql.exec(
      `UPDATE progress SET json = json_set(json, '$.batch.at', 0) WHERE json_extract(json, '$.batch') IS NOT NULL`,
    );
  });
}

/** Its pieces are in the index as they were written, and are indexed by their terms in the background. */
export function settleKnowledge(storage: Storage): void {
  storage.transactionSync(() => storage.sql.exec('UPDATE chunks SET form = 0'));
}

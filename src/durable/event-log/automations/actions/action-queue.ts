import { clockSlackMs } from '../../../due-times.ts';
import { log } from '../../../log.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../../storage/rows.ts';
import type { RuleSet } from '../rule-set.ts';
import type { ActionOutcome, RunRows } from '../runs/run-rows.ts';
import type { ActionOrder, ActionReport, OuterAction } from './planned.ts';

/** An action that waits. Times are milliseconds since 1970. */
interface WaitingAction {
  dueAt: number;
  runId: string;
  index: number;
  automationId: string;
  /** Since when it waits. */
  plannedAt: number;
  /** So many were made. */
  attempts: number;
  action: OuterAction;
}

type SameInRow = Omit<WaitingAction, 'index'>;
type Row = RowOf<SameInRow> & { action_index: number };

const waitingOf = ({ action_index: index, ...row }: Row): WaitingAction => ({
  ...fieldsOf<SameInRow>(row, ['action']),
  index,
});

/** Actions that are to be carried out outside of the log, a row each until that is settled. */
export class ActionRows extends Tables {
  /** Call inside the transaction of the run. */
  insert({ index, ...fields }: WaitingAction): void {
    insertRow(this.sql, 'INSERT INTO automation_actions', {
      ...rowOf<SameInRow>(fields),
      action_index: index,
    });
  }

  delete({ dueAt, runId, index }: WaitingAction): void {
    this.sql.exec(
      'DELETE FROM automation_actions WHERE due_at = ? AND run_id = ? AND action_index = ?',
      ...[dueAt, runId, index],
    );
  }

  /** Those of a kind that are due, the longest due first. */
  due(kind: OuterAction['kind'], now: number, limit: number): WaitingAction[] {
    return this.queryAll<Row>(
      `SELECT * FROM automation_actions WHERE due_at <= ? AND action ->> 'kind' = ?
       ORDER BY due_at, run_id, action_index LIMIT ?`,
      ...[now, kind, limit],
    ).map(waitingOf);
  }

  /** What waits since a time to come waits from now on, for as long as it was meant to: the clock was set back since. */
  endWaitsOfOtherClock(now: number): void {
    this.sql.exec(
      `UPDATE automation_actions SET due_at = ?1 + due_at - planned_at, planned_at = ?1
       WHERE due_at > ?1 AND planned_at > ?1 + ?2`,
      ...[now, clockSlackMs],
    );
  }

  /** As it was handed over; null: it is settled, or was put off. */
  find({ dueAt, runId, index }: Pick<WaitingAction, 'dueAt' | 'runId' | 'index'>): WaitingAction | null {
    const query = 'SELECT * FROM automation_actions WHERE due_at = ? AND run_id = ? AND action_index = ?';
    return this.queryAll<Row>(query, dueAt, runId, index).map(waitingOf)[0] ?? null;
  }

  /** All that wait of these runs. Looks at every row: for what is rare. */
  ofRuns(runIds: readonly string[]): WaitingAction[] {
    return this.queryAll<Row>(
      'SELECT * FROM automation_actions WHERE run_id IN (SELECT value FROM json_each(?)) ORDER BY action_index',
      JSON.stringify(runIds),
    ).map(waitingOf);
  }

  nextDueAt(): number | null {
    return this.queryValue<number>('SELECT min(due_at) FROM automation_actions');
  }
}

/** So long whoever has taken an action has time for it; after that it is handed out again. */
const leaseMs = 60_000;
/** Callbacks that are under way at a time: a receiver may take ten seconds for each. */
const callbacksMax = 6;
/** An action that nobody could begin for so long is no answer any more. */
const lateMs = 3_600_000;

/** What became of an action that was handed out. */
export interface SettledAction {
  order: Pick<ActionOrder, 'automationId' | 'runId' | 'index' | 'dueAt'>;
  report: ActionReport;
}

interface Parts {
  storage: DurableObjectStorage;
  rules: RuleSet;
  runs: RunRows;
  rows: ActionRows;
  /** Whether a person has written to this chat since a time. */
  hasAnswered: (chat: { numberId: string; to: string }, since: number) => boolean;
}

const keyOf = ({ runId, index }: Pick<WaitingAction, 'runId' | 'index'>) => `${runId} ${index}`;

/**
 * Hands out the actions of rules that are done outside of the log, and takes their results. If a consumer takes an action and
 * dies, the action is handed out again under the same ids, so that a repeated message or callback is recognised.
 */
export class ActionQueue {
  readonly #parts: Parts;
  /** Who has what, until when; in memory: after a new start it is handed out again. */
  readonly #leases = new Map<string, { kind: OuterAction['kind']; until: number }>();
  #nextDueAt: number | null | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the next action is due; null: none waits. */
  nextDueAt(): number | null {
    if (this.#nextDueAt === undefined) this.#nextDueAt = this.#parts.rows.nextDueAt();
    return this.#nextDueAt;
  }

  /** Actions were planned, or a transaction was rolled back. */
  reload(): void {
    this.#nextDueAt = undefined;
  }

  clockWentBack(now: number): void {
    this.#leases.clear();
    this.#parts.rows.endWaitsOfOtherClock(now);
    this.reload();
  }

  /**
   * Hands out actions that are due, the longest due first; of one run one reply after the other. Replies come before callbacks:
   * a receiver that hangs holds up none of them.
   */
  lease(limit: number, now: number): ActionOrder[] {
    for (const [key, { until }] of this.#leases) if (until <= now) this.#leases.delete(key);
    const callbacks = [...this.#leases.values()].filter(({ kind }) => kind === 'call_webhook').length;
    const replies = this.#leaseOf('reply', limit, now);
    const room = Math.min(limit - replies.length, callbacksMax - callbacks);
    return [...replies, ...this.#leaseOf('call_webhook', room, now)];
  }

  #leaseOf(kind: OuterAction['kind'], limit: number, now: number): ActionOrder[] {
    const orders: ActionOrder[] = [];
    if (limit <= 0) return orders;
    const busyRuns = new Set<string>();
    for (const waiting of this.#parts.rows.due(kind, now, limit + this.#leases.size)) {
      if (kind === 'reply' && busyRuns.has(waiting.runId)) continue;
      busyRuns.add(waiting.runId);
      if (this.#leases.has(keyOf(waiting)) || orders.length === limit) continue;
      const order = this.#orderOf(waiting, now);
      if (order === null) continue;
      this.#leases.set(keyOf(waiting), { kind, until: now + leaseMs });
      orders.push(order);
    }
    return orders;
  }

  /** Takes what came of actions. To repeat it changes nothing. */
  settle(settled: readonly SettledAction[], now: number): void {
    for (const { order, report } of settled) {
      this.#leases.delete(keyOf(order));
      const waiting = this.#parts.rows.find(order);
      if (waiting === null) continue;
      if (report.kind === 'again') this.#putOff(waiting, report, now);
      else this.#end(waiting, outcomeOf(waiting, report));
    }
  }

  /** Whom these runs were for was erased: what still waits is not carried out. Call inside a transaction. */
  drop(runIds: readonly string[]): void {
    for (const waiting of this.#parts.rows.ofRuns(runIds)) {
      this.#end(waiting, { type: waiting.action.kind, state: 'skipped', reason: 'unknown' });
    }
  }

  /** The order for an action, or null where there is nothing left to do: then it is settled. */
  #orderOf(waiting: WaitingAction, now: number): ActionOrder | null {
    const { automationId, runId, index, dueAt, attempts, action } = waiting;
    const type = action.kind;
    const rule = this.#parts.rules.find(automationId);
    const drop = (reason: NonNullable<ActionOutcome['reason']>) => {
      this.#end(waiting, { type, state: 'skipped', reason });
      return null;
    };
    if (rule === null || !rule.enabled) return drop('switched_off');
    if (attempts === 0 && dueAt < now - lateMs) return drop('expired');
    if (action.kind === 'reply') {
      if (action.isDelayed && this.#parts.hasAnswered(action, action.since)) return drop('answered');
      return { automationId, runId, index, dueAt, attempt: attempts + 1, action };
    }
    const { sealedSecret, previousSealedSecret, previousSecretUntil } = rule;
    const target = {
      id: automationId,
      url: action.url,
      sealedSecret,
      previousSealedSecret,
      previousSecretUntil,
    };
    return { automationId, runId, index, dueAt, attempt: attempts + 1, action, target };
  }

  #putOff(
    waiting: WaitingAction,
    { afterSeconds, reason, words }: Extract<ActionReport, { kind: 'again' }>,
    now: number,
  ) {
    const { storage, rows, runs } = this.#parts;
    const { automationId, runId, index, action } = waiting;
    const dueAt = now + afterSeconds * 1000;
    storage.transactionSync(() => {
      // What follows it in the same run waits with it, so that replies come in their order.
      const later =
        action.kind !== 'reply'
          ? []
          : rows.ofRuns([runId]).filter((one) => one.index > index && one.dueAt < dueAt);
      for (const one of [waiting, ...later.filter((other) => other.action.kind === 'reply')]) {
        rows.delete(one);
        const attempts = one === waiting ? one.attempts + 1 : one.attempts;
        rows.insert({ ...one, dueAt, plannedAt: now, attempts });
      }
      runs.noteAction(automationId, runId, index, { type: action.kind, state: 'pending', reason, words });
    });
    this.reload();
  }

  #end(waiting: WaitingAction, outcome: ActionOutcome): void {
    const { storage, rows, runs } = this.#parts;
    const { automationId, runId, index, attempts } = waiting;
    storage.transactionSync(() => {
      rows.delete(waiting);
      runs.noteAction(automationId, runId, index, outcome);
    });
    this.reload();
    const { type, state, reason, messageId } = outcome;
    log('automation.action_ended', {
      automationId,
      runId,
      type,
      state,
      reason,
      messageId,
      attempts: attempts + 1,
    });
  }
}

function outcomeOf(
  { action }: WaitingAction,
  report: Exclude<ActionReport, { kind: 'again' }>,
): ActionOutcome {
  const type = action.kind;
  if (report.kind === 'failed') {
    return { type, state: 'failed', reason: report.reason, words: report.words };
  }
  const { messageId } = report;
  return { type, state: 'done', ...(messageId !== undefined && { messageId }) };
}

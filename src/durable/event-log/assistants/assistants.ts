import { settingsOf } from '../../../settings/worker-settings.ts';
import { LongCalls } from '../../hand-over/long-calls.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import { KnownAssistants, loadAssistants } from './known-assistants.ts';
import { DayCounts } from './reports/day-counts.ts';
import { InstructionVersions } from './reports/instruction-versions.ts';
import { RunList, RunUpkeep } from './reports/run-list.ts';
import type { Memories } from './turns/context-messages.ts';
import type { LogConversations } from './turns/log-conversations.ts';
import { Participation } from './turns/participation.ts';
import type { TurnSummary } from './turns/turn-orders.ts';
import { TurnRows, turnWaitMsMax } from './turns/turn-rows.ts';
import { Turns } from './turns/turns.ts';

export interface AssistantsTies {
  ctx: DurableObjectState;
  env: Env;
  accountId: string;
  state: LogState;
  conversations: LogConversations;
  memories: Memories;
  events: EventRows;
  /** Whether somebody is there for a number now; null: nobody has said when. */
  isOpen: (numberId: string, at: number) => boolean | null;
  graceMs: number;
  /** After each commit: what is in memory of the log goes where it has to. */
  committed: () => void;
  reload: () => void;
}

/** Turns of one account that are under way: more than a few people do not wait for each other, and no model gets too many. */
const turnsAtOnceMax = 12;

/** The assistants of one account, as its log has to do with them: whose turn it is, and what came of each. */
export class Assistants {
  readonly #ties: AssistantsTies;
  readonly #rows: TurnRows;
  readonly turns: Turns;
  readonly #memories: Memories;
  readonly known: KnownAssistants;
  readonly days: DayCounts;
  readonly versions: InstructionVersions;
  readonly runs: RunList;
  readonly #upkeep: RunUpkeep;
  readonly #calls: LongCalls<string>;
  /** What brings turns about, and ends them: for the transactions of others. */
  readonly participation: Participation;

  constructor(ties: AssistantsTies) {
    const { ctx, env, accountId, state, conversations, isOpen, memories, graceMs } = ties;
    const { sql } = ctx.storage;
    this.#ties = ties;
    this.known = new KnownAssistants(state);
    this.#memories = memories;
    this.days = new DayCounts(sql);
    this.versions = new InstructionVersions(sql);
    this.runs = new RunList(sql);
    this.#upkeep = new RunUpkeep(sql, this.versions);
    const { known, days, versions } = this;
    // Beyond the time for the answer there is what is asked before it, and what is told after it.
    const leaseMs = 2 * settingsOf(env).ASSISTANT_ANSWER_SECONDS * 1000;
    this.#rows = new TurnRows(sql, Math.max(leaseMs, graceMs, turnWaitMsMax));
    this.#calls = new LongCalls({
      name: 'turns under way',
      waitUntil: (work) => ctx.waitUntil(work),
      call: (turnId) => ctx.exports.TurnRunner.run(accountId, turnId),
      atOnceMax: turnsAtOnceMax,
      callMsMax: leaseMs,
      freed: () => ties.committed(),
    });
    const shared = {
      rows: this.#rows,
      memories: this.#memories,
      days,
      versions,
      known,
      conversations,
      leaseMs,
      sendingMs: graceMs,
    };
    this.turns = new Turns(shared);
    this.participation = new Participation({ ...shared, turns: this.turns, isOpen });
  }

  get timers(): NamedTimer[] {
    return [
      {
        name: 'assistants',
        dueAt: () => (this.#calls.room > 0 ? this.#rows.nextRingAt(Date.now()) : null),
        run: (now) => this.#begin(now),
      },
      this.#calls.timer,
      this.#upkeep.timer,
    ];
  }

  async refresh(): Promise<void> {
    const { env, accountId } = this.#ties;
    const read = await loadAssistants(env.DB, accountId);
    if (read !== null) this.known.replace(read);
  }

  noteSummary({ conversationId, assistantId, summary, summarisedTo, tokens, cost }: TurnSummary): void {
    this.change((now) => {
      this.days.add(assistantId, now, { tokens, cost: cost ?? 0 });
      const memory = this.#memories.findOf(conversationId, assistantId);
      // Resolved, begun anew or taken over by another assistant meanwhile, or somebody else was quicker.
      if (memory === null || summarisedTo < memory.since || summarisedTo <= (memory.summarisedTo ?? 0))
        return;
      const used = memory.tokens + tokens.input + tokens.output;
      this.#memories.put({ ...memory, tokens: used, summary, summarisedTo });
    });
  }

  /** After a rollback: what is stored is true, what is in memory is not. */
  reload(): void {
    this.#rows.reload();
    this.#upkeep.reload();
    this.known.reload();
    this.#ties.conversations.reload();
  }

  /** Makes a change in one transaction with its events. */
  change<Result>(work: (now: number) => Result): Result {
    const { ctx, committed, reload, events, conversations } = this.#ties;
    const now = Date.now();
    const change = () => {
      const done = work(now);
      events.append(conversations.takeDrafts(), now);
      return done;
    };
    const result = inTransaction(ctx.storage, change, reload);
    committed();
    return result;
  }

  #begin(now: number): void {
    const { ctx, graceMs } = this.#ties;
    const { room } = this.#calls;
    const due = ctx.storage.transactionSync(() => this.turns.takeDue(now, graceMs, room));
    this.#upkeep.wake();
    this.#calls.begin(due, now);
  }
}

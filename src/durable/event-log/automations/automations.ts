import type { OptOutWords } from '../../../contract/texts/opt-out-words.ts';
import { endOfWait } from '../../due-times.ts';
import { logFault } from '../../log.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { SharedRun } from '../../shared-run.ts';
import { Housekeeping } from '../../storage/housekeeping.ts';
import type { ConversationHook } from '../conversations/conversation-steps.ts';
import type { Conversations } from '../conversations/conversations.ts';
import type { EventRows } from '../events/event-rows.ts';
import type { LogState } from '../log-state.ts';
import type { WakeUps } from '../wake-ups.ts';
import { ActionQueue, ActionRows, type SettledAction } from './actions/action-queue.ts';
import type { StartAssistant } from './actions/inner-actions.ts';
import type { ActionOrder } from './actions/planned.ts';
import { type DryRun, dryRun } from './dry-run.ts';
import { EventReading } from './reading/event-reading.ts';
import type { LookupParts } from './reading/lookups.ts';
import { Waits } from './reading/waits.ts';
import { loadAutomations, RuleSet } from './rule-set.ts';
import type { Rule } from './rules/judge.ts';
import { Runner } from './runner.ts';
import { PeopleRows } from './runs/people-rows.ts';
import { CauseRows, RunRows } from './runs/run-rows.ts';

export interface AutomationsParts {
  ctx: DurableObjectState;
  d1: D1Database;
  accountId: string;
  state: LogState;
  events: EventRows;
  wakeUps: WakeUps;
  conversations: Conversations;
  lookups: LookupParts;
  startAssistant: StartAssistant;
  /** A message is answered by a rule, and needs no other machine's answer. Called inside a transaction. */
  answered: (messageId: string, conversationId: string, now: number) => void;
  /** Whether a person has written to a chat since a time. */
  hasAnswered: (chat: { numberId: string; to: string }, since: number) => boolean;
  /** Until the log does itself what a queue should have told it, or what a new start has cut off. */
  graceMs: number;
  /** Behind a transaction of rules: others may have to do with what they have changed. */
  committed: () => void;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/** Once a day what is too old or too much goes; so many runs at a time. */
const sweptName = 'automations.swept';
const runsSweptMax = 1_000;

/**
 * The rules of an account. They read its events after all other readers, decide what is to be done, and hand out the actions
 * that are done outside of the log. Owns, all in tables: the account's rules as they were read last, the position of the
 * reading, the runs, and the actions that wait.
 */
export class Automations {
  readonly timers: readonly NamedTimer[];
  readonly #parts: AutomationsParts;
  readonly #rules: RuleSet;
  readonly runs: RunRows;
  readonly #people: PeopleRows;
  readonly #reading: EventReading;
  readonly #waits: Waits;
  readonly #actions: ActionQueue;
  readonly #upkeep: Housekeeping;
  readonly #refreshing = new SharedRun(() => this.#refresh());
  #isReading = false;
  /** When the wake-up of what waits is sent again; null: nothing waits. */
  #ringAgainAt: number | null = null;
  /** A wake-up is on its way: whoever gets it takes what is due by then. */
  #isRung = false;
  #readAgainAt = 0;

  constructor(parts: AutomationsParts) {
    this.#parts = parts;
    const { ctx, state, events, conversations, lookups, startAssistant, answered } = parts;
    const { hasAnswered, reload } = parts;
    const { storage } = ctx;
    const { sql } = storage;
    const [rules, runs, people] = [new RuleSet(sql, state), new RunRows(sql), new PeopleRows(sql)];
    const [rows, causes] = [new ActionRows(sql), new CauseRows(sql)];
    const { conversations: known } = lookups;
    const inner = { conversations, startAssistant, isGone: (id: string) => rules.isGone(id) };
    const runner = new Runner({
      storage,
      events,
      rules,
      runs,
      people,
      actions: rows,
      causes,
      inner,
      lookups,
      answered,
    });
    this.#rules = rules;
    this.runs = runs;
    this.#people = people;
    this.#reading = new EventReading({
      storage,
      state,
      events,
      rules,
      causes,
      runner,
      conversations: known,
      reload,
    });
    this.#waits = new Waits({ storage, rules, runner, conversations: known, reload });
    this.#actions = new ActionQueue({ storage, rules, runs, rows, hasAnswered });
    const ruleIds = () => new Set(rules.all.map(({ automationId }) => automationId));
    const swept = {
      read: () => state.get<number>(sweptName),
      write: (at: number) => state.put(sweptName, at),
    };
    this.#upkeep = new Housekeeping(swept, [
      { sweep: (now) => runs.sweep(ruleIds(), now, runsSweptMax) },
      people,
    ]);
    this.timers = [
      { name: 'automations', dueAt: () => this.#lateReadingAt(), run: () => this.#read() },
      {
        name: 'waits',
        dueAt: () => this.#waits.dueAt(),
        run: (now) => this.#wait(now),
        clockWentBack: (now) => this.#waits.clockWentBack(now),
      },
      {
        name: 'automation wake-ups',
        dueAt: () => this.#wakeUpDueAt(),
        run: () => this.#ring(),
        clockWentBack: (now) => {
          this.#actions.clockWentBack(now);
          this.#ringAgainAt = null;
        },
      },
      { name: 'automation upkeep', dueAt: () => this.#upkeep.dueAt(), run: (now) => this.#upkeep.sweep(now) },
    ];
  }

  /** The words of the account, as they were read last. */
  get optOut(): OptOutWords {
    return this.#rules.optOut;
  }

  /** Is told about each step of a conversation. */
  readonly hook: ConversationHook = {
    on: ({ kind, conversation }) => {
      if (kind === 'waiting_began') this.#waits.began(conversation, Date.now());
      return null;
    },
  };

  /** Call after each commit that may have brought events. They are read behind it: nobody waits for that. */
  wake(): void {
    if (!this.#rules.wasRead && this.#readAgainAt <= Date.now()) {
      this.#readAgainAt = Date.now() + 60_000;
      this.#parts.ctx.waitUntil(this.refresh().catch((error) => logFault('automations.not_read', error)));
    }
    if (this.#reading.isBehind) this.#parts.ctx.waitUntil(this.#readBehind());
  }

  /** Takes over the rules as D1 has them. When it returns, they are in force. */
  refresh(): Promise<void> {
    return this.#refreshing.run();
  }

  /** Actions for outside that are due; whoever has them says with {@link settle} what came of them. */
  lease(limit: number): ActionOrder[] {
    this.#isRung = false;
    return this.#actions.lease(limit, Date.now());
  }

  settle(settled: readonly SettledAction[]): void {
    this.#actions.settle(settled, Date.now());
    this.#ringAgainAt = null;
    this.#ringLater();
  }

  /** What a rule would have done since then. */
  dryRun(rule: Rule, since: number): Promise<DryRun> {
    const { events, lookups } = this.#parts;
    return dryRun({ events, rules: this.#rules, lookups }, rule, since, Date.now());
  }

  /** Rules say first what they have to say to what has happened: whoever answers by themselves asks for that before. */
  catchUp(): void {
    try {
      this.#readAll();
    } catch (error) {
      // What rules cannot read holds up nobody else.
      logFault('automations.not_applied', error);
    }
  }

  /**
   * Deletes a person (a phone number, an alias) from all runs, with what these have not carried out yet. Call inside a
   * transaction. Returns how many runs had them, at most `limit`: if it is that many, there may be more.
   */
  forgetPerson(person: string, limit: number): number {
    this.#people.forget(person);
    const runIds = this.runs.forget(person, limit);
    this.#actions.drop(runIds);
    return runIds.length;
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#rules.reload();
    this.#actions.reload();
  }

  async #refresh(): Promise<void> {
    const { ctx, d1, accountId, events } = this.#parts;
    const loaded = await loadAutomations(d1, accountId);
    // An account that D1 does not have (yet, or any more) changes nothing here.
    if (loaded === null) return;
    // What has happened up to now is for the rules as they were.
    this.#readAll();
    ctx.storage.transactionSync(() => this.#rules.configure(loaded, events.head, Date.now()));
    if (this.#rules.all.length > 0) this.#upkeep.begin(Date.now());
    this.wake();
  }

  async #readBehind(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      // Whoever has called the object is answered first.
      await scheduler.wait(0);
      await this.#read();
    } catch (error) {
      logFault('automations.not_applied', error);
    } finally {
      this.#isReading = false;
    }
  }

  async #read(): Promise<void> {
    while (this.#reading.isBehind) {
      this.#afterwards(this.#reading.readSlice(Date.now()));
      await scheduler.wait(0);
    }
  }

  #readAll(): void {
    while (this.#reading.isBehind) this.#afterwards(this.#reading.readSlice(Date.now()));
  }

  #wait(now: number): void {
    this.#afterwards(this.#waits.run(now));
    // What the rules have changed may be for other rules.
    this.wake();
  }

  /** Behind a transaction of rules. */
  #afterwards(plansOuter: boolean): void {
    if (plansOuter) {
      this.#actions.reload();
      this.#ringLater();
    }
    this.#parts.committed();
  }

  /** Rings the queue for the next action. What it loses, or nobody has begun in time, the alarm rings for again. */
  #ringLater(): void {
    const dueAt = this.#actions.nextDueAt();
    const now = Date.now();
    if (dueAt === null) {
      this.#ringAgainAt = null;
      return;
    }
    const at = Math.max(dueAt, now);
    const { graceMs } = this.#parts;
    if (this.#isRung && this.#ringAgainAt !== null && this.#ringAgainAt <= at + graceMs) return;
    this.#isRung = true;
    this.#ringAgainAt = at + graceMs;
    this.#parts.ctx.waitUntil(this.#parts.wakeUps.automations(at, now));
  }

  async #ring(): Promise<void> {
    this.#ringAgainAt = null;
    this.#ringLater();
  }

  #wakeUpDueAt(): number | null {
    const dueAt = this.#actions.nextDueAt();
    if (dueAt === null) return null;
    return this.#ringAgainAt ?? dueAt;
  }

  #lateReadingAt(): number | null {
    const since = this.#reading.behindSince();
    return since === null ? null : endOfWait(since + this.#parts.graceMs, this.#parts.graceMs);
  }
}

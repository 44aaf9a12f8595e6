import { isDue } from '../../due-times.ts';
import { logFault } from '../../log.ts';
import { NamedTimers } from '../../named-timers.ts';
import { migrateObject } from '../../storage/object-migrations.ts';
import { objectName } from '../../storage/object-name.ts';
import { TimedObject } from '../../timed-object.ts';
import { type AccountParts, assembleAccount } from '../account-parts.ts';
import { accountMigrations } from '../migrations.ts';

/** What verbs are added to: the compiler takes no narrower constructor for that. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AccountClass = new (...parameters: any[]) => AccountObject;

/** How long after the last report to the log it is checked whether the log knows. */
const logAnswerMs = 30_000;

/** The object beneath the verbs: its parts, its timers, and what follows each commit. */
export class AccountObject extends TimedObject {
  protected readonly accountId: string;
  protected readonly parts: AccountParts;
  protected readonly timers: NamedTimers;
  #logAskedAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, accountMigrations);
    this.accountId = objectName(ctx);
    const parts = assembleAccount(ctx, {
      accountId: this.accountId,
      env: () => this.env,
      numberOf: (numberId) => this.env.PHONE_NUMBER.getByName(numberId),
      committed: () => this.committed(),
    });
    this.parts = parts;
    const { handOver, rerouting, expiry, schedule, fileFetches, idempotency, housekeeping } = parts;
    this.timers = new NamedTimers(ctx.storage, [
      { name: 'expiry', dueAt: () => expiry.dueAt(), run: (now) => expiry.run(now) },
      { name: 'schedule', dueAt: () => schedule.dueAt(), run: (now) => schedule.run(now) },
      ...fileFetches.timers,
      { name: 'hand-over', dueAt: () => handOver.dueAt(), run: (now) => handOver.run(now) },
      { name: 'rerouting', dueAt: () => rerouting.dueAt(), run: (now) => rerouting.run(now) },
      { name: 'log', dueAt: () => this.#logDueAt(), run: (now) => this.#tellLog(now) },
      {
        name: 'idempotency',
        dueAt: () => idempotency.sweepDueAt(),
        wakesAt: () => null,
        run: (now) => idempotency.sweep(now),
      },
      {
        name: 'housekeeping',
        dueAt: () => housekeeping.dueAt(),
        wakesAt: () => housekeeping.wakesAt(),
        run: (now) => housekeeping.sweep(now),
      },
    ]);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  protected committed(): void {
    const { handOver, logOutbox, rerouting } = this.parts;
    const now = Date.now();
    handOver.start();
    if (isDue(logOutbox.dueAt(), now)) this.ctx.waitUntil(this.#tellLog(now));
    if (isDue(rerouting.dueAt(), now)) this.ctx.waitUntil(this.#reroute(now));
    this.timers.arm();
  }

  async #tellLog(now: number): Promise<void> {
    this.#logAskedAt = now;
    await this.parts.logOutbox.flush();
    this.timers.arm();
  }

  /** Also while the log is being told: a crash may cut that off. */
  #logDueAt(): number | null {
    const { logOutbox } = this.parts;
    return logOutbox.isEmpty ? null : (logOutbox.dueAt() ?? this.#logAskedAt + logAnswerMs);
  }

  /** What is left of it waits for the alarm. */
  async #reroute(now: number): Promise<void> {
    try {
      await this.parts.rerouting.run(now);
    } catch (error) {
      logFault('rerouting.failed', error);
    }
    this.timers.arm();
  }
}

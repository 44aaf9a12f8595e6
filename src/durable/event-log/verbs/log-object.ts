import type { Refusal } from '../../../contract/errors.ts';
import { NamedTimers } from '../../named-timers.ts';
import { migrateObject } from '../../storage/object-migrations.ts';
import { TimedObject } from '../../timed-object.ts';
import { assembleEventLog, type EventLogParts } from '../event-log-parts.ts';
import type { EventDraft } from '../events/event-draft.ts';
import { eventLogMigrations } from '../migrations.ts';

/** What verbs of a feature are added to: the compiler takes no narrower constructor for that. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type LogClass = new (...parameters: any[]) => LogObject;

/** The object beneath the verbs: its parts, its timers, and how a change is made. */
export class LogObject extends TimedObject {
  protected readonly parts: EventLogParts;
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, eventLogMigrations);
    this.parts = assembleEventLog(ctx, env, () => this.timers.arm());
    this.timers = new NamedTimers(ctx.storage, this.parts.timers);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /** Makes a change in one transaction with its events, and tells whoever listens. */
  protected tell<Changed extends { drafts: EventDraft[] } | Refusal | null>(
    change: (now: number) => Changed,
  ): Changed {
    const changed = this.parts.tell(change);
    this.timers.arm();
    return changed;
  }
}

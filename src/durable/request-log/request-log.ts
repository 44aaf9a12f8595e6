import { NamedTimers } from '../named-timers.ts';
import { inTransaction } from '../storage/in-transaction.ts';
import { migrateObject } from '../storage/object-migrations.ts';
import { TimedObject } from '../timed-object.ts';
import { requestLogMigrations } from './migrations.ts';
import {
  type RequestBatch,
  RequestBounds,
  type RequestFilter,
  type RequestWithBodies,
} from './request-entry.ts';
import { FailureCounts, type FailureGroup, type RequestPage, RequestRows } from './request-rows.ts';

/**
 * The requests that an account's API keys have made in the last seven days. Owns them and the counts of failures, in SQLite.
 * What an isolate has gathered and not reported yet is lost if the isolate ends: this log gives no guarantee.
 */
export class RequestLog extends TimedObject {
  readonly #rows: RequestRows;
  readonly #failures: FailureCounts;
  readonly #bounds = new RequestBounds();
  protected readonly timers: NamedTimers;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    migrateObject(ctx.storage, requestLogMigrations);
    const rows = new RequestRows(ctx.storage.sql);
    const failures = new FailureCounts(ctx.storage.sql);
    this.#rows = rows;
    this.#failures = failures;
    this.timers = new NamedTimers(ctx.storage, [
      { name: 'requests', dueAt: () => rows.sweepDueAt(), run: (now) => rows.sweep(now) },
      { name: 'failures', dueAt: () => failures.sweepDueAt(), run: (now) => failures.sweep(now) },
    ]);
    ctx.blockConcurrencyWhile(() => this.timers.wake());
  }

  /** Takes what an isolate has gathered. */
  take({ entries, failures }: RequestBatch): void {
    const now = Date.now();
    const kept = this.#bounds.keep(entries, now);
    const store = () => {
      if (kept.length > 0) this.#rows.insert(kept, now);
      this.#failures.add(failures, now);
    };
    inTransaction(this.ctx.storage, store, () => this.#rows.reload());
    this.timers.arm();
  }

  /** Newest first; `before` is the `nextBefore` of the page before, null for the first one. */
  list(filter: RequestFilter, limit: number, before: number | null): RequestPage {
    return this.#rows.page(filter, limit, before, Date.now());
  }

  find(requestId: string): RequestWithBodies | null {
    return this.#rows.find(requestId, Date.now());
  }

  /** How often requests failed between two times, by whole hours; the most frequent first. */
  failures(keyId: string | null, since: number, until: number): FailureGroup[] {
    return this.#failures.groups(keyId, since, until, Date.now());
  }
}

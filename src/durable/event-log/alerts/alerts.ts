import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import { earliest, isDue } from '../../due-times.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import type { LogState } from '../log-state.ts';
import type { WakeUps } from '../wake-ups.ts';
import { type Alert, AlertRows } from './alert-rows.ts';
import { AlertDeliveries } from './deliveries/alert-deliveries.ts';
import { DeviceTroubles, MessageFailures } from './troubles.ts';

interface Parts {
  storage: DurableObjectStorage;
  rows: AlertRows;
}

/** The account's alerts as people see them: those that there are, who knows of them, and when they are over. */
export class AlertBook {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** When the first trouble that ends by itself is over; null: there is none. */
  endDueAt(): number | null {
    return earliest(this.#parts.rows.open.map(({ endsAt }) => endsAt));
  }

  /** Ends the troubles that are over by themselves. */
  endDue(now: number): void {
    const over = this.#parts.rows.open.filter(({ endsAt }) => isDue(endsAt, now));
    this.#change((rows) => {
      for (const { kind, subject, endsAt } of over) rows.end([kind], subject, endsAt ?? now);
    });
  }

  /** The troubles of these kinds are over. */
  end(kinds: readonly AlertKind[], subject: string, at: number): void {
    if (!kinds.some((kind) => this.#parts.rows.isOpen(kind, subject))) return;
    this.#change((rows) => rows.end(kinds, subject, at));
  }

  acknowledge(id: string, by: string): Alert | null {
    return this.#change((rows) => rows.acknowledge(id, by, Date.now()));
  }

  #change<Result>(work: (rows: AlertRows) => Result): Result {
    const { storage, rows } = this.#parts;
    return inTransaction(
      storage,
      () => work(rows),
      () => rows.reload(),
    );
  }
}

interface AlertsNeeds {
  ctx: DurableObjectState;
  d1: D1Database;
  accountId: string;
  state: LogState;
  wakeUps: WakeUps;
  /** Until the log itself looks for what a wake-up should have told. */
  bellGraceMs: number;
  /** So long a number may be away before its owner is told. */
  deviceGraceMs: number;
  /** What comes within this time of one another is told together. */
  gatherMs: number;
  /** The waits between the attempts to reach a channel. */
  ladder: readonly number[];
  canMail: boolean;
  /** Alerts are others now; said inside the transaction. */
  changed: () => void;
  /** After a transaction that was rolled back. */
  reload: () => void;
  arm: () => void;
}

/** The alerts of a log: what is looked at for them, and what is told. */
export function assembleAlerts(needs: AlertsNeeds) {
  const { ctx, deviceGraceMs, gatherMs, bellGraceMs, changed, reload } = needs;
  const { storage } = ctx;
  const rows = new AlertRows(storage.sql, gatherMs, changed);
  const book = new AlertBook({ storage, rows });
  const deliveries = new AlertDeliveries({ ...needs, alerts: rows, graceMs: bellGraceMs });
  const deviceTroubles = new DeviceTroubles(storage.sql, rows, deviceGraceMs);
  const messageFailures = new MessageFailures(storage.sql, rows);

  const change = (work: () => void) => inTransaction(storage, work, reload);

  const timers: NamedTimer[] = [
    ...deliveries.timers,
    { name: 'ends of alerts', dueAt: () => book.endDueAt(), run: (now) => book.endDue(now) },
    {
      name: 'devices away',
      dueAt: () => deviceTroubles.dueAt(),
      run: (now) => change(() => deviceTroubles.review(now)),
    },
    {
      name: 'message failures',
      dueAt: () => messageFailures.dueAt(),
      run: (now) => change(() => messageFailures.review(now)),
    },
  ];
  return {
    rows,
    book,
    deliveries,
    deviceTroubles,
    messageFailures,
    timers,
    /** A number was deleted. */
    forgetNumber: (numberId: string) => change(() => deviceTroubles.forget(numberId, Date.now())),
    reload: () => {
      rows.reload();
      deviceTroubles.reload();
    },
  };
}

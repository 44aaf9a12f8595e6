import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import { earliest, isDue } from '../../due-times.ts';
import type { NamedTimer } from '../../named-timers.ts';
import { inTransaction } from '../../storage/in-transaction.ts';
import { AlertRows } from './alert-rows.ts';
import { AlertDeliveries, type AlertDeliveriesParts } from './deliveries/alert-deliveries.ts';
import { DeviceTroubles, MessageFailures } from './troubles.ts';

interface AlertsNeeds extends Omit<AlertDeliveriesParts, 'alerts'> {
  /** So long a number may be away before its owner is told. */
  deviceGraceMs: number;
  /** What comes within this time of one another is told together. */
  gatherMs: number;
  /** Alerts are others now; said inside the transaction. */
  changed: () => void;
}

/** The alerts of a log: what is looked at for them, and what is told. */
export function assembleAlerts(needs: AlertsNeeds) {
  const { ctx, deviceGraceMs, gatherMs, changed, reload } = needs;
  const { storage } = ctx;
  const rows = new AlertRows(storage.sql, gatherMs, changed);
  const deliveries = new AlertDeliveries({ ...needs, alerts: rows });
  const deviceTroubles = new DeviceTroubles(storage.sql, rows, deviceGraceMs);
  const messageFailures = new MessageFailures(storage.sql, rows);

  const change = <Result>(work: () => Result): Result => inTransaction(storage, work, reload);
  /** Those that are over by themselves. */
  const endDue = (now: number) => {
    for (const { kind, subject, endsAt } of rows.open) {
      if (isDue(endsAt, now)) rows.end([kind], subject, endsAt ?? now);
    }
  };

  const timers: NamedTimer[] = [
    ...deliveries.timers,
    {
      name: 'ends of alerts',
      dueAt: () => earliest(rows.open.map(({ endsAt }) => endsAt)),
      run: (now) => change(() => endDue(now)),
    },
    {
      name: 'devices away',
      dueAt: () => deviceTroubles.dueAt(),
      run: (now) => change(() => deviceTroubles.review(now)),
    },
    {
      name: 'message failures',
      dueAt: () => messageFailures.dueAt(),
      run: (now) => change(() => messageFailures.review(now)),
      clockWentBack: () => messageFailures.clockWentBack(),
    },
  ];
  return {
    rows,
    deliveries,
    deviceTroubles,
    messageFailures,
    timers,
    /** The troubles of these kinds are over; those that were there. */
    end: (kinds: readonly AlertKind[], subject: string) => change(() => rows.end(kinds, subject, Date.now())),
    acknowledge: (id: string, by: string) => change(() => rows.acknowledge(id, by, Date.now())),
    /** A number was deleted. */
    forgetNumber: (numberId: string) => change(() => deviceTroubles.forget(numberId, Date.now())),
    reload: () => {
      rows.reload();
      deviceTroubles.reload();
    },
  };
}

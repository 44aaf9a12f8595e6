import type { NamedTimer } from '../../named-timers.ts';
import type { Bells } from '../deliveries/attempts/bells.ts';
import { AlertOutbox } from './alert-outbox.ts';
import { AlertRows } from './alert-rows.ts';
import { DeviceTroubles } from './device-troubles.ts';
import { MessageFailures } from './message-failures.ts';

interface AlertsNeeds {
  ctx: DurableObjectState;
  bells: Bells;
  /** Until the bells of what is not announced ring again. */
  bellGraceMs: number;
  /** So long a number may be away before its owner is told. */
  deviceGraceMs: number;
  /** After a transaction that was rolled back. */
  reload: () => void;
}

/** The alerts of a log: what is looked at for them, and what is told. */
export function assembleAlerts({ ctx, bells, bellGraceMs, deviceGraceMs, reload }: AlertsNeeds) {
  const { storage } = ctx;
  const rows = new AlertRows(storage.sql);
  const outbox = new AlertOutbox({ storage, rows, bells, graceMs: bellGraceMs });
  const deviceTroubles = new DeviceTroubles(storage.sql, rows, deviceGraceMs);
  const messageFailures = new MessageFailures(storage.sql, rows);

  /** Behind what is stored: the bells of what was raised. */
  const announce = () => ctx.waitUntil(outbox.announce());

  function change(work: () => void): void {
    try {
      storage.transactionSync(work);
    } catch (error) {
      reload();
      throw error;
    }
    announce();
  }

  const timers: NamedTimer[] = [
    { name: 'alerts', dueAt: () => outbox.dueAt(), run: () => outbox.ringAgain() },
    { name: 'ends of alerts', dueAt: () => outbox.endDueAt(), run: (now) => outbox.endDue(now) },
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
    outbox,
    deviceTroubles,
    messageFailures,
    announce,
    timers,
    /** A number was deleted. */
    forgetNumber: (numberId: string) => change(() => deviceTroubles.forget(numberId, Date.now())),
    reload: () => {
      rows.reload();
      deviceTroubles.reload();
    },
  };
}

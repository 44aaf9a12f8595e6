import { log, logFault } from '../../durable/log.ts';
import { type AlertKey, findAlert, noteAnnounced } from '../db/alerts.ts';
import { openDatabase } from '../db/database.ts';
import { faultMessage } from '../db/fault-message.ts';
import { retryTransient } from '../db/transient-errors.ts';
import type { AlertChannel } from './alert-channel.ts';

/** Beyond the table, which every alert stands in from the moment that it is raised. */
const channels: readonly AlertChannel[] = [];

/** Consumer of the queue `alerts`: brings each alert to every channel. The row decides, so a repeat announces nothing. */
export async function consumeAlerts(
  queueBatch: MessageBatch<AlertKey>,
  env: Env,
  _context?: ExecutionContext,
  through: readonly AlertChannel[] = channels,
): Promise<void> {
  const db = openDatabase(env.DB);
  for (const message of queueBatch.messages) {
    const { accountId, id } = message.body;
    try {
      const alert = await retryTransient(() => findAlert(db, message.body));
      if (alert !== null && alert.announcedAt === null) {
        for (const channel of through) await channel.announce(env, alert);
        await retryTransient(() => noteAnnounced(db, alert, Date.now()));
        log('alert.announced', {
          alertId: id,
          accountId,
          kind: alert.kind,
          subject: alert.subject,
          channels: through.map(({ name }) => name).join(' '),
        });
      }
      message.ack();
    } catch (error) {
      logFault('alert.not_announced', faultMessage(error).error, { alertId: id, accountId });
      message.retry();
    }
  }
}

/** Queues alerts for the channels; what is lost on the way is queued again by the sweep. */
export async function queueAlerts(env: Env, alerts: readonly AlertKey[]): Promise<void> {
  if (alerts.length === 0) return;
  await env.ALERTS.sendBatch(
    alerts.map(({ accountId, id }) => ({ body: { accountId, id } satisfies AlertKey })),
  );
}

import type { AlertBell } from '../../durable/event-log/deliveries/attempts/bells.ts';
import { log, logFault } from '../../durable/log.ts';
import { askLog } from '../object-calls.ts';
import type { AlertChannel } from './alert-channel.ts';

/** Beyond the account's log, which every alert stands in from the moment that it is raised. */
const channels: readonly AlertChannel[] = [];

/** Consumer of the queue `alerts`: brings each alert to every channel. The log decides, so a repeat announces nothing. */
export async function consumeAlerts(
  batch: MessageBatch<AlertBell>,
  env: Env,
  _context?: ExecutionContext,
  through: readonly AlertChannel[] = channels,
): Promise<void> {
  // The accounts at once: one with many alerts, or a slow channel, holds up none of the others.
  const accounts = Map.groupBy(batch.messages, ({ body }) => body.accountId);
  await Promise.all([...accounts.values()].map((messages) => announceAll(messages, env, through)));
}

async function announceAll(
  messages: readonly Message<AlertBell>[],
  env: Env,
  through: readonly AlertChannel[],
): Promise<void> {
  for (const message of messages) {
    const { accountId, alertId } = message.body;
    try {
      const alert = await askLog(env, accountId, (accountLog) => accountLog.alert(alertId));
      if (alert !== null && alert.announcedAt === null) {
        for (const channel of through) await channel.announce(env, accountId, alert);
        await askLog(env, accountId, (accountLog) => accountLog.noteAnnounced(alertId));
        const { kind, subject } = alert;
        const names = through.map(({ name }) => name).join(' ');
        log('alert.announced', { alertId, accountId, kind, subject, channels: names });
      }
      message.ack();
    } catch (error) {
      logFault('alert.not_announced', error, { alertId, accountId });
      message.retry();
    }
  }
}

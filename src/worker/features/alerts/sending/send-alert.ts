import type { AlertChannelKind } from '../../../../contract/alerts/alert-channels.ts';
import type { AlertOrder, AlertReport } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { log, logFault } from '../../../../durable/log.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { openDatabase } from '../../../db/database.ts';
import { openTarget } from '../channels/channel-target.ts';
import { alertSubjectNames } from '../rows/alert-subjects.ts';
import { alertText } from '../words/alert-text.ts';
import { type AttemptResult, again, type SendToChannel } from './attempt.ts';
import {
  sendByEmail,
  sendByWhatsapp,
  sendToDiscord,
  sendToSlack,
  sendToTelegram,
  sendToWebhook,
} from './channel-senders.ts';

/** Makes one attempt to bring a message to its channel, and logs what came of it; the account's log stores it. */
export async function sendAlert(env: Env, accountId: string, order: AlertOrder): Promise<AlertReport> {
  const { channel, news, deliveryId, attempt } = order;
  const at = Date.now();
  const result = await attemptOf(env, accountId, order);
  const { outcome, statusCode, error, retryAfterSeconds } = result;
  const durationMs = Date.now() - at;
  log('alert.attempted', {
    ...{ accountId, deliveryId, channelId: channel.id, kind: channel.kind, news },
    ...{ alerts: order.alerts.length, attempt, outcome, statusCode, durationMs },
  });
  return { attempt: { at, statusCode, durationMs, error }, outcome, retryAfterSeconds };
}

async function attemptOf(env: Env, accountId: string, order: AlertOrder): Promise<AttemptResult> {
  const { channel, news, deliveryId, alerts } = order;
  try {
    const secret = await openTarget(env, channel.id, channel.sealedTarget);
    const subjects = alerts.map(({ subject }) => subject);
    const named = await alertSubjectNames(openDatabase(env.DB), accountId, subjects);
    const { PUBLIC_URL, GATEWAY_URL } = settingsOf(env);
    const baseUrl = (PUBLIC_URL ?? GATEWAY_URL)?.replace(/\/$/, '') ?? null;
    const text = alertText(news, alerts, { ...named, baseUrl });
    return await channels[channel.kind]({ env, accountId, order, secret, text, isTest: news === 'test' });
  } catch (error) {
    logFault('alert.not_attempted', error, { accountId, deliveryId, channelId: channel.id });
    return again('The attempt could not be made.');
  }
}

const channels: Record<AlertChannelKind, SendToChannel> = {
  email: sendByEmail,
  slack: sendToSlack,
  discord: sendToDiscord,
  telegram: sendToTelegram,
  webhook: sendToWebhook,
  whatsapp: sendByWhatsapp,
};

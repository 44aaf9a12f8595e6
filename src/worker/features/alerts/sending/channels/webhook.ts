import { isoTime } from '../../../../../contract/times.ts';
import type { AlertNews, ToldAlert } from '../../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { settingsOf } from '../../../../../settings/worker-settings.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../../outbound-http/webhook-url.ts';
import { postCallback } from '../../../webhooks/delivery/callback.ts';
import { callbackHeaders } from '../../../webhooks/delivery/signature.ts';
import type { AlertText } from '../../words/alert-text.ts';
import { givenUp, resultOf, type SendToChannel } from '../attempt.ts';

const eventOf: Record<AlertNews, string> = {
  raised: 'alert.raised',
  ended: 'alert.ended',
  digest: 'alert.digest',
  test: 'alert.test',
};

const shown = ({ id, kind, subject, at, detail, endedAt }: ToldAlert) => ({
  alertId: id,
  kind,
  subject,
  at: isoTime(at),
  endedAt: isoTime(endedAt),
  detail,
});

/** The event that a receiver gets; the same at every attempt. */
function alertEvent(deliveryId: string, news: AlertNews, at: number, alerts: ToldAlert[], text: AlertText) {
  return {
    id: `evt_${deliveryId}`,
    event: eventOf[news],
    timestamp: isoTime(at),
    data: { text: text.subject, alerts: alerts.map(shown) },
  };
}

/** Signed as the callbacks of webhooks are. */
export const sendToWebhook: SendToChannel = async ({ env, order, secret, text }) => {
  const { url, signingSecret = '', previousSecret, previousUntil = 0 } = secret;
  const problem = webhookUrlProblem(url ?? '', webhookUrlRules(settingsOf(env)));
  if (url === undefined || problem !== null) return givenUp(`The URL is not allowed. ${problem}`);
  const { deliveryId, news, alerts, attempt } = order;
  const event = alertEvent(deliveryId, news, order.at, alerts, text);
  const body = JSON.stringify(event);
  const facts = { body, event: event.event, eventId: event.id, deliveryId, attempt, at: Date.now() };
  const previous = previousUntil > Date.now() ? (previousSecret ?? null) : null;
  const headers = callbackHeaders({ current: signingSecret, previous }, facts);
  return resultOf(await postCallback(env, url, headers, body), 'The receiver');
};

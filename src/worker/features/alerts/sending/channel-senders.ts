import { numberOfAlert } from '../../../../contract/alerts/alert-channels.ts';
import type { ErrorCode } from '../../../../contract/errors.ts';
import { isoTime } from '../../../../contract/times.ts';
import type {
  AlertNews,
  AlertOrder,
  ToldAlert,
} from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { SenderReport } from '../../../../durable/hand-over/number-news.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { openDatabase } from '../../../db/database.ts';
import { sendMail } from '../../../mail/mailer.ts';
import { askAccount } from '../../../object-calls.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../../outbound-http/webhook-url.ts';
import { knownRecipient, parseRecipient } from '../../messages/sending/recipient.ts';
import { postCallback } from '../../webhooks/delivery/callback.ts';
import { callbackHeaders } from '../../webhooks/delivery/signature.ts';
import { isTelegram, isWhatsapp } from '../channels/channel-target.ts';
import { memberAddresses } from '../rows/alert-channels.ts';
import { alertLetter } from '../words/alert-letter.ts';
import type { AlertText } from '../words/alert-text.ts';
import { discordMessage, slackMessage, telegramMessage, whatsappText } from '../words/chat-messages.ts';
import { type AttemptResult, again, delivered, givenUp, resultOf, type SendToChannel } from './attempt.ts';

/** Only to people of the account, and to who has agreed: an address is looked at each time. */
export const sendByEmail: SendToChannel = async ({ env, accountId, order, text, isTest }) => {
  const { shownTarget: to, confirmedAt } = order.channel;
  if (typeof to !== 'string') return givenUp('The channel has no address.');
  const isAgreed =
    confirmedAt !== null || (await memberAddresses(openDatabase(env.DB), accountId, [to])).has(to);
  if (!isAgreed) return givenUp('The address is not confirmed: its owner has to open the link first.');
  const outcome = await sendMail(env, alertLetter(to, text, isTest), order.deliveryId);
  if (outcome === 'failed') return again('The mail server rejected it.');
  // On the machine of whoever tries the gateway, mails are caught.
  const isCaught = settingsOf(env).MAIL_CATCHER_URL !== undefined;
  return outcome === 'sent' || isCaught ? delivered() : givenUp('This gateway has no mail server.');
};

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

const headers = { 'Content-Type': 'application/json', 'User-Agent': 'Heliograph-Alerts/1.0' };

/** Posts to a URL that a person gave, behind the same rules as webhooks. */
async function post(env: Env, url: string | undefined, body: object, who: string): Promise<AttemptResult> {
  const problem = webhookUrlProblem(url ?? '', webhookUrlRules(settingsOf(env)));
  if (url === undefined || problem !== null) return givenUp(`The URL is not allowed. ${problem}`);
  return resultOf(await postCallback(env, url, headers, JSON.stringify(body)), who);
}

export const sendToSlack: SendToChannel = ({ env, secret, text, isTest }) =>
  post(env, secret.url, slackMessage(text, isTest), 'Slack');

export const sendToDiscord: SendToChannel = ({ env, secret, text, isTest }) =>
  post(env, secret.url, discordMessage(text, isTest), 'Discord');

/** The token stands in the URL, as its API wants it: the URL goes nowhere else. */
export const sendToTelegram: SendToChannel = async ({ env, order, secret, text, isTest }) => {
  const { shownTarget } = order.channel;
  if (!isTelegram(shownTarget)) return givenUp('The channel has no chat.');
  const base = settingsOf(env).TELEGRAM_API_URL.replace(/\/$/, '');
  const body = JSON.stringify(telegramMessage(shownTarget.chatId, text, isTest));
  const url = `${base}/bot${secret.botToken ?? ''}/sendMessage`;
  return resultOf(await postCallback(env, url, headers, body), 'Telegram');
};

/** The numbers that the message is about: none of them is to be trusted with it. */
const troubledBy = (alerts: AlertOrder['alerts']): ReadonlySet<string> =>
  new Set(
    alerts.flatMap(({ subject, detail, endedAt }) =>
      endedAt === null ? (numberOfAlert(subject, detail) ?? []) : [],
    ),
  );

/** Refusals that time may mend. */
const passing: readonly ErrorCode[] = ['SENDER_UNAVAILABLE', 'NO_HEALTHY_SENDER', 'RATE_LIMITED', 'INTERNAL'];

/** A message through another of the account's numbers. It is delivered when the account has taken it over. */
export const sendByWhatsapp: SendToChannel = async ({ env, accountId, order, text, isTest }) => {
  const { deliveryId, alerts, channel } = order;
  const { shownTarget: target } = channel;
  if (!isWhatsapp(target)) return givenUp('The channel has no recipient.');
  // Whether the account knows these digits was asked when they were saved.
  const recipient = knownRecipient(parseRecipient(target.to), new Set([target.to]));
  if (!recipient.ok) return givenUp(recipient.message);
  const senders = await askAccount(env, accountId, (account) => account.senders());
  const numberId = numberThatTells(senders, troubledBy(alerts), target.numberId);
  if (numberId === null) return again('No other number of the account is connected.');
  const { to, chatType } = recipient;
  const result = await askAccount(env, accountId, (account) =>
    account.sendAs({
      origin: { kind: 'alert', alertId: alerts[0]?.id ?? deliveryId },
      numberId,
      to,
      chatType,
      content: { type: 'text', text: whatsappText(text, isTest) },
      idempotencyKey: `alert:${deliveryId}`,
      // What was taken over once is not sent again, whichever number could send it by now.
      bodyHash: deliveryId,
    }),
  );
  if (result.ok) return delivered();
  return passing.includes(result.code) ? again(result.message) : givenUp(result.message);
};

/**
 * Which number tells of the trouble: the wanted one while it can, else another that can; null: there is none.
 *
 * @param wanted null: any
 */
export function numberThatTells(
  senders: Readonly<Record<string, Pick<SenderReport, 'state' | 'health'>>>,
  troubled: ReadonlySet<string>,
  wanted: string | null,
): string | null {
  const able = Object.entries(senders)
    .filter(([numberId, { state }]) => state === 'connected' && !troubled.has(numberId))
    .sort(([, a], [, b]) => Number(b.health.status === 'healthy') - Number(a.health.status === 'healthy'))
    .map(([numberId]) => numberId);
  return able.find((numberId) => numberId === wanted) ?? able[0] ?? null;
}

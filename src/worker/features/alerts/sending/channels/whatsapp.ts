import { numberOfAlert } from '../../../../../contract/alerts/alert-channels.ts';
import type { ErrorCode } from '../../../../../contract/errors.ts';
import type { AlertOrder } from '../../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import type { SenderReport } from '../../../../../durable/hand-over/number-news.ts';
import { askAccount } from '../../../../object-calls.ts';
import { knownRecipient, parseRecipient } from '../../../messages/sending/recipient.ts';
import { isWhatsapp } from '../../channels/channel-target.ts';
import { whatsappText } from '../../words/chat-messages.ts';
import { again, delivered, givenUp, type SendToChannel } from '../attempt.ts';

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

import type { AlertKind } from '../../../../contract/alerts/alerts.ts';
import type { ToldAlert } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';

type Detail = ToldAlert['detail'];

interface Sentences {
  /** What has happened, about the thing of this name. */
  one: (name: string, detail: Detail) => string;
  /** The same of so many at once. */
  many: (count: number) => string;
  /** What to do; empty: nothing. */
  todo: (detail: Detail) => string;
  /** The page of the dashboard that helps, from the id of what it is about. */
  page: (id: string) => string;
}

const numberPage = (id: string) => `/numbers/${id}`;
const webhookPage = (id: string) => `/developer/webhooks/${id}`;
const text = (value: string | number | undefined) => (value === undefined ? '' : String(value));

/** `5 minutes`, in the largest unit that fits. */
export function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const [count, unit] =
    minutes < 120
      ? [minutes, 'minute']
      : minutes < 48 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `2026-01-31 09:30 UTC` */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const until = (detail: Detail) =>
  typeof detail.resetAt === 'string' ? ` until ${utc(Date.parse(detail.resetAt))}` : '';

/** No bridge of their own is gone: numbers wait for any that takes them. */
const isForAny = ({ bridges }: Detail) => bridges !== undefined;

/** What alerts say in e-mails and chat apps. */
export const alertSentences: Record<AlertKind, Sentences> = {
  'device.disconnected': {
    one: (name) => `${name} is disconnected`,
    many: (count) => `${count} numbers are disconnected`,
    todo: () => 'Its messages are queued. Check why, and reconnect it.',
    page: numberPage,
  },
  'device.recovered': {
    one: (name, { awaySeconds }) =>
      `${name} is connected again${typeof awaySeconds === 'number' ? `, after ${duration(awaySeconds * 1000)}` : ''}`,
    many: (count) => `${count} numbers are connected again`,
    todo: () => '',
    page: numberPage,
  },
  'device.banned': {
    one: (name) => `${name} was banned by the network`,
    many: (count) => `${count} numbers were banned by the network`,
    todo: () => 'Nothing can be sent from it. Request a review in WhatsApp on the phone.',
    page: numberPage,
  },
  'device.logged_out': {
    one: (name) => `${name} was logged out`,
    many: (count) => `${count} numbers were logged out`,
    todo: () => 'Nothing can be sent from it until you pair it again.',
    page: numberPage,
  },
  'message.failures': {
    one: (name) => `Many messages from ${name} are failing`,
    many: (count) => `Many messages from ${count} numbers are failing`,
    todo: ({ failed, messages, windowMinutes, lastError }) =>
      `${text(failed)} of ${text(messages)} within ${text(windowMinutes)} minutes failed. Last reason: ${text(lastError)}`,
    page: numberPage,
  },
  'support.response_late': {
    one: (name) => `${name} has been waiting too long for a reply`,
    many: (count) => `${count} conversations have been waiting too long for a reply`,
    todo: () => 'Reply, or hand the conversation over.',
    page: (id) => `/inbox/${id}`,
  },
  'webhook.failing': {
    one: (name) => `The webhook ${name} keeps failing`,
    many: (count) => `${count} webhooks keep failing`,
    todo: () => 'Check what its receiver answers. If it keeps failing, it is disabled.',
    page: webhookPage,
  },
  'webhook.disabled': {
    one: (name) => `The webhook ${name} failed too often and was disabled`,
    many: (count) => `${count} webhooks failed too often and were disabled`,
    todo: () =>
      'Fix the receiver, send a test event, then enable the webhook. Held events are delivered then.',
    page: webhookPage,
  },
  'quota.warning': {
    one: () => "80% of this month's messages are used",
    many: () => "80% of this month's messages are used",
    todo: (detail) =>
      `${text(detail.used)} of ${text(detail.limit)}. When all are used, new messages are refused${until(detail)}.`,
    page: () => '/',
  },
  'quota.exceeded': {
    one: () => "This month's messages are used up",
    many: () => "This month's messages are used up",
    todo: (detail) => `All ${text(detail.limit)} are used. New messages are refused${until(detail)}.`,
    page: () => '/',
  },
  'campaign.paused': {
    one: (name) => `The campaign ${name} was paused automatically`,
    many: (count) => `${count} campaigns were paused automatically`,
    todo: ({ reason }) =>
      `${reason === undefined ? '' : `Reason: ${text(reason).replaceAll('_', ' ')}. `}Check its recipients, then resume or cancel it.`,
    page: (id) => `/campaigns/${id}`,
  },
  'bridge.lost': {
    one: (name, detail) =>
      isForAny(detail) ? 'Numbers are waiting for a session bridge' : `${name} is down`,
    many: (count) => `${count} session bridges are down or missing`,
    todo: (detail) => {
      const { numbers, bridges } = detail;
      if (!isForAny(detail))
        return `${numbers === 1 ? 'Its number is' : `Its ${text(numbers)} numbers are`} offline until it is back. Your phones are fine.`;
      const who = numbers === 1 ? 'One number is' : `${text(numbers)} numbers are`;
      return `${who} offline: ${bridges === 0 ? 'there is no session bridge for them' : 'no session bridge has room for them'}. Your phones are fine. The gateway's operator can start one.`;
    },
    page: () => '/numbers',
  },
};

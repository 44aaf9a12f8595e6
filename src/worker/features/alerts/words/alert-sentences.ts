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
    todo: () => 'Its messages wait. See why, and connect it.',
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
    todo: () => 'Nothing can be sent through it. Ask for a review in the app on the phone.',
    page: numberPage,
  },
  'device.logged_out': {
    one: (name) => `${name} was logged out`,
    many: (count) => `${count} numbers were logged out`,
    todo: () => 'Nothing can be sent through it until you pair it again.',
    page: numberPage,
  },
  'message.failures': {
    one: (name) => `Many messages of ${name} fail`,
    many: (count) => `Many messages of ${count} numbers fail`,
    todo: ({ failed, messages, windowMinutes, lastError }) =>
      `${text(failed)} of ${text(messages)} within ${text(windowMinutes)} minutes. The last reason: ${text(lastError)}`,
    page: numberPage,
  },
  'support.response_late': {
    one: (name) => `${name} waits for an answer longer than they should`,
    many: (count) => `${count} conversations wait for an answer longer than they should`,
    todo: () => 'Answer it, or hand it to somebody who can.',
    page: (id) => `/inbox/${id}`,
  },
  'webhook.failing': {
    one: (name) => `The webhook ${name} keeps failing`,
    many: (count) => `${count} webhooks keep failing`,
    todo: () => 'See what its receiver answers. When it fails on, it is switched off.',
    page: webhookPage,
  },
  'webhook.disabled': {
    one: (name) => `The webhook ${name} failed too often, and was switched off`,
    many: (count) => `${count} webhooks failed too often, and were switched off`,
    todo: () => 'Mend its receiver, send a test, then switch it on: what was held goes out then.',
    page: webhookPage,
  },
  'quota.warning': {
    one: () => '80 % of the messages of this month are used',
    many: () => '80 % of the messages of this month are used',
    todo: (detail) =>
      `${text(detail.used)} of ${text(detail.limit)}. When all are used, sends are refused${until(detail)}.`,
    page: () => '/',
  },
  'quota.exceeded': {
    one: () => 'The messages of this month are used up',
    many: () => 'The messages of this month are used up',
    todo: (detail) => `All ${text(detail.limit)} are used. Sends are refused${until(detail)}.`,
    page: () => '/',
  },
  'campaign.paused': {
    one: (name) => `The campaign ${name} has paused itself`,
    many: (count) => `${count} campaigns have paused themselves`,
    todo: ({ reason }) =>
      `${reason === undefined ? '' : `Why: ${text(reason).replaceAll('_', ' ')}. `}See its recipients, then resume or cancel it.`,
    page: (id) => `/campaigns/${id}`,
  },
  'bridge.lost': {
    one: (name, detail) => (isForAny(detail) ? 'Numbers wait for a session bridge' : `${name} is gone`),
    many: (count) => `${count} session bridges are gone or missing`,
    todo: (detail) => {
      const { numbers, bridges } = detail;
      if (!isForAny(detail))
        return `${numbers === 1 ? 'The number that it drives waits' : `The ${text(numbers)} numbers that it drives wait`} until it is back. Your phones need nothing.`;
      const who = numbers === 1 ? 'One number neither sends' : `${text(numbers)} numbers neither send`;
      return `${who} nor receive${numbers === 1 ? 's' : ''} anything: ${bridges === 0 ? 'there is no session bridge for them' : 'no session bridge has room for them'}. Your phones need nothing; whoever runs the gateway can start one.`;
    },
    page: () => '/numbers',
  },
};

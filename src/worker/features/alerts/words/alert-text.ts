import type { AlertKind } from '../../../../contract/alerts/alerts.ts';
import { shortText } from '../../../../contract/texts/text.ts';
import type { AlertNews, ToldAlert } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';

/** What a message says, before a channel gives it its form. Names in it are other people's input. */
export interface AlertText {
  /** One line. */
  subject: string;
  lines: AlertLine[];
  /** So many more than there are lines. */
  more: number;
  /** The page of all alerts; null where nobody knows the gateway's address. */
  link: string | null;
}

interface AlertLine {
  title: string;
  /** Since when, and for how long. */
  when: string;
  /** Empty: nothing. */
  todo: string;
  link: string | null;
  isOver: boolean;
}

/** Lines of one message; the rest is counted. */
const linesMax = 25;

/** Names of other people on one line, so that none of them can write a letter of its own. */
const oneLine = (name: string) => name.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();

interface Names {
  /** What the things are called that the alerts are about, by subject. */
  names: ReadonlyMap<string, string>;
  accountName: string;
  /** Of the dashboard, without a slash at the end; null: nobody knows. */
  baseUrl: string | null;
}

/** The name of what an alert is about. */
function nameOf({ subject, detail, kind }: ToldAlert, names: ReadonlyMap<string, string>): string {
  const known = names.get(subject) ?? (typeof detail.name === 'string' ? detail.name : null);
  if (known !== null) return oneLine(known);
  if (subject.startsWith('number:'))
    return typeof detail.phoneNumber === 'string' && detail.phoneNumber !== ''
      ? `+${detail.phoneNumber}`
      : 'A number';
  if (kind === 'bridge.lost') return 'A session bridge';
  if (kind === 'support.response_late') return 'A customer';
  return subject.slice(subject.indexOf(':') + 1);
}

function lineOf(alert: ToldAlert, { names, baseUrl }: Names): AlertLine {
  const sentences = alertSentences[alert.kind];
  const { at, endedAt, detail, subject } = alert;
  const isOver = endedAt !== null;
  const lasted = isOver && endedAt > at ? `, resolved after ${duration(endedAt - at)}` : '';
  return {
    title: sentences.one(nameOf(alert, names), detail),
    when: isOver && endedAt === at ? utc(at) : `Since ${utc(at)}${lasted}`,
    todo: isOver ? '' : sentences.todo(detail),
    link: baseUrl === null ? null : `${baseUrl}${sentences.page(subject.slice(subject.indexOf(':') + 1))}`,
    isOver,
  };
}

/** What the alerts come to, in one line. */
function headline(alerts: readonly ToldAlert[], names: Names): string {
  const kinds = [...Map.groupBy(alerts, ({ kind }) => kind)];
  return kinds
    .map(([kind, group]) => {
      const [first] = group;
      return group.length === 1 && first !== undefined
        ? alertSentences[kind].one(nameOf(first, names.names), first.detail)
        : alertSentences[kind].many(group.length);
    })
    .join('; ');
}

/** So long a subject may be. */
const subjectCharactersMax = 180;

function subjectOf(news: AlertNews, alerts: readonly ToldAlert[], names: Names): string {
  const account = oneLine(names.accountName);
  if (news === 'test') return `Test alert for ${account}`;
  if (news === 'digest') {
    const open = alerts.filter(({ endedAt }) => endedAt === null).length;
    return `Daily summary for ${account}: ${alerts.length} ${alerts.length === 1 ? 'alert' : 'alerts'}, ${open} open`;
  }
  const told = headline(alerts, names);
  return `${news === 'ended' ? 'Resolved: ' : ''}${told} (${account})`;
}

/** What a message says. */
export function alertText(news: AlertNews, alerts: readonly ToldAlert[], names: Names): AlertText {
  const subject = subjectOf(news, alerts, names);
  return {
    subject: shortText(subject, subjectCharactersMax),
    lines: alerts.slice(0, linesMax).map((alert) => lineOf(alert, names)),
    more: Math.max(0, alerts.length - linesMax),
    link: names.baseUrl === null ? null : `${names.baseUrl}/alerts`,
  };
}

export const testSentence = 'This is a test alert. Alerts look like this and arrive here.';
export const moreSentence = (more: number) => `And ${more} more.`;

/** The message without any form: for e-mails, Telegram and WhatsApp. */
export function plainText({ subject, lines, more, link }: AlertText, isTest: boolean): string {
  const blocks = lines.map(({ title, when, todo, link: page }) =>
    [title, when, todo, page ?? ''].filter((part) => part !== '').join('\n'),
  );
  // One alert says it all in its own block.
  const head = lines.length === 1 && !isTest ? [] : [subject];
  return [
    ...head,
    ...(isTest ? [testSentence] : []),
    ...blocks,
    ...(more > 0 ? [moreSentence(more)] : []),
    ...(link === null ? [] : [`All alerts: ${link}`]),
  ].join('\n\n');
}

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
function duration(ms: number): string {
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
const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const until = (detail: Detail) =>
  typeof detail.resetAt === 'string' ? ` until ${utc(Date.parse(detail.resetAt))}` : '';

/** No bridge of their own is gone: numbers wait for any that takes them. */
const isForAny = ({ bridges }: Detail) => bridges !== undefined;

/** What alerts say in e-mails and chat apps. */
const alertSentences: Record<AlertKind, Sentences> = {
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

import { shortText } from '../../../../contract/texts/cut-text.ts';
import type { AlertNews, ToldAlert } from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { alertSentences, duration, utc } from './alert-sentences.ts';

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

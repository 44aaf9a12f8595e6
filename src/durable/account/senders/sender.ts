import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import type { Health, SenderReport } from '../../hand-over/number-news.ts';
import { type Turn, weightOf } from './rotation.ts';

/** What the account knows of one of its numbers. */
export interface Sender {
  readonly numberId: string;
  /** As the number last said; null while it has said nothing. */
  report: SenderReport | null;
  /** The last of its notes that was taken. */
  heardUpTo: number;
  /** When it was first heard that it cannot send; null while it can. */
  awaySince: number | null;
  /** The last batch that was made for it, and the messages in it until they are taken. */
  batchNumber: number;
  batch: readonly string[] | null;
  /** The last batch that `room` and `dailyRemaining` count. */
  takenUpTo: number;
  room: number;
  dailyRemaining: number | null;
  /** Messages that the account keeps for it, those of the batch included. */
  backlog: number;
  /** None of them is over its time before that; null when there are none. */
  expiresAt: number | null;
  /** Its place in the rotation. */
  turn: Turn;
  /** The report after which it was tried with a message while it rested. */
  triedRevision: number | null;
}

/** What a number has to send, and may. */
export interface SenderLoad {
  /** Messages that the account keeps for it. */
  waiting: number;
  /** Messages that it may still be given today; null without a limit. */
  dailyRemaining: number | null;
}

export function newSender(numberId: string): Sender {
  return {
    numberId,
    report: null,
    heardUpTo: 0,
    awaySince: null,
    batchNumber: 0,
    batch: null,
    takenUpTo: 0,
    room: 0,
    dailyRemaining: null,
    backlog: 0,
    expiresAt: null,
    turn: { start: 0, end: 0 },
    triedRevision: null,
  };
}

/** Messages that it may still be given today, what waits for it counted off; null without a limit. */
export function leftToday({ dailyRemaining, backlog }: Sender): number | null {
  return dailyRemaining === null ? null : dailyRemaining - backlog;
}

/** Messages that it may send in the next hour; 0 when it has to wait, or has said nothing yet. */
export function senderWeight(sender: Sender): number {
  if (sender.report === null) return 0;
  return weightOf({ dailyRemaining: leftToday(sender), perMinute: sender.report.perMinute });
}

const healthy: Health = { status: 'healthy', reason: null, until: null };
const unheardOf: Health = {
  status: 'unavailable',
  reason: reasonSentence('never_connected'),
  until: null,
};

/** A number that has rested long enough counts as healthy for one message, until it reports again. */
export function healthNow({ report, triedRevision }: Sender, now: number): Health {
  if (report === null) return unheardOf;
  if (report.health.status === 'resting' && triedRevision === report.revision) return report.health;
  return shownHealth(report.health, now);
}

/** A rest or a restriction whose time has come is over before the number says so: its own clock tells it the same. */
export function shownHealth(health: Health, now: number): Health {
  const isTimed = health.status === 'resting' || health.status === 'restricted';
  return isTimed && health.until !== null && health.until <= now ? healthy : health;
}

/**
 * What a message is to its recipient: an 'answer' to somebody who wrote within a day, the next one in an 'ongoing' chat, or
 * the first of a 'new' chat. It is set when the message is accepted, moves or comes back, and when the recipient writes.
 */
export const messageKinds = ['answer', 'ongoing', 'new'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** Replies to people who wrote within that time may pass the daily limit. */
const replyWindowMs = 24 * 3600 * 1000;

/** `wroteAt`: when the recipient last wrote to the number; null: never. */
export function kindOf(isNewChat: boolean, wroteAt: number | null, now: number): MessageKind {
  if (wroteAt !== null && now - wroteAt < replyWindowMs) return 'answer';
  return isNewChat ? 'new' : 'ongoing';
}

/** Whether the number can send anything now, as far as it has said. */
export const canSend = ({ report }: Pick<Sender, 'report'>): boolean =>
  report?.state === 'connected' && report.health.status !== 'resting';

/**
 * The kinds of messages that a connected number may send now. Only this function decides that. If the daily limit is used up,
 * only answers may leave; under a restriction, everything but new chats.
 */
export function kindsThatMayLeave({ report, dailyRemaining }: Pick<Sender, 'report' | 'dailyRemaining'>) {
  return messageKinds.filter((kind) => {
    if (kind === 'answer') return true;
    return dailyRemaining !== 0 && (kind === 'ongoing' || report?.health.status !== 'restricted');
  });
}

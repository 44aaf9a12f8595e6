import type { Sender } from './sender.ts';

/**
 * What a message is to its recipient: the 'answer' to somebody who wrote within a day, the next one in an 'ongoing' chat,
 * or the first of a 'new' one. As it was when the message was accepted, last moved or came back, or since they wrote.
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
 * The kinds of messages that a number which can send may send now: the one place where that is decided. A day that is used
 * up leaves answers alone, a restriction all but new chats.
 */
export function kindsThatMayLeave({ report, dailyRemaining }: Pick<Sender, 'report' | 'dailyRemaining'>) {
  return messageKinds.filter((kind) => {
    if (kind === 'answer') return true;
    return dailyRemaining !== 0 && (kind === 'ongoing' || report?.health.status !== 'restricted');
  });
}

import { type MessageStatus, mayFollow } from '../../../../contract/messages/message-status.ts';

/** How far an outbound message has come. Times are milliseconds since 1970. */
export interface Progress {
  status: MessageStatus;
  queuedAt: number;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  errorMessage: string | null;
}

/** A message after a change of status, and the steps that it has taken to get there, in order. */
export interface Climb<Message extends Progress> {
  message: Message;
  steps: MessageStatus[];
}

type Rung = 'sent' | 'delivered' | 'read';

/** The rungs between queued and a status, itself included. */
const path: Record<Rung, Rung[]> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
};

/**
 * Moves a message up to `status`, through every rung that it has not yet reached: a read that comes before a delivered
 * yields both. What would lead down, or nowhere, takes no step. A rung is never earlier than the one below it, although
 * the network counts in whole seconds.
 */
export function climb<Message extends Progress>(message: Message, status: Rung, at: number): Climb<Message> {
  let current = message;
  const steps: MessageStatus[] = [];
  for (const rung of path[status]) {
    if (!mayFollow(current.status, rung)) continue;
    const below = Math.max(current.queuedAt, current.sentAt ?? 0, current.deliveredAt ?? 0);
    current = { ...current, status: rung, [`${rung}At`]: Math.max(at, below) };
    steps.push(rung);
  }
  return { message: current, steps };
}

/** Ends a message as failed, unless it was delivered or has failed already. */
export function fail<Message extends Progress>(
  message: Message,
  errorMessage: string,
  at: number,
): Climb<Message> {
  if (!mayFollow(message.status, 'failed')) return { message, steps: [] };
  return { message: { ...message, status: 'failed', failedAt: at, errorMessage }, steps: ['failed'] };
}

import { type MessageStatus, mayFollow } from '../../contract/message.ts';
import type { OutboundMessageState } from './outbound-message.ts';

/** A message after a change of status, and the steps it has taken to get there, in order. */
export interface Climb {
  message: OutboundMessageState;
  steps: MessageStatus[];
}

/** The rungs that lie between queued and a status, itself included. */
const path: Record<'sent' | 'delivered' | 'read', MessageStatus[]> = {
  sent: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered', 'read'],
};

/**
 * Moves a message up to `status`, through every rung that it has not yet reached: a read that comes before a delivered
 * yields both. What would lead down, or nowhere, takes no step. A rung is never earlier than the one below it, although
 * the network counts in whole seconds.
 */
export function climb(
  message: OutboundMessageState,
  status: 'sent' | 'delivered' | 'read',
  at: number,
): Climb {
  let current = message;
  const steps: MessageStatus[] = [];
  for (const rung of path[status]) {
    if (!mayFollow(current.status, rung)) continue;
    const below = Math.max(current.queuedAt, current.sentAt ?? 0, current.deliveredAt ?? 0);
    current = { ...current, status: rung, place: null, [`${rung}At`]: Math.max(at, below) };
    steps.push(rung);
  }
  return { message: current, steps };
}

/** Ends a message as failed, unless it was delivered or has failed already. */
export function fail(message: OutboundMessageState, errorMessage: string, at: number): Climb {
  if (!mayFollow(message.status, 'failed')) return { message, steps: [] };
  return {
    message: { ...message, status: 'failed', place: null, failedAt: at, errorMessage },
    steps: ['failed'],
  };
}

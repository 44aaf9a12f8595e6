import { distinctLabels } from '../../../contract/contacts/contact.ts';
import type { Actor } from '../../../contract/conversations/conversation.ts';
import { onlyGiven } from '../../../contract/given.ts';
import { comparableText } from '../../../contract/texts/text.ts';
import type { Conversation, ConversationChanges, SlaFields } from './conversation.ts';

/** What happens to a conversation, for those who keep its due times. */
export type MomentKind = 'created' | 'reopened' | 'waiting_began' | 'responded' | 'resolved' | 'changed';

export interface ConversationMoment {
  kind: MomentKind;
  at: number;
  /** As it will be stored. */
  conversation: Conversation;
  by: Actor;
}

/**
 * Is told about each step inside its transaction, and returns the due times that follow. They are stored with the
 * conversation's row, so they cost no row of their own.
 */
export interface ConversationHook {
  on(moment: ConversationMoment): Partial<SlaFields> | null;
  /** A conversation is about to become a part of another one. */
  joined?(from: string, to: string, at: number): void;
}

/**
 * The network counts in whole seconds, and clocks differ a little: what lies closer together counts as in the order in
 * which it came.
 */
const toleranceMs = 2_000;

/** A conversation after something happened, and what it amounts to. */
export interface Step {
  conversation: Conversation;
  moments: MomentKind[];
}

const opened = (conversation: Conversation, at: number): Conversation => ({
  ...conversation,
  status: 'open',
  snoozedUntil: null,
  resolvedAt: null,
  ...(conversation.status === 'resolved' && { openedAt: at, firstResponseAt: null }),
});

/** Somebody has written: at the latest now it is open, and they wait, unless they were answered since. */
export function afterInbound(before: Conversation, at: number): Step {
  const moments: MomentKind[] = [];
  const isAway = before.status === 'resolved' || before.status === 'snoozed';
  if (isAway) moments.push('reopened');
  const isAnswered = before.lastResponseAt !== null && at + toleranceMs <= before.lastResponseAt;
  const begins = before.waitingSince === null && !isAnswered;
  if (begins) moments.push('waiting_began');
  const conversation: Conversation = {
    ...(isAway ? opened(before, at) : before),
    unreadCount: before.unreadCount + 1,
    lastInboundAt: Math.max(before.lastInboundAt ?? 0, at),
    waitingSince: begins ? at : before.waitingSince,
  };
  return { conversation, moments };
}

/** A person has answered, here or on the phone. What is told late answers nothing that was written later. */
export function afterResponse(before: Conversation, at: number): Step {
  const { waitingSince, lastInboundAt } = before;
  const isTooEarly = waitingSince !== null && at + toleranceMs <= waitingSince;
  const isFollowed = lastInboundAt !== null && at + toleranceMs <= lastInboundAt;
  const stillWaits = isTooEarly || (waitingSince !== null && isFollowed);
  const conversation: Conversation = {
    ...before,
    waitingSince: isTooEarly ? waitingSince : stillWaits ? lastInboundAt : null,
    unreadCount: isTooEarly || isFollowed ? before.unreadCount : 0,
    lastResponseAt: Math.max(before.lastResponseAt ?? 0, at),
    firstResponseAt: before.firstResponseAt ?? at,
    botState: before.botState === 'active' ? 'paused' : before.botState,
  };
  const moments: MomentKind[] = waitingSince !== null && !isTooEarly ? ['responded'] : [];
  // Who has written since waits from then on.
  if (stillWaits && !isTooEarly) moments.push('waiting_began');
  return { conversation, moments };
}

/** Somebody, or something, has changed it. */
export function afterChanges(before: Conversation, changes: ConversationChanges, at: number): Step {
  const { status: wanted, snoozedUntil, addLabels = [], removeLabels = [], labels = before.labels } = changes;
  const status = wanted ?? (snoozedUntil ? 'snoozed' : before.status);
  const removed = new Set(removeLabels.map(comparableText));
  const kept = distinctLabels([...labels, ...addLabels]).filter(
    (label) => !removed.has(comparableText(label)),
  );
  const { priority, assigneeId, teamId, botState } = changes;
  let conversation: Conversation = {
    ...before,
    ...onlyGiven({ priority, assigneeId, teamId, botState }),
    labels: kept,
    status,
    snoozedUntil: status === 'snoozed' ? (snoozedUntil ?? before.snoozedUntil) : null,
    ...(status === 'open' && before.status !== 'open' && { wokenAt: at }),
  };
  const moments: MomentKind[] = [];
  if (status === 'resolved' && before.status !== 'resolved') {
    const done = { resolvedAt: at, waitingSince: null, unreadCount: 0, botState: botState ?? 'off' };
    conversation = { ...conversation, ...done };
    moments.push('resolved');
  } else if (before.status === 'resolved' && status !== 'resolved') {
    conversation = { ...conversation, resolvedAt: null, openedAt: at, firstResponseAt: null };
    moments.push('reopened');
  }
  return { conversation, moments: [...moments, 'changed'] };
}

/** Whether a step has left a conversation to its team. What somebody gives back waits for another occasion. */
export function wantsSomebody(
  before: Conversation | null,
  { status, assigneeId, teamId, botState }: Conversation,
  moments: readonly MomentKind[],
): boolean {
  if (status !== 'open' || assigneeId !== null || teamId === null || botState === 'active') return false;
  return (
    before === null ||
    before.status !== 'open' ||
    before.teamId !== teamId ||
    before.botState === 'active' ||
    moments.includes('waiting_began')
  );
}

/** Whether whoever had it has one less to see to. */
export const isFreed = (before: Conversation | null, after: Conversation): before is Conversation =>
  before !== null &&
  before.assigneeId !== null &&
  before.status === 'open' &&
  (after.status !== 'open' || after.assigneeId !== before.assigneeId);

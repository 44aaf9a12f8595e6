import type { Conversation } from './conversation.ts';

const earlier = (a: number | null, b: number | null) =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);
const later = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : Math.max(a, b));
/** What counts first: what people have said to an assistant, then that one takes part. */
const botStates = ['paused', 'active'] as const;

/** What two conversations with the same person come to: it is open where one of them was. */
export function joined(kept: Conversation, gone: Conversation): Conversation {
  const open = [kept, gone].find(({ status }) => status === 'open');
  const newest = gone.lastMessage > kept.lastMessage ? gone : kept;
  const { status, snoozedUntil, resolvedAt } = open ?? newest;
  return {
    ...kept,
    phoneNumber: kept.phoneNumber ?? gone.phoneNumber,
    lid: kept.lid ?? gone.lid,
    status,
    snoozedUntil,
    resolvedAt,
    assigneeId: kept.assigneeId ?? gone.assigneeId,
    teamId: kept.teamId ?? gone.teamId,
    labels: [...new Set([...kept.labels, ...gone.labels])],
    unreadCount: kept.unreadCount + gone.unreadCount,
    lastMessage: newest.lastMessage,
    last: newest.last,
    answers: newest.answers,
    waitingSince: earlier(kept.waitingSince, gone.waitingSince),
    lastInboundAt: later(kept.lastInboundAt, gone.lastInboundAt),
    lastResponseAt: later(kept.lastResponseAt, gone.lastResponseAt),
    firstResponseAt: earlier(kept.firstResponseAt, gone.firstResponseAt),
    firstResponseDueAt: earlier(kept.firstResponseDueAt, gone.firstResponseDueAt),
    nextResponseDueAt: earlier(kept.nextResponseDueAt, gone.nextResponseDueAt),
    resolutionDueAt: earlier(kept.resolutionDueAt, gone.resolutionDueAt),
    botState: botStates.find((state) => kept.botState === state || gone.botState === state) ?? 'off',
    createdAt: Math.min(kept.createdAt, gone.createdAt),
    openedAt: Math.min(kept.openedAt, gone.openedAt),
  };
}

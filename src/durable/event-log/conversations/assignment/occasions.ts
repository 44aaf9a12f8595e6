import type { Conversation } from '../conversation.ts';
import type { MomentKind } from '../conversation-hook.ts';

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

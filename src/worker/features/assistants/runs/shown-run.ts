import { isoTime } from '../../../../contract/times.ts';
import type { Turn } from '../../../../durable/event-log/assistants/turns/turn-rows.ts';

/** A turn as readers see it. */
export const showRun = (turn: Turn) => ({
  turnId: turn.turnId,
  assistantId: turn.assistantId,
  conversationId: turn.conversationId,
  outcome:
    turn.state === 'waiting' || turn.state === 'running' || turn.state === 'sending'
      ? ('running' as const)
      : turn.state,
  reason: turn.reason,
  question: turn.question,
  reply: turn.reply,
  messageId: turn.messageId,
  model: turn.detail?.model ?? null,
  instructionsVersion: turn.detail?.instructionsVersion ?? null,
  sources: turn.detail?.sources ?? [],
  toolCalls: turn.detail?.toolCalls ?? [],
  error: turn.detail?.error ?? null,
  tokens: turn.tokens,
  cost: turn.cost,
  durationMs: turn.detail?.durationMs ?? null,
  at: isoTime(turn.begunAt),
  endedAt: isoTime(turn.endedAt),
});

import type { RunReason, RunSource, RunTokens, RunToolCall } from '../../../../contract/assistants/run.ts';

/**
 * `waiting`: for the end of a burst, or for another try. `running`: somebody answers it under a lease. `sending`: what is
 * said is decided, and on its way. The others are ends.
 */
type TurnState = 'waiting' | 'running' | 'sending' | 'answered' | 'handed_off' | 'dropped';

/** What is known of how an answer came about. */
export interface TurnDetail {
  model: string;
  durationMs: number;
  sources: RunSource[];
  toolCalls: RunToolCall[];
  /** What went wrong at the last try, in words. */
  error: string | null;
  /** Which wording of the instructions it was thought under; absent: it was not known, or nothing was thought. */
  instructionsVersion?: string;
}

/** A row of `assistant_turns`. Times are milliseconds since 1970. */
export interface Turn {
  id: number;
  turnId: string;
  conversationId: string;
  assistantId: string;
  state: TurnState;
  endsAs: 'answered' | 'handed_off' | null;
  reason: RunReason | null;
  firstMessage: number;
  lastMessage: number;
  /** Messages of it that nobody has answered yet, by their ids in `messages`. */
  toAnswer: number[];
  /** Not before. */
  dueAt: number;
  ringAt: number | null;
  lease: string | null;
  attempts: number;
  begunAt: number;
  endedAt: number | null;
  /** The beginning of what was written. */
  question: string;
  reply: string | null;
  messageId: string | null;
  tokens: RunTokens;
  cost: number | null;
  detail: TurnDetail | null;
}

export type TurnRow = {
  id: number;
  turn_id: string;
  conversation_id: string;
  assistant_id: string;
  state: TurnState;
  ends_as: Turn['endsAs'];
  reason: RunReason | null;
  first_message: number;
  last_message: number;
  due_at: number;
  ring_at: number | null;
  lease: string | null;
  attempts: number;
  begun_at: number;
  ended_at: number | null;
  question: string;
  reply: string | null;
  message_id: string | null;
  input_tokens: number;
  output_tokens: number;
  cost: number | null;
  detail: string | null;
  to_answer: string;
};

export const turnOf = (row: TurnRow): Turn => ({
  id: row.id,
  turnId: row.turn_id,
  conversationId: row.conversation_id,
  assistantId: row.assistant_id,
  state: row.state,
  endsAs: row.ends_as,
  reason: row.reason,
  firstMessage: row.first_message,
  lastMessage: row.last_message,
  toAnswer: JSON.parse(row.to_answer),
  dueAt: row.due_at,
  ringAt: row.ring_at,
  lease: row.lease,
  attempts: row.attempts,
  begunAt: row.begun_at,
  endedAt: row.ended_at,
  question: row.question,
  reply: row.reply,
  messageId: row.message_id,
  tokens: { input: row.input_tokens, output: row.output_tokens },
  cost: row.cost,
  detail: row.detail === null ? null : JSON.parse(row.detail),
});

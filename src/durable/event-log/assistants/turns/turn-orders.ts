import type { RunReason, RunTokens } from '../../../../contract/assistants/run.ts';
import type { ContactAttributes } from '../../../../contract/contacts/attributes.ts';
import type { UsedInstructions } from '../reports/instruction-versions.ts';
import type { TurnDetail } from './turn-rows.ts';

/** A message of the conversation as the assistant may know it. */
export interface ContextMessage {
  /** Its id in `messages`. */
  id: number;
  /** `contact`: the one who is answered; `business`: anybody or anything on this side. */
  from: 'contact' | 'assistant' | 'business';
  text: string;
  at: number;
  /** A picture that the contact has sent, and that can be shown. */
  picture?: { mediaId: string };
}

/** What an assistant may know of a conversation, and nothing of any other. */
export interface TurnContext {
  conversationId: string;
  contactId: string | null;
  phoneNumber: string | null;
  name: string | null;
  labels: string[];
  attributes: ContactAttributes;
  conversationLabels: string[];
  /** Oldest first. */
  messages: ContextMessage[];
  /** Of what was said before these messages. */
  summary: string | null;
  isIntroduced: boolean;
  /** Messages before those above that are in no summary yet. */
  unsummarised: ContextMessage[];
}

/** What is to be sent under this turn, and how. */
export interface SendOrder {
  turnId: string;
  assistantId: string;
  numberId: string;
  to: string;
  text: string;
  /** The same for each repetition. */
  idempotencyKey: string;
  /** When its turn began: whatever a person has sent to them since comes instead. */
  since: number;
}

export type ClaimedTurn =
  /** Nothing is to be done, or not yet. */
  | { todo: 'nothing' }
  | { todo: 'send'; order: SendOrder }
  | { todo: 'answer'; lease: string; assistantId: string; context: TurnContext };

/** What the model came to. */
export interface TurnResult {
  tokens: RunTokens;
  cost: number | null;
  detail: TurnDetail;
  /** Labels of the conversation that it has asked for. */
  labels: string[];
  /** What it was told by the business; absent where it was not asked at all. */
  instructions?: UsedInstructions;
}

/** What it says, or why it says nothing. */
export type Ending =
  | { outcome: 'answer'; text: string }
  | { outcome: 'hand_off'; reason: RunReason; note: string | null }
  /** `retryAfterMs`: the provider asks to be left alone for so long. `isFinal`: another try would bring the same. */
  | { outcome: 'failed'; retryAfterMs?: number; isFinal?: boolean };

export type Thought = TurnResult & Ending;

/** What was said earlier in a conversation, in short. */
export interface TurnSummary {
  conversationId: string;
  assistantId: string;
  summary: string;
  /** The last message that is in it. */
  summarisedTo: number;
  tokens: RunTokens;
  cost: number | null;
}

/** What follows from a thought: something to send, or nothing. */
export type Decided = { order: SendOrder | null };

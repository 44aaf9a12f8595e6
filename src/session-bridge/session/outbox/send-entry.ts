import {
  type OutboundMessage,
  type SendOutcome,
  unknownOutcomeCode,
} from '../../../contract/bridge/bridge-frames.ts';
import { FileProblem } from '../../media/outbound-files.ts';
import type { SendName } from './send-ledger.ts';
import type { SendState } from './send-states.ts';

/** What is told of a send when it fails; a code of the network's, or null where it never got that far. */
export interface SendFailure {
  code: string | null;
  errorMessage: string;
}

/** A message that an outbox holds. */
export interface SendEntry {
  /** As it was handed over last. */
  message: OutboundMessage;
  /** From then on it must not leave any more; by the clock of `performance.now()`. */
  leavesBeforeMs: number;
  state: SendState;
  /** Hand-overs from this bridge, also those before a restart. */
  handOvers: number;
  preparations: number;
  /** It was refused once and goes another way. */
  isPardoned: boolean;
  failure: SendFailure;
  /** When the last hand-over began; Unix time in milliseconds. */
  handedAtMs: number;
  timer: NodeJS.Timeout | undefined;
}

const unprepared: SendFailure = {
  code: null,
  errorMessage: 'The message could not be prepared for the recipient: the network gave no keys for it.',
};

export const unanswered: SendFailure = {
  code: unknownOutcomeCode,
  errorMessage:
    'It was handed to the network again and again and never acknowledged: whether it arrived is not known.',
};

/** Why a message could not be prepared, for a person. */
export function failureOf(error: unknown): SendFailure {
  if (!(error instanceof Error && error.cause instanceof FileProblem)) return unprepared;
  return { code: null, errorMessage: `Its file could not be uploaded: ${error.cause.message}.` };
}

export function newEntry(message: OutboundMessage, state: SendState, handOvers: number): SendEntry {
  return {
    message,
    leavesBeforeMs: performance.now() + message.expiresInMs,
    state,
    handOvers,
    preparations: 0,
    isPardoned: false,
    failure: unprepared,
    handedAtMs: 0,
    timer: undefined,
  };
}

/** The edge has handed it over once more: it goes on under the newer number. */
export function renewEntry(entry: SendEntry, message: OutboundMessage): void {
  entry.message = message;
  entry.leavesBeforeMs = performance.now() + message.expiresInMs;
}

export const nameOf = ({ message: { messageId, handOver } }: SendEntry): SendName => ({
  messageId,
  handOver,
});

export function sent(name: SendName, ackMs?: number): SendOutcome {
  const at = new Date().toISOString();
  return { outcome: 'sent', ...name, at, ...(ackMs !== undefined && { ackMs: Math.max(0, ackMs) }) };
}

export function failed(name: SendName, failure: SendFailure): SendOutcome {
  return { outcome: 'failed', ...name, at: new Date().toISOString(), ...failure };
}

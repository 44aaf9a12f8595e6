import {
  type OutboundMessage,
  type SendOutcome,
  unknownOutcomeCode,
} from '../../../contract/bridge/bridge-frames.ts';
import { type PreparationFailure, sendRefusal } from '../../../contract/messages/send-refusals.ts';
import { FileProblem } from '../../media/outbound-files.ts';
import type { HandOverError } from '../../network/connection/connection.ts';
import type { SendName } from './send-ledger.ts';
import type { SendState } from './send-states.ts';

/** What is told of a send when it fails; a code of the network's, or null where it never left, and then why. */
export interface SendFailure {
  code: string | null;
  refusal?: string;
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

const neverLeft = (refusal: string, errorMessage = sendRefusal(refusal)): SendFailure => ({
  code: null,
  refusal,
  errorMessage,
});
const unprepared = neverLeft('unprepared' satisfies PreparationFailure);

export const unanswered: SendFailure = {
  code: unknownOutcomeCode,
  errorMessage:
    'It was handed to the network again and again and never acknowledged: whether it arrived is not known.',
};

/** Why a message could not be prepared, with the network's own code where it gave one. */
export function failureOf({ cause, refusal }: HandOverError): SendFailure {
  if (cause instanceof FileProblem) {
    return neverLeft('file' satisfies PreparationFailure, cause.message);
  }
  return refusal === null ? unprepared : neverLeft(refusal);
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

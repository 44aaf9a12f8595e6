import {
  type OutboundMessage,
  type SendOutcome,
  unknownOutcomeCode,
} from '../../../contract/bridge/bridge-frames.ts';
import { type FileContent, isFileContent } from '../../../contract/messages/content.ts';
import { type PreparationFailure, sendRefusal } from '../../../contract/messages/send-refusals.ts';
import { FileProblem } from '../../media/outbound-files.ts';
import { HandOverError } from '../../network/connection/connection.ts';
import type { NetworkFiles } from '../../network/files/network-files.ts';
import type { SendName } from './send-ledger.ts';
import type { SendState } from './send-states.ts';

/** The report of a failed send: the network's code, or null if it never left, and then why. */
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

/** The edge has handed it over again: it continues under the newer number. */
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

export interface FilesAheadOptions {
  /** Makes sure that the network has the file; throws if it cannot be uploaded. */
  bring: (content: FileContent, files: NetworkFiles) => Promise<unknown>;
  /** A message that waited for its file may take its turn. */
  onReady: () => void;
}

type Bringing = { is: 'under way' } | { is: 'there' } | { is: 'failed'; error: unknown };

/**
 * Uploads files of messages that wait for their turn, in parallel with the queue: only messages in the same chat wait for
 * them.
 */
export class FilesAhead {
  readonly #options: FilesAheadOptions;
  /** By the network's id of the message. */
  readonly #files = new Map<string, Bringing>();

  constructor(options: FilesAheadOptions) {
    this.#options = options;
  }

  /** Whether the message may take its turn: it has no file, or the outcome of the upload is known. */
  isReady({ providerMessageId, content }: OutboundMessage, files: NetworkFiles): boolean {
    if (!isFileContent(content)) return true;
    const known = this.#files.get(providerMessageId);
    if (known) return known.is !== 'under way';
    const bringing: Bringing = { is: 'under way' };
    this.#files.set(providerMessageId, bringing);
    const ended = (how: Bringing) => {
      // It may have been deleted and started again meanwhile.
      if (this.#files.get(providerMessageId) !== bringing) return;
      this.#files.set(providerMessageId, how);
      this.#options.onReady();
    };
    void this.#options.bring(content, files).then(
      () => ended({ is: 'there' }),
      (error) => ended({ is: 'failed', error }),
    );
    return false;
  }

  /** Its turn has come. Throws if its file could not be uploaded; the upload is then tried again for its next turn. */
  atTurn({ providerMessageId }: OutboundMessage): void {
    const known = this.#files.get(providerMessageId);
    if (known?.is !== 'failed') return;
    this.#files.delete(providerMessageId);
    throw new HandOverError(known.error, 'unprepared', 'file' satisfies PreparationFailure);
  }

  /** The message is not held here any more. */
  forget({ providerMessageId }: OutboundMessage): void {
    this.#files.delete(providerMessageId);
  }
}

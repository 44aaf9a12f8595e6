import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../contract/errors.ts';
import { logFault } from '../log.ts';
import type { AdmittedMessage } from '../phone-number/outbound-message.ts';
import type { SendAnswer, SendLogSender, SendRequest } from './admission-types.ts';

/** Attempts to hand a message to its number before the outcome counts as unknown. */
const attemptsMax = 3;
const arrivedKept = 10_000;

/** The number has it, and took it under that stamp of its own; or it refuses. `missing`: the earlier ones that it lacks. */
export type Taken = { ok: true; takenAt: number; missing: string[] } | Refusal;

/** The message of an admitted send, as its number gets it, however often. */
export function admittedMessage(
  request: SendRequest,
  answer: SendAnswer,
  sender: SendLogSender,
  lifetimeMs: number,
): AdmittedMessage {
  const queuedAt = Date.parse(answer.queuedAt);
  return {
    messageId: answer.messageId,
    to: request.to,
    chatType: request.chatType,
    content: request.content,
    senderSource: sender.source,
    isNewChat: sender.isNewChat ?? false,
    mayMove: sender.mayMove ?? false,
    moves: 0,
    queuedAt,
    expiresAt: queuedAt + lifetimeMs,
  };
}

/** Gives messages to their numbers. */
export class HandOver {
  readonly #numberOf: (numberId: string) => ReturnType<Env['PHONE_NUMBER']['getByName']>;
  /** Messages whose hand-over is under way in this life of the object. */
  readonly #underWay = new Set<string>();
  readonly #arrived = new LRUCache<string, true>({ max: arrivedKept });

  constructor(numberOf: (numberId: string) => ReturnType<Env['PHONE_NUMBER']['getByName']>) {
    this.#numberOf = numberOf;
  }

  /** Whether its number is known to have taken it, in this life of the object. */
  hasArrived(messageId: string): boolean {
    return this.#arrived.has(messageId);
  }

  isUnderWay(messageId: string): boolean {
    return this.#underWay.has(messageId);
  }

  /** Gives a message to its number; null where the outcome is not known. Safe to repeat: the number knows it by its id. */
  async give(numberId: string, message: AdmittedMessage, earlier: readonly string[]): Promise<Taken | null> {
    const { messageId } = message;
    this.#underWay.add(messageId);
    try {
      const taken = await this.enqueue(numberId, message, earlier);
      if (taken.ok) this.#arrived.set(messageId, true);
      return taken;
    } catch (error) {
      logFault('enqueue.failed', error, { messageId, numberId });
      return null;
    } finally {
      this.#underWay.delete(messageId);
    }
  }

  /** A broken stub stays broken, so each attempt takes a new one. An overloaded object is not asked again. */
  async enqueue(numberId: string, message: AdmittedMessage, earlier: readonly string[] = []): Promise<Taken> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#numberOf(numberId).enqueue(message, earlier);
      } catch (error) {
        const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
        if (!retryable || overloaded || attempt === attemptsMax) throw error;
      }
    }
  }
}

/** What the customer is told when it is not known whether the message was taken. */
export const unknownOutcome = refuse(
  'INTERNAL',
  'The message could not be accepted. Repeat the request with the same Idempotency-Key.',
);

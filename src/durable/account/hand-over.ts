import { LRUCache } from 'lru-cache';
import { refuse } from '../../contract/errors.ts';
import { logFault } from '../log.ts';
import type { AdmittedMessage, Enqueued, Taken } from '../phone-number/outbound-message.ts';
import type { CountedSend } from './admission.ts';

/** Attempts to hand messages to their number before the outcome counts as unknown. */
const attemptsMax = 3;
const arrivedKept = 10_000;

type NumberStub = ReturnType<Env['PHONE_NUMBER']['getByName']>;

/** The message of an admitted send, as its number gets it, however often. */
export function admittedMessage(
  { request, answer, sender }: CountedSend,
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
  readonly #numberOf: (numberId: string) => NumberStub;
  /** Messages whose hand-over is under way in this life of the object. */
  readonly #underWay = new Set<string>();
  readonly #arrived = new LRUCache<string, true>({ max: arrivedKept });

  constructor(numberOf: (numberId: string) => NumberStub) {
    this.#numberOf = numberOf;
  }

  /** Whether its number is known to have taken it, in this life of the object. */
  hasArrived(messageId: string): boolean {
    return this.#arrived.has(messageId);
  }

  isUnderWay(messageId: string): boolean {
    return this.#underWay.has(messageId);
  }

  /**
   * Gives messages to a number in one call, in order; null where the outcome is not known. `earlier`: asked about with
   * them. Safe to repeat: the number knows a message by its id.
   */
  async give(
    numberId: string,
    messages: readonly AdmittedMessage[],
    earlier: readonly string[],
  ): Promise<Enqueued | null> {
    for (const { messageId } of messages) this.#underWay.add(messageId);
    try {
      const enqueued = await this.#ask(numberId, (number) => number.enqueueMany(messages, earlier));
      for (const [index, { messageId }] of messages.entries()) {
        if (enqueued.taken[index]?.ok) this.#arrived.set(messageId, true);
      }
      return enqueued;
    } catch (error) {
      for (const { messageId } of messages) logFault('enqueue.failed', error, { messageId, numberId });
      return null;
    } finally {
      for (const { messageId } of messages) this.#underWay.delete(messageId);
    }
  }

  /** Gives a message to a number; throws where the outcome is not known. */
  enqueue(numberId: string, message: AdmittedMessage): Promise<Taken> {
    return this.#ask(numberId, (number) => number.enqueue(message));
  }

  /** A broken stub stays broken, so each attempt takes a new one. An overloaded object is not asked again. */
  async #ask<Answer>(numberId: string, call: (number: NumberStub) => Answer): Promise<Awaited<Answer>> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await call(this.#numberOf(numberId));
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

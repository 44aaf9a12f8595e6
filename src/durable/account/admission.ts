import { type Refusal, refuse } from '../../contract/errors.ts';
import { messageIdFor } from '../message-ids.ts';
import type { AccountParts } from './account-parts.ts';
import type { SendAnswer, SendLogSender, SendRequest } from './admission-types.ts';
import type { Judgement } from './choosing.ts';
import type { FirstAnswer } from './idempotency.ts';
import type { Turn } from './rotation.ts';
import type { Configuration, KeySnapshot } from './snapshot.ts';

export const invalidKey = refuse(
  'INVALID_API_KEY',
  'The API key is missing, malformed, unknown or revoked.',
) as Refusal & {
  code: 'INVALID_API_KEY';
};

export interface UndecidedSend {
  request: SendRequest;
  /** The network may still be asked about the recipient. */
  mayLookUp: boolean;
}

export interface CountedSend {
  request: SendRequest;
  answer: SendAnswer;
  sender: SendLogSender;
}

/** What the account decides about a send. */
export type Verdict =
  | { kind: 'refused'; refusal: Refusal }
  /** It was answered before, under the same `Idempotency-Key`. */
  | { kind: 'repeated'; first: FirstAnswer }
  /** That number should ask the network first whether the recipient is there. */
  | { kind: 'unknown'; lookUpBy: string }
  /** It is counted, and to be handed to its number. */
  | ({ kind: 'counted' } & CountedSend);

type Choice = NonNullable<Judgement['choice']>;

/** Whether messages are accepted, and through which number: decided and counted without a wait in between. */
export class Admission {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  /**
   * Decides about sends, each by what those before it have left, and counts the accepted ones. Call inside a
   * transaction. `configuration`: null when there is no such account.
   */
  admit(sends: readonly UndecidedSend[], configuration: Configuration | null, now: number): Verdict[] {
    if (configuration === null) return sends.map(() => refused(invalidKey));
    const verdicts = sends.map((send) => this.#decide(send, configuration, now));
    const given = verdicts.flatMap((verdict) =>
      verdict.kind === 'counted' ? [verdict.answer.numberId] : [],
    );
    for (const numberId of new Set(given)) this.#parts.books.save(numberId);
    return verdicts;
  }

  #decide({ request, mayLookUp }: UndecidedSend, configuration: Configuration, now: number): Verdict {
    const { idempotency, quota, choosing, keys } = this.#parts;
    const key = keys.find(configuration, request.keyHash, now);
    if (!key) return refused(invalidKey);
    const first = request.idempotencyKey === null ? null : idempotency.find(request.idempotencyKey, now);
    if (first)
      return first.bodyHash === request.bodyHash ? { kind: 'repeated', first } : refused(otherRequest);
    const exceeded = quota.refusal(configuration.plan, now);
    if (exceeded) {
      quota.tellExceeded(configuration.plan, now);
      return refused(exceeded);
    }
    const judgement = choosing.judge(request, configuration, key, now);
    const { refusals, choice, lookUpBy } = judgement;
    if (refusals[0]) return refused(refusals[0]);
    const turn = choosing.turn(judgement);
    if (choice === null || turn === null) throw new Error('neither a sender nor a reason why there is none');
    if (lookUpBy !== null && mayLookUp) return { kind: 'unknown', lookUpBy };
    return this.#count(request, key, choice, turn, configuration, now);
  }

  /** All that an accepted send leaves in the account, but for its number's book, which is saved once a group. */
  #count(
    request: SendRequest,
    key: KeySnapshot,
    { numberId, source, isNewChat }: Choice,
    turn: Turn,
    { settings }: Configuration,
    now: number,
  ): Verdict {
    const { pending, counts, choosing, keys, idempotency, housekeeping } = this.#parts;
    const { to, chatType, content, idempotencyKey, bodyHash } = request;
    const messageId = messageIdFor(numberId, now);
    const answer: SendAnswer = {
      messageId,
      status: 'queued',
      numberId,
      to,
      chatType,
      messageType: content.type,
      queuedAt: new Date(now).toISOString(),
    };
    const mayMove = key.pinnedNumberId === null || key.onPinFailure === 'fallback';
    const sender: SendLogSender = { keyId: key.id, numberId, source, isNewChat, mayMove };
    counts.add(numberId, now, turn);
    pending.add(numberId, messageId, idempotencyKey);
    keys.noteSend(key.id, numberId, now);
    choosing.give(numberId, messageId, turn);
    if (idempotencyKey !== null) idempotency.store(idempotencyKey, { bodyHash, answer, sender }, now);
    choosing.conversations.noteOutbound(to, numberId, now, settings.stickyHours);
    housekeeping.begin(now);
    return { kind: 'counted', request, answer, sender };
  }
}

const refused = (refusal: Refusal): Verdict => ({ kind: 'refused', refusal });

const otherRequest = refuse('IDEMPOTENCY_CONFLICT', 'This Idempotency-Key was used with another request.', {
  details: [{ path: 'Idempotency-Key', message: 'Use a new key for a new request.' }],
});

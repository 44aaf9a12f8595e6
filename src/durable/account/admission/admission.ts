import { type Refusal, refuse } from '../../../contract/errors.ts';
import { shownRecipient } from '../../../contract/messages/recipient.ts';
import type { Fact } from '../../event-log/facts.ts';
import type { LogOutbox } from '../../hand-over/log-outbox.ts';
import { type AcceptedMessage, extrasOf, type MessageExtras } from '../../hand-over/message-batch.ts';
import { newMessageId } from '../../new-ids.ts';
import type { Housekeeping } from '../../storage/housekeeping.ts';
import { invalidKey, type KeyRing, scopeRefusal } from '../configuration/key-ring.ts';
import type { Configuration, KeyPin } from '../configuration/snapshot.ts';
import { recordOf } from '../outbox/failures.ts';
import type { FileFetches } from '../outbox/file-fetches.ts';
import type { Placement, Schedule } from '../outbox/placement.ts';
import type { Choosing, Judgement } from '../senders/choosing.ts';
import type { Idempotency } from './idempotency.ts';
import type { QuotaGate } from './quota-gate.ts';
import { type AdmittedSend, otherDigits, type PeopleFirst, personCameFirst } from './send-as.ts';
import type { Accepted, SendAnswer, SendLogSender, SendRequest } from './send-request.ts';

/** A send that has to be decided: of an API key, or of the gateway's own people and machines. */
export interface UndecidedSend {
  request: SendRequest | AdmittedSend;
  /** The network may still be asked about the recipient. */
  mayLookUp: boolean;
}

/** What the account decides about a send. */
export type Verdict =
  | Accepted
  | Refusal
  /** That number should ask the network first whether the recipient is there. */
  | { ok: null; lookUpBy: string };

type FirstSend = Pick<Accepted, 'answer' | 'sender'>;

interface AdmissionParts {
  keys: KeyRing;
  idempotency: Idempotency;
  quota: QuotaGate;
  choosing: Choosing;
  placement: Placement;
  schedule: Schedule;
  fileFetches: Pick<FileFetches, 'note'>;
  logOutbox: LogOutbox;
  peopleFirst: PeopleFirst;
  housekeeping: Housekeeping;
  messageLifetimeMs: number;
}

/** Whether messages are accepted, and through which number: decided and stored without a wait in between. */
export class Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Decides about sends, each by what the earlier ones have left, and stores the accepted ones. Call inside a transaction.
   * `configuration`: null if there is no such account. `began`: called for each send before it is decided.
   */
  admit(
    sends: readonly UndecidedSend[],
    configuration: Configuration | null,
    now: number,
    began: (index: number) => void = () => {},
  ): Verdict[] {
    if (configuration === null) return sends.map(() => invalidKey);
    const facts: Fact[] = [];
    const verdicts = sends.map((send, index) => {
      began(index);
      return this.#decide(send, configuration, facts, now);
    });
    this.#parts.placement.finish(now);
    this.#parts.logOutbox.add(facts);
    return verdicts;
  }

  /** The number that should ask the network about the recipient before the send is decided; null where none should. */
  lookUpBy(request: SendRequest, configuration: Configuration, now: number): string | null {
    const { keys, choosing } = this.#parts;
    const key = keys.find(configuration, request, now);
    return 'ok' in key ? null : choosing.judge(choosing.addressed(request), configuration, key, now).lookUpBy;
  }

  #decide(
    { request: asked, mayLookUp }: UndecidedSend,
    configuration: Configuration,
    facts: Fact[],
    now: number,
  ): Verdict {
    const { idempotency, quota, choosing } = this.#parts;
    const request = choosing.addressed(asked);
    const key = this.#rightsOf(request, configuration, now);
    if ('ok' in key) return key;
    if (request.idempotencyKey !== null) {
      const first = idempotency.find<FirstSend>(request.idempotencyKey, now);
      if (first) return first.bodyHash === request.bodyHash ? replayed(first.answer) : otherRequest;
    }
    if ('origin' in request && this.#isOvertaken(request)) return personCameFirst;
    const exceeded = quota.refusal(configuration.plan, now);
    if (exceeded) {
      const fact = quota.noteExceeded(configuration.plan, now);
      if (fact) facts.push(fact);
      return exceeded;
    }
    const judgement = choosing.judge(request, configuration, key, now);
    if (judgement.refusals[0]) return judgement.refusals[0];
    if (judgement.lookUpBy !== null && mayLookUp) return { ok: null, lookUpBy: judgement.lookUpBy };
    if ('origin' in request && request.to !== (request.unlessOtherThan ?? request.to)) return otherDigits;
    return this.#accept(request, key, judgement, configuration, facts, now);
  }

  /** Whether a person has written to them while a machine thought about it. */
  #isOvertaken({ to, numberId, unlessPersonSince: since }: AdmittedSend): boolean {
    return since !== undefined && numberId !== null && this.#parts.peopleFirst.hasSince(to, numberId, since);
  }

  /** The key of a request that has one, where it may send. */
  #rightsOf(
    request: UndecidedSend['request'],
    configuration: Configuration,
    now: number,
  ): (KeyPin & { id: string | null }) | Refusal {
    if ('origin' in request) return { pinnedNumberId: request.numberId, onPinFailure: 'strict', id: null };
    const key = this.#parts.keys.find(configuration, request, now);
    return 'ok' in key ? key : (scopeRefusal(key, 'messages:send') ?? key);
  }

  /** All that an accepted send leaves in the account, but for what is stored once for all of them. */
  #accept(
    request: UndecidedSend['request'],
    key: KeyPin & { id: string | null },
    { choice, conversations }: Judgement,
    { settings, plan }: Configuration,
    facts: Fact[],
    now: number,
  ): Accepted {
    if (choice === null) throw new Error('neither a sender nor a reason why there is none');
    const { placement, schedule, idempotency, quota, housekeeping, fileFetches, messageLifetimeMs } =
      this.#parts;
    const { to, chatType, content, idempotencyKey, bodyHash } = request;
    const { numberId, source, kind, rotated } = choice;
    const message: AcceptedMessage = {
      messageId: newMessageId(),
      to,
      chatType,
      content,
      senderSource: source,
      isNewChat: kind === 'new',
      mayMove: key.pinnedNumberId === null || key.onPinFailure === 'fallback',
      queuedAt: now,
      expiresAt: Math.max(now, request.sendAt ?? now) + messageLifetimeMs,
      ...extrasOf(request as MessageExtras),
      ...(request.fileUrl !== undefined && { fileUrl: request.fileUrl }),
      ...('among' in request && request.among !== undefined && { among: request.among }),
    };
    if (message.fileUrl !== undefined) fileFetches.note(message.messageId, now);
    if (message.sendAt !== undefined) schedule.note(message.sendAt);
    const { stickyHours } = settings;
    const number = placement.put(message, { numberId, rotated, conversations, stickyHours }, now);
    facts.push({ kind: 'message.queued', message: recordOf(message, number) });
    const warning = quota.noteUsed(plan, now);
    if (warning !== null) facts.push(warning);
    const answer: SendAnswer = {
      messageId: message.messageId,
      status: 'queued',
      numberId,
      ...shownRecipient(message),
      chatType,
      messageType: content.type,
      queuedAt: new Date(now).toISOString(),
    };
    const sender: SendLogSender = { keyId: key.id, numberId, source };
    if (idempotencyKey !== null) idempotency.store(idempotencyKey, bodyHash, { answer, sender }, now);
    if ('origin' in request && request.origin.kind === 'person' && request.sendAt === undefined) {
      this.#parts.peopleFirst.note(to, numberId, now);
    }
    housekeeping.begin(now);
    return { ok: true, answer, replayed: false, sender };
  }
}

const replayed = (first: FirstSend): Accepted => ({ ok: true, ...first, replayed: true });

/** A key that was used with another request. */
export const otherRequest = refuse(
  'IDEMPOTENCY_CONFLICT',
  'This Idempotency-Key was already used with another request.',
  { details: [{ path: 'Idempotency-Key', message: 'Use a new key for a new request.' }] },
);

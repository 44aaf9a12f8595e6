import { type Refusal, refuse } from '../../../contract/errors.ts';
import { logFault } from '../../log.ts';
import type { ConfigurationSource } from '../configuration/configuration-source.ts';
import { type KeyRing, scopeRefusal } from '../configuration/key-ring.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { LookUps } from '../recipients/recipient-checks.ts';
import { mayHaveTwoForms } from '../recipients/two-forms.ts';
import { type Admission, otherRequest, type UndecidedSend, type Verdict } from './admission.ts';
import { batchKeyOf, type Idempotency } from './idempotency.ts';
import type { RateLimits } from './rate-limits.ts';
import { admittedSend, type SendAsRequest, type SendAsResult } from './send-as.ts';
import { SendGroups } from './send-groups.ts';
import type { Accepted, BatchRequest, BatchResult, SendRequest, SendResult } from './send-request.ts';

interface SendingParts {
  configuration: ConfigurationSource;
  keys: KeyRing;
  rateLimits: RateLimits;
  idempotency: Idempotency;
  admission: Admission;
  lookUps: LookUps;
  change: <Result>(work: () => Result) => Result;
}

type Item = Accepted | Refusal;

/** The way of sends through the account: by the rate, perhaps past the network, into one transaction. */
export class Sending {
  readonly #parts: SendingParts;
  readonly #groups: SendGroups<UndecidedSend, Verdict>;

  constructor(parts: SendingParts) {
    this.#parts = parts;
    this.#groups = new SendGroups((group) => {
      const { change, admission, configuration } = parts;
      return change(() => admission.admit(group, configuration.loaded, Date.now()));
    });
  }

  /** A result that is `ok` is the promise of the 202: the message is stored, and the log will be told. */
  async send(request: SendRequest): Promise<SendResult> {
    const { configuration, keys, rateLimits } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, request, now);
    if ('ok' in key) return key;
    const { refusal, limits } = rateLimits.consume(key.id, now);
    keys.noteUse(key.id, now);
    return { ...(refusal ?? (await this.#decide(request))), limits, keyId: key.id };
  }

  /** The same for a send that no API key asks for: whoever asks has seen to it that it may be asked. */
  async sendAs(request: SendAsRequest): Promise<SendAsResult> {
    await this.#parts.configuration.current();
    const result = await this.#decide(admittedSend(request));
    return result.ok ? { ok: true, answer: result.answer, replayed: result.replayed } : result;
  }

  async #decide(request: UndecidedSend['request']): Promise<Item> {
    const verdict = await this.#groups.join({ request, mayLookUp: true });
    if (verdict.ok !== null) return verdict;
    // The only wait before the message is stored begins this anew.
    await this.#parts.lookUps.lookUp(request.to, verdict.lookUpBy);
    return settled(await this.#groups.join({ request, mayLookUp: false }));
  }

  /** Several sends in one transaction, each judged by itself; with the key of the whole request, all of the answer is kept. */
  async sendBatch(batch: BatchRequest): Promise<BatchResult> {
    const { configuration, keys, rateLimits } = this.#parts;
    const current = await configuration.current();
    const now = Date.now();
    const key = keys.find(current, batch, now);
    if ('ok' in key) return key;
    const { refusal: tooFast, limits } = rateLimits.consume(key.id, now, batch.items.length);
    keys.noteUse(key.id, now);
    const refusal = tooFast ?? scopeRefusal(key, 'messages:send');
    const asked = { limits, keyId: key.id };
    if (refusal) return { ...refusal, ...asked };
    // Lets the runtime look at its other connections: batches that follow one another on one would have it to themselves.
    await scheduler.wait(0);
    if (asksNetwork(current) || sendsOf(batch).some(({ request: { to } }) => mayHaveTwoForms(to))) {
      const first = this.#firstAnswer(batch, key.id, now);
      if (first !== null) return { ...first, ...asked };
      await this.#lookUpAll(batch, current);
    }
    return { ...this.#admitAll(batch, key.id), ...asked };
  }

  /** What the request was answered the first time; null when this is the first. */
  #firstAnswer({ idempotencyKey, bodyHash }: BatchRequest, keyId: string, now: number): BatchResult | null {
    if (idempotencyKey === null) return null;
    const first = this.#parts.idempotency.find<Item[]>(batchKeyOf(idempotencyKey), now);
    if (first === null) return null;
    if (first.bodyHash !== bodyHash) return otherRequest;
    return { ok: true, keyId, items: first.answer, replayed: true };
  }

  /** Asks the network about the recipients of whom it has to be asked first. */
  async #lookUpAll(batch: BatchRequest, configuration: Configuration): Promise<void> {
    const { admission, lookUps } = this.#parts;
    const questions: Promise<void>[] = [];
    for (const { request } of sendsOf(batch)) {
      // Each after the one before has been counted: a number may ask only so often a day.
      const numberId = admission.lookUpBy(request, configuration, Date.now());
      if (numberId !== null) questions.push(lookUps.lookUp(request.to, numberId));
    }
    await Promise.all(questions);
  }

  #admitAll(batch: BatchRequest, keyId: string): BatchResult {
    const { change, configuration, admission, idempotency } = this.#parts;
    const faulty = new Set<number>();
    for (;;) {
      let current = -1;
      try {
        return change((): BatchResult => {
          const now = Date.now();
          // Another request under the same key may have come in during the look-ups.
          const first = this.#firstAnswer(batch, keyId, now);
          if (first !== null) return first;
          const sends = sendsOf(batch).filter(({ index }) => !faulty.has(index));
          const verdicts = admission.admit(sends, configuration.loaded, now, (position) => {
            current = sends[position]?.index ?? -1;
          });
          current = -1;
          const decided = new Map(sends.map(({ index }, position) => [index, verdicts[position]]));
          const items = batch.items.map((item, index) => ('ok' in item ? item : settled(decided.get(index))));
          if (batch.idempotencyKey !== null) {
            idempotency.store(batchKeyOf(batch.idempotencyKey), batch.bodyHash, items, now);
          }
          return { ok: true, keyId, items, replayed: false };
        });
      } catch (error) {
        // One that cannot be decided must not take the others with it.
        if (current === -1) throw error;
        logFault('send.not_decided', error, { index: current });
        faulty.add(current);
      }
    }
  }
}

function asksNetwork({ accountFilter, senders }: Configuration): boolean {
  return accountFilter.checkOnNetwork || [...senders.values()].some(({ filters }) => filters.checkOnNetwork);
}

/** The items of a batch that the Worker has found valid, with their places. */
function sendsOf({
  keyHash,
  address = null,
  items,
}: BatchRequest): (UndecidedSend & { request: SendRequest; index: number })[] {
  return items.flatMap((item, index) =>
    'ok' in item ? [] : [{ request: { ...item, keyHash, address }, mayLookUp: false, index }],
  );
}

/** A verdict after which nothing is open. */
function settled(verdict: Verdict | undefined): Item {
  if (verdict === undefined || verdict.ok === null) return notDecided;
  return verdict;
}

const notDecided = refuse('INTERNAL', 'The message could not be accepted.');

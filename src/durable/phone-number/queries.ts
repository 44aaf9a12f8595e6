import {
  type NetworkQuery,
  type QueryAnswer,
  type QueryFailure,
  type QueryOf,
  type QueryVerb,
  readAnswer,
} from '../../contract/bridge/network-queries.ts';
import { type ErrorCode, type Refusal, refuse } from '../../contract/errors.ts';
import { log } from '../log.ts';
import type { BridgeLink } from './bridge/bridge-link.ts';
import type { DeviceStore } from './device/device-store.ts';
import type { NumberState } from './number-state.ts';

/** How long a kind of question rests after the network limited it; doubled each time in a row. */
const firstHoldMs = 30_000;
const holdMsMax = 15 * 60_000;

interface Hold {
  until: number;
  /** How often in a row. */
  times: number;
}

type Holds = Partial<Record<QueryVerb, Hold>>;

/** Which questions the network will not hear for a while: to ask on would only make it longer. Outlives an eviction. */
export class QueryHolds {
  readonly #state: NumberState;

  constructor(state: NumberState) {
    this.#state = state;
  }

  /** Until when nobody may ask; null where one may. A time further ahead than any hold was set by a clock that went back since. */
  until(verb: QueryVerb, now: number): number | null {
    const hold = this.#all()[verb];
    return hold && hold.until > now && hold.until <= now + holdMsMax ? hold.until : null;
  }

  /** The network has limited this question. Answers until when it rests. */
  limited(verb: QueryVerb, now: number): number {
    const holds = this.#all();
    const times = (holds[verb]?.times ?? 0) + 1;
    const until = now + Math.min(firstHoldMs * 2 ** (times - 1), holdMsMax);
    this.#state.put('queryHolds', { ...holds, [verb]: { until, times } } satisfies Holds);
    return until;
  }

  /** The network has answered. */
  answered(verb: QueryVerb): void {
    const { [verb]: held, ...rest } = this.#all();
    if (held) this.#state.put('queryHolds', rest);
  }

  #all(): Holds {
    return this.#state.get<Holds>('queryHolds') ?? {};
  }
}

/** How long the network may take to answer; a sync of hundreds of groups takes longer than anything else. */
const answerWithinMs = 15_000;
const syncWithinMs = 60_000;
/** The bridge gives up at the deadline and says so: that may take so much longer to be heard. */
const graceMs = 2_000;

type Outcome = { answer: unknown } | { failure: QueryFailure };

export type Asked<Verb extends QueryVerb> = { ok: true; answer: QueryAnswer<Verb> } | Refusal;

/**
 * Queries to the network, over the link. They are only in memory: the caller waits for the response, which keeps the object
 * awake, and repeats the query if it was lost.
 */
export class Queries {
  readonly #link: BridgeLink;
  readonly #device: DeviceStore;
  readonly #holds: QueryHolds;
  readonly #open = new Map<number, (outcome: Outcome) => void>();
  #lastId = 0;

  constructor(link: BridgeLink, device: DeviceStore, holds: QueryHolds) {
    this.#link = link;
    this.#device = device;
    this.#holds = holds;
  }

  /**
   * Sends a query and waits. It is refused if the number is not connected, if the network limits such queries or refuses, and
   * if no response comes. In the last case the change may have happened anyway.
   */
  async ask<Verb extends QueryVerb>(query: QueryOf<Verb> & NetworkQuery): Promise<Asked<Verb>> {
    const verb = query.verb as Verb;
    const now = Date.now();
    if (this.#device.current?.state !== 'connected' || !this.#link.ready) {
      return failureRefusal({ reason: 'not_connected' });
    }
    const heldUntil = this.#holds.until(verb, now);
    if (heldUntil !== null) return limitedRefusal(heldUntil, now);
    const outcome = await this.#outcomeOf(query);
    if ('failure' in outcome) {
      const failedAt = Date.now();
      const until = this.#holds.until(verb, failedAt);
      return until === null ? failureRefusal(outcome.failure) : limitedRefusal(until, failedAt);
    }
    this.#holds.answered(verb);
    const answer = readAnswer(verb, outcome.answer);
    return answer === null ? failureRefusal({ reason: 'no_answer' }) : { ok: true, answer };
  }

  /** Asks, and waits for nothing. */
  tell(query: NetworkQuery): void {
    this.#send(query);
  }

  /** Until when the network will not hear such questions; null where it may. */
  heldUntil(verb: QueryVerb): number | null {
    return this.#holds.until(verb, Date.now());
  }

  /** What a bridge has heard; nobody may wait for it any more. */
  answered(queryId: number, answer: unknown): void {
    this.#open.get(queryId)?.({ answer });
  }

  /** The same, where there is no answer. */
  failed(queryId: number, verb: QueryVerb, failure: QueryFailure): void {
    const { numberId } = this.#device.known;
    log('query.failed', { numberId, verb, reason: failure.reason, code: failure.code });
    if (failure.reason === 'rate_limited') this.#holds.limited(verb, Date.now());
    this.#open.get(queryId)?.({ failure });
  }

  async #outcomeOf(query: NetworkQuery): Promise<Outcome> {
    const { queryId, deadlineMs } = this.#send(query);
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#open.set(queryId, resolve);
    const timer = setTimeout(() => resolve({ failure: { reason: 'no_answer' } }), deadlineMs + graceMs);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#open.delete(queryId);
    }
  }

  #send(query: NetworkQuery): { queryId: number; deadlineMs: number } {
    this.#lastId = Math.max(this.#lastId + 1, Date.now());
    const deadlineMs = query.verb === 'groups.sync' ? syncWithinMs : answerWithinMs;
    this.#link.send({ type: 'query', queryId: this.#lastId, deadlineMs, query });
    return { queryId: this.#lastId, deadlineMs };
  }
}

/** The network limits such questions of this number. */
function limitedRefusal(until: number, now: number): Refusal {
  return refuse('RATE_LIMITED', 'The network is limiting such requests from this number for a while.', {
    retryAfterSeconds: Math.max(1, Math.ceil((until - now) / 1000)),
  });
}

/** The network's refusals that a caller can tell apart; whatever else it says is a conflict. */
const refusals: Record<string, [ErrorCode, string]> = {
  401: ['CONFLICT', 'The network does not allow this number to do that.'],
  403: ['CONFLICT', 'The network does not allow this number to do that: only an admin of the group may.'],
  404: ['NOT_FOUND', 'The network knows no such thing, or not for this number.'],
  410: ['NOT_FOUND', 'At the network this is over.'],
};

/** What a caller is told of a question without an answer. */
function failureRefusal({ reason, code }: QueryFailure): Refusal {
  switch (reason) {
    case 'not_connected':
      return refuse('SENDER_UNAVAILABLE', 'The number is not connected, so the network cannot be asked.');
    case 'no_answer':
      return refuse(
        'SENDER_UNAVAILABLE',
        'The network did not answer in time. The change may have been made anyway.',
      );
    case 'rate_limited':
      return refuse('RATE_LIMITED', 'The network is limiting such requests from this number for a while.');
    case 'refused': {
      const [errorCode, message] = refusals[code ?? ''] ?? ['CONFLICT', `The network refused it (${code}).`];
      return refuse(errorCode, message);
    }
  }
}

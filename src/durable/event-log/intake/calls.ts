import { newEventId } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import type { LogState } from '../log-state.ts';

/** So many of the last calls are known again. */
const callsKept = 100;

/** Calls to the account's numbers: the network may tell of one several times. */
export class Calls {
  readonly #state: LogState;

  constructor(state: LogState) {
    this.#state = state;
  }

  /** Call it inside a transaction. */
  received({ numberId, call }: Extract<Fact, { kind: 'call.received' }>): EventDraft[] {
    const known = this.#state.get<string[]>('calls.known') ?? [];
    const key = `${numberId} ${call.callId}`;
    if (known.includes(key)) return [];
    this.#state.put('calls.known', [...known, key].slice(-callsKept));
    return [{ id: newEventId(), event: 'call.received', data: { numberId, ...call } }];
  }
}

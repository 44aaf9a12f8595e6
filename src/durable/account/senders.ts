import type { DeviceState } from '../../contract/device.ts';
import type { Candidate } from './sender-choice.ts';
import type { AccountSnapshot } from './snapshot.ts';

interface SenderState {
  state: DeviceState;
  phoneNumber: string | null;
  revision: number;
  /** Exact in this life of the object; what is stored lags by up to a second. */
  lastChosenAt: number;
  storedChosenAt: number;
}

/** The account's numbers: how each last reported itself, and when each was last chosen. */
export class Senders {
  readonly #sql: SqlStorage;
  readonly #states = new Map<string, SenderState>();
  /** Breaks ties within a millisecond: the one chosen earlier in it goes first. */
  #lastChoice = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql.exec<{
      number_id: string;
      state: DeviceState;
      phone_number: string | null;
      revision: number;
      last_chosen_at: number;
    }>('SELECT * FROM senders');
    for (const row of rows) {
      this.#states.set(row.number_id, {
        state: row.state,
        phoneNumber: row.phone_number,
        revision: row.revision,
        lastChosenAt: row.last_chosen_at,
        storedChosenAt: row.last_chosen_at,
      });
    }
  }

  candidates(snapshot: AccountSnapshot): Candidate[] {
    return snapshot.senders.map(({ numberId, inPool }) => {
      const { state, phoneNumber, lastChosenAt } = this.#states.get(numberId) ?? unheardOf;
      return { numberId, inPool, state, phoneNumber, lastChosenAt };
    });
  }

  stateOf(numberId: string): DeviceState | null {
    return this.#states.get(numberId)?.state ?? null;
  }

  report(report: {
    numberId: string;
    state: DeviceState;
    phoneNumber: string | null;
    revision: number;
  }): void {
    const known = this.#states.get(report.numberId) ?? unheardOf;
    if (report.revision <= known.revision) return;
    this.#states.set(report.numberId, { ...known, ...report });
    this.#store(report.numberId);
  }

  noteChosen(numberId: string, now: number): void {
    const known = this.#states.get(numberId);
    if (!known) return;
    this.#lastChoice = Math.max(this.#lastChoice + 0.001, now);
    known.lastChosenAt = this.#lastChoice;
    if (now - known.storedChosenAt >= 1000) {
      known.storedChosenAt = now;
      this.#store(numberId);
    }
  }

  #store(numberId: string): void {
    const sender = this.#states.get(numberId);
    if (!sender) return;
    this.#sql.exec(
      'INSERT OR REPLACE INTO senders (number_id, state, phone_number, revision, last_chosen_at) VALUES (?, ?, ?, ?, ?)',
      numberId,
      sender.state,
      sender.phoneNumber,
      sender.revision,
      Math.floor(sender.lastChosenAt),
    );
  }
}

/** A number that has not reported yet. */
const unheardOf: SenderState = {
  state: 'unpaired',
  phoneNumber: null,
  revision: 0,
  lastChosenAt: 0,
  storedChosenAt: 0,
};

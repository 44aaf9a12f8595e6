import { allTime, type WorkingTime, workingTimeOf } from '../../../local-time/working-time.ts';
import type { LogState } from '../../log-state.ts';
import {
  type KnownPolicy,
  loadSupport,
  noSupport,
  type SupportConfiguration,
} from './support-configuration.ts';
import { hoursFor, policyFor } from './which-applies.ts';

const name = 'support';
/** Where the review of all conversations under another configuration goes on: behind this id. Nothing: none is under way. */
export const reviewName = 'support.review';

/** What the account has set of how it answers people: D1 owns it, the log keeps what it has read last. */
export class SupportSnapshot {
  readonly #storage: DurableObjectStorage;
  readonly #state: LogState;
  readonly #d1: D1Database;
  readonly #accountId: string;
  #known: SupportConfiguration;
  /** Working time by number. */
  readonly #times = new Map<string, WorkingTime | null>();

  constructor(storage: DurableObjectStorage, state: LogState, d1: D1Database, accountId: string) {
    this.#storage = storage;
    this.#state = state;
    this.#d1 = d1;
    this.#accountId = accountId;
    this.#known = state.get(name) ?? noSupport;
  }

  get settings(): SupportConfiguration['settings'] {
    return this.#known.settings;
  }

  /** Whether anything asks for what happened to be kept: an account that wants none of it pays no row. */
  get isTracking(): boolean {
    const { policies, settings } = this.#known;
    return policies.length > 0 || settings.reports || settings.survey !== null;
  }

  /** Takes over what D1 has now; where it is something else, all conversations are reviewed. Nothing found changes nothing. */
  async refresh(): Promise<void> {
    const loaded = await loadSupport(this.#d1, this.#accountId);
    if (loaded === null || loaded.revision < this.#known.revision) return;
    const { revision: _, ...before } = this.#known;
    const { revision: __, ...after } = loaded;
    if (JSON.stringify(before) !== JSON.stringify(after)) {
      this.#storage.transactionSync(() => {
        this.#state.put(name, loaded);
        this.#state.put(reviewName, '');
      });
    }
    this.#known = loaded;
    this.#times.clear();
  }

  /** Null: nobody has said when people work on this number. */
  hoursOf(numberId: string): WorkingTime | null {
    const known = this.#times.get(numberId);
    if (known !== undefined) return known;
    const hours = hoursFor(this.#known.hours, numberId);
    const time = hours === null ? null : workingTimeOf(hours);
    this.#times.set(numberId, time);
    return time;
  }

  /** Time as it counts on this number; all of it where it has no hours. */
  timeOf(numberId: string): WorkingTime {
    return this.hoursOf(numberId) ?? allTime;
  }

  policyOf(conversation: { numberId: string; labels: readonly string[] }): KnownPolicy | null {
    return policyFor(this.#known.policies, conversation);
  }
}

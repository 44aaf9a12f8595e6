import { asc, eq } from 'drizzle-orm';
import { defaultAccountSettings, type SupportSettings } from '../../../contract/account-settings.ts';
import { hasLabel } from '../../../contract/contacts/contact.ts';
import type { BusinessHours } from '../../../contract/support/business-hours.ts';
import type { SlaPolicy } from '../../../contract/support/sla-policy.ts';
import { openDatabase } from '../../../database/open-database.ts';
import { businessHours, slaPolicies } from '../../../database/schema.ts';
import { accountQuery } from '../../account-query.ts';
import { allTime, type WorkingTime, workingTimeOf } from '../../local-time/working-time.ts';
import type { LogState } from '../log-state.ts';

export interface KnownPolicy extends SlaPolicy {
  id: string;
  /** Milliseconds since 1970: it promises nothing from before. */
  createdAt: number;
}

/** What an account has set of how it answers people; both lists oldest first. */
interface SupportConfiguration {
  /** Of the account's configuration in D1; it rises with each change. */
  revision: number;
  hours: BusinessHours[];
  policies: KnownPolicy[];
  settings: SupportSettings;
}

const noSupport: SupportConfiguration = {
  revision: 0,
  hours: [],
  policies: [],
  settings: defaultAccountSettings.support,
};

/** As D1 has it now; null for an account that does not exist. */
async function loadSupport(d1: D1Database, accountId: string): Promise<SupportConfiguration | null> {
  const db = openDatabase(d1);
  const [account, hours, policies] = await db.batch([
    accountQuery(db, accountId),
    db
      .select({ definition: businessHours.definition })
      .from(businessHours)
      .where(eq(businessHours.accountId, accountId))
      .orderBy(asc(businessHours.id)),
    db
      .select({ id: slaPolicies.id, definition: slaPolicies.definition, createdAt: slaPolicies.createdAt })
      .from(slaPolicies)
      .where(eq(slaPolicies.accountId, accountId))
      .orderBy(asc(slaPolicies.id)),
  ]);
  if (account[0] === undefined) return null;
  return {
    revision: account[0].revision,
    hours: hours.map(({ definition }) => definition),
    policies: policies.map(({ id, definition, createdAt }) => ({ ...definition, id, createdAt })),
    settings: { ...defaultAccountSettings.support, ...account[0].settings?.support },
  };
}

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

const isFor = (numberId: string, { numberIds }: { numberIds: string[] | 'all' }) =>
  numberIds === 'all' || numberIds.includes(numberId);

/** The hours of a number: those that name it before those for all, the older before the younger. Null: it has none. */
export function hoursFor(hours: readonly BusinessHours[], numberId: string): BusinessHours | null {
  const fitting = hours.filter((it) => isFor(numberId, it));
  return fitting.find(({ numberIds }) => numberIds !== 'all') ?? fitting[0] ?? null;
}

/**
 * The policy of a conversation; null if none applies. A policy that names one of its labels goes before policies without
 * labels, then one that names its number before those for all numbers, then the older one.
 */
export function policyFor(
  policies: readonly KnownPolicy[],
  { numberId, labels }: { numberId: string; labels: readonly string[] },
): KnownPolicy | null {
  const fitting = policies.filter(
    (policy) =>
      isFor(numberId, policy) &&
      (policy.labels.length === 0 || policy.labels.some((label) => hasLabel(labels, label))),
  );
  const weight = ({ labels: own, numberIds }: KnownPolicy) =>
    (own.length > 0 ? 2 : 0) + (numberIds === 'all' ? 0 : 1);
  // Of equals the first stands: the sort keeps their order.
  return [...fitting].sort((a, b) => weight(b) - weight(a))[0] ?? null;
}

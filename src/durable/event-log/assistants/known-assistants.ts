import { eq } from 'drizzle-orm';
import { withDefaultSettings } from '../../../contract/account-settings.ts';
import type { assistantHours, HandOffSettings } from '../../../contract/assistants/assistant.ts';
import type { OptOutWords } from '../../../contract/texts/opt-out-words.ts';
import { assistants } from '../../../database/assistants-schema.ts';
import { openDatabase } from '../../../database/open-database.ts';
import { teams } from '../../../database/schema.ts';
import { accountQuery } from '../../account-query.ts';
import type { LogState } from '../log-state.ts';

/** What the log has to know of an assistant; what it says and how is read from D1 by whoever answers. */
export interface AssistantConfiguration {
  id: string;
  enabled: boolean;
  /** Null: all numbers, also those to come. */
  numberIds: string[] | null;
  hours: (typeof assistantHours)[number];
  handOff: HandOffSettings;
  dailyTokenBudget: number;
  conversationTokenBudget: number;
  debounceSeconds: number;
}

export interface AccountAssistants {
  /** Of the account's configuration: rises with each change of it. */
  revision: number;
  /** The oldest first: where several could answer, it does. */
  assistants: AssistantConfiguration[];
  optOut: OptOutWords;
}

/** Reads an account's assistants from D1, as of now; null for an account that does not exist. */
export async function loadAssistants(d1: D1Database, accountId: string): Promise<AccountAssistants | null> {
  const db = openDatabase(d1);
  const [account, rows, teamRows] = await db.batch([
    accountQuery(db, accountId),
    db
      .select({
        id: assistants.id,
        enabled: assistants.enabled,
        numberIds: assistants.numberIds,
        hours: assistants.hours,
        handOff: assistants.handOff,
        dailyTokenBudget: assistants.dailyTokenBudget,
        conversationTokenBudget: assistants.conversationTokenBudget,
        debounceSeconds: assistants.debounceSeconds,
      })
      .from(assistants)
      .where(eq(assistants.accountId, accountId))
      .orderBy(assistants.id),
    db.select({ id: teams.id }).from(teams).where(eq(teams.accountId, accountId)),
  ]);
  const [found] = account;
  if (!found) return null;
  const { stopWords, startWords } = withDefaultSettings(found.settings).optOut;
  const there = new Set(teamRows.map(({ id }) => id));
  // A team that is gone gets no conversation: it is open for everybody then.
  const known = rows.map(({ handOff, ...row }) => {
    const isThere = handOff.teamId !== null && there.has(handOff.teamId);
    return { ...row, handOff: { ...handOff, teamId: isThere ? handOff.teamId : null } };
  });
  return { revision: found.revision, assistants: known, optOut: { stopWords, startWords } };
}

const name = 'assistants';

/** The account's assistants, as the log has read them from D1 last. */
export class KnownAssistants {
  readonly #state: LogState;
  #known: AccountAssistants | null;

  constructor(state: LogState) {
    this.#state = state;
    this.#known = state.get<AccountAssistants>(name);
  }

  /** After a rollback. */
  reload(): void {
    this.#known = this.#state.get<AccountAssistants>(name);
  }

  /** Takes over the configuration as D1 has it; one that is older than what is known changes nothing. */
  replace(read: AccountAssistants): void {
    const known = this.#known;
    if (known !== null && read.revision < known.revision) return;
    const had = (known?.assistants.length ?? 0) > 0;
    // An account that has none, and had none, writes nothing.
    if (!had && read.assistants.length === 0) return;
    this.#state.put(name, read);
    this.#known = read;
  }

  /** Whether any may answer at all. */
  get anyEnabled(): boolean {
    return this.#known?.assistants.some(({ enabled }) => enabled) ?? false;
  }

  get optOut(): AccountAssistants['optOut'] {
    return this.#known?.optOut ?? { stopWords: [], startWords: [] };
  }

  find(assistantId: string): AssistantConfiguration | null {
    return this.#known?.assistants.find(({ id }) => id === assistantId) ?? null;
  }

  /** Those that may answer what comes to this number, the oldest first. */
  enabledFor(numberId: string): AssistantConfiguration[] {
    const all = this.#known?.assistants ?? [];
    return all.filter((it) => it.enabled && (it.numberIds === null || it.numberIds.includes(numberId)));
  }
}

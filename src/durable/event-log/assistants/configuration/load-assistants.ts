import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/d1';
import { withDefaultSettings } from '../../../../contract/account-settings.ts';
import type { assistantHours, HandOffSettings } from '../../../../contract/assistants/assistant.ts';
import type { OptOutWords } from '../../../../contract/texts/opt-out-words.ts';
import { assistants } from '../../../../database/assistants-schema.ts';
import { accounts, teams } from '../../../../database/schema.ts';

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
  const db = drizzle(d1);
  const [account, rows, teamRows] = await db.batch([
    db
      .select({ revision: accounts.revision, settings: accounts.settings })
      .from(accounts)
      .where(eq(accounts.id, accountId)),
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

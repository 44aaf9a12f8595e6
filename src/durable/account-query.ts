import { eq } from 'drizzle-orm';
import type { Database } from '../database/open-database.ts';
import { accounts } from '../database/schema.ts';

/** What D1 has of an account; its revision rises with each change of its configuration. Asked together with what else is read. */
export const accountQuery = (db: Database, accountId: string) =>
  db
    .select({ revision: accounts.revision, plan: accounts.plan, settings: accounts.settings })
    .from(accounts)
    .where(eq(accounts.id, accountId));

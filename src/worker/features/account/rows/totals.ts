import { sql } from 'drizzle-orm';
import type { Database } from '../../../db/database.ts';

/** How much configuration there is, over all accounts. */
export interface Totals {
  numbers: number;
  apiKeys: number;
  webhooksOn: number;
  webhooksOff: number;
  /** Accounts whose objects may not have read their last change yet. */
  accountsToRefresh: number;
  /** Entries that no audit log has taken yet. */
  auditEntriesWaiting: number;
  accountsByPlan: { plan: string; accounts: number }[];
}

/** Counts every row of configuration: for the operator alone. */
export async function readTotals(db: Database): Promise<Totals> {
  const counts = sql`select
    (select count(*) from numbers) as numbers,
    (select count(*) from api_keys where revoked_at is null) as apiKeys,
    (select count(*) from webhooks where enabled) as webhooksOn,
    (select count(*) from webhooks where not enabled) as webhooksOff,
    (select count(*) from accounts where revision > refreshed_revision) as accountsToRefresh,
    (select count(*) from audit_outbox) as auditEntriesWaiting`;
  const plans = sql`select plan, count(*) as accounts from accounts group by plan order by plan`;
  const [totals, accountsByPlan] = await Promise.all([
    db.get<Omit<Totals, 'accountsByPlan'>>(counts),
    db.all<Totals['accountsByPlan'][number]>(plans),
  ]);
  return { ...totals, accountsByPlan };
}

import { and, eq, inArray } from 'drizzle-orm';
import { accounts, numbers, webhooks } from '../../../../database/schema.ts';
import type { Database } from '../../../db/database.ts';

/** Things that one message names; D1 binds so many parameters a statement. */
const namedMax = 90;

const idsOf = (subjects: readonly string[], kind: string) =>
  subjects
    .filter((subject) => subject.startsWith(`${kind}:`))
    .map((subject) => subject.slice(kind.length + 1));

/** What the account and the things that alerts are about are called: numbers and webhooks, by `number:<id>`. */
export async function alertSubjectNames(
  db: Database,
  accountId: string,
  subjects: readonly string[],
): Promise<{ accountName: string; names: ReadonlyMap<string, string> }> {
  const some = [...new Set(subjects)].slice(0, namedMax);
  const [account, labels, urls] = await db.batch([
    db.select({ name: accounts.name }).from(accounts).where(eq(accounts.id, accountId)),
    db
      .select({ id: numbers.id, label: numbers.label })
      .from(numbers)
      .where(and(eq(numbers.accountId, accountId), inArray(numbers.id, idsOf(some, 'number')))),
    db
      .select({ id: webhooks.id, url: webhooks.url, description: webhooks.description })
      .from(webhooks)
      .where(and(eq(webhooks.accountId, accountId), inArray(webhooks.id, idsOf(some, 'webhook')))),
  ]);
  const names = new Map<string, string>();
  for (const { id, label } of labels) names.set(`number:${id}`, label);
  for (const { id, url, description } of urls) names.set(`webhook:${id}`, description || new URL(url).host);
  return { accountName: account[0]?.name ?? '', names };
}

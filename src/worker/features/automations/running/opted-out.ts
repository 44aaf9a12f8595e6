import { filteredRefusal } from '../../../../durable/account/recipients/recipient-filters.ts';
import type { DryRun } from '../../../../durable/event-log/automations/dry-run.ts';
import { askAccount } from '../../../object-calls.ts';

/** A dry run without the replies to whoever had opted out by then: the account alone knows who has. */
export async function withoutOptedOut(env: Env, accountId: string, dryRun: DryRun): Promise<DryRun> {
  const replied = dryRun.data.filter(({ replies = [] }) => replies.length > 0);
  const people = [...new Set(replied.map(({ person }) => person))];
  if (people.length === 0) return dryRun;
  const states = await askAccount(env, accountId, (account) => account.recipients(people));
  const optedOutAt = new Map(people.map((person, index) => [person, states[index]?.optedOutAt ?? null]));
  const notReplied = { reason: 'refused', words: filteredRefusal('optOut').message } as const;
  const data = dryRun.data.map((entry) => {
    const since = replied.includes(entry) ? (optedOutAt.get(entry.person) ?? null) : null;
    return since !== null && since <= entry.at ? { ...entry, replies: [], notReplied } : entry;
  });
  return { ...dryRun, data };
}

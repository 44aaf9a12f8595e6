import type { Context } from 'hono';
import { comparableText } from '../../../contract/texts/text.ts';
import type { AppEnv } from '../../app-env.ts';
import { openDatabase } from '../../db/database.ts';
import { listMembers, type MemberRow } from '../people/rows/members.ts';
import type { PeopleNames } from './shown-conversation.ts';

/** More than an account has people. */
const peopleMax = 1_000;

/** The people of the caller's account. */
export function peopleOf(c: Context<AppEnv>): Promise<MemberRow[]> {
  return listMembers(openDatabase(c.env.DB), c.get('caller').accountId, peopleMax, undefined);
}

export const namesOf = (people: readonly MemberRow[]): PeopleNames =>
  new Map(people.map(({ userId, name }) => [userId, name]));

/** Who can be named: the account's people. */
interface Named {
  userId: string;
  name: string;
}

/**
 * The people whom a note mentions, as `@Name` with the whole name or its first word, in the order of the mentions. If several
 * people have the same first word, it mentions nobody.
 */
export function mentionsIn(text: string, people: readonly Named[]): string[] {
  const comparable = comparableText(text);
  const byName = new Map<string, Set<string>>();
  for (const { userId, name } of people) {
    const whole = comparableText(name);
    for (const form of new Set([whole, whole.split(' ')[0] ?? whole])) {
      if (form !== '') byName.set(form, (byName.get(form) ?? new Set()).add(userId));
    }
  }
  // The longest name first: "@Ada Lovelace" is not "@Ada".
  const names = [...byName.keys()].toSorted((a, b) => b.length - a.length);
  const found: string[] = [];
  for (const { index } of comparable.matchAll(/@/g)) {
    if (/[\p{L}\p{N}_]$/u.test(comparable.slice(0, index))) continue;
    const rest = comparable.slice(index + 1);
    const name = names.find((one) => rest.startsWith(one) && !/^[\p{L}\p{N}_]/u.test(rest.slice(one.length)));
    const [userId, ...others] = byName.get(name ?? '') ?? [];
    if (userId !== undefined && others.length === 0 && !found.includes(userId)) found.push(userId);
  }
  return found;
}

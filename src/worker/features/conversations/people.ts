import type { Context } from 'hono';
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

import type { Context } from 'hono';
import { z } from 'zod';
import { type Team, teamFields, teamSchema } from '../../../../contract/conversations/team.ts';
import { refuse } from '../../../../contract/errors.ts';
import type { AppEnv } from '../../../app-env.ts';
import { openDatabase } from '../../../db/database.ts';
import { nameSchema } from '../../../http/request/shared-fields.ts';
import { invalidField } from '../../../http/request/validation-details.ts';
import { askLog } from '../../../object-calls.ts';
import { definitionRoutes } from '../../support/definition-operations.ts';
import { teamDefinitions } from '../../support/rows/definitions.ts';
import { limitedNumbers } from '../../support/rows/limited-numbers.ts';
import { peopleOf } from '../people.ts';
import type { teamSchema as shownTeamSchema } from './records.ts';

const fields = { ...teamFields, name: nameSchema };

/** Only the account's people can be in a team. */
async function strangerIn(c: Context<AppEnv>, { memberIds }: Partial<Team>) {
  if (memberIds === undefined || memberIds.length === 0) return null;
  const known = new Set((await peopleOf(c)).map(({ userId }) => userId));
  const index = memberIds.findIndex((id) => !known.has(id));
  return index < 0 ? null : invalidField(`memberIds.${index}`, 'The account has no such member.');
}

const isNeeded = refuse('CONFLICT', 'Numbers are limited to this team: change them first.');

/** Who works at conversations together. */
export const teamRoutes = definitionRoutes<Team>({
  definitions: teamDefinitions,
  what: 'team',
  show: (teamId, definition, createdAt): z.infer<typeof shownTeamSchema> => ({
    teamId,
    ...definition,
    createdAt,
  }),
  createSchema: z.strictObject({
    ...fields,
    description: fields.description.default(null),
    memberIds: fields.memberIds.default([]),
    autoAssign: fields.autoAssign.default(false),
    capPerAgent: fields.capPerAgent.default(null),
  }),
  changesSchema: z.strictObject(fields).partial(),
  wholeSchema: teamSchema,
  most: 100,
  problemOf: strangerIn,
  async keptBy(c, { id, accountId }) {
    const limited = await limitedNumbers(openDatabase(c.env.DB), accountId);
    return limited.some(({ teamIds }) => teamIds.includes(id)) ? isNeeded : null;
  },
  async removed(c, { id, accountId }) {
    await askLog(c.env, accountId, (log) => log.forgetTeam(id));
  },
});

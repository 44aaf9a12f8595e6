import type { Context } from 'hono';
import { z } from 'zod';
import {
  type CannedReply,
  cannedReplyFields,
  cannedReplySchema,
  type Label,
  labelFields,
  labelSchema,
  type Team,
  teamFields,
  teamSchema,
} from '../../../../contract/conversations/team.ts';
import { invalidField, refuse } from '../../../../contract/errors.ts';
import { comparableText } from '../../../../contract/texts/text.ts';
import type { AppEnv } from '../../../app-env.ts';
import { openDatabase } from '../../../db/database.ts';
import { nameSchema } from '../../../http/request/shared-fields.ts';
import { askLog } from '../../../object-calls.ts';
import { definitionRoutes } from '../../support/definition-operations.ts';
import {
  cannedReplyDefinitions,
  type Definitions,
  labelDefinitions,
  limitedNumbers,
  teamDefinitions,
} from '../../support/rows.ts';
import { peopleOf } from '../people.ts';
import type {
  labelSchema as shownLabelSchema,
  cannedReplySchema as shownReplySchema,
  teamSchema as shownTeamSchema,
} from './records.ts';

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

const labelsMax = 200;
const repliesMax = 500;

/** Two of one name could not be told apart. */
async function isTaken<Definition extends object>(
  c: Context<AppEnv>,
  definitions: Definitions<Definition>,
  most: number,
  isSame: (one: Definition) => boolean,
): Promise<boolean> {
  const rows = await definitions.list(openDatabase(c.env.DB), c.get('caller').accountId, most, undefined);
  return rows.some(({ id, definition }) => id !== c.req.param('id') && isSame(definition));
}

/** The labels that people choose from. A conversation bears their names. */
export const labelRoutes = definitionRoutes<Label>({
  definitions: labelDefinitions,
  what: 'label',
  show: (labelId, definition, createdAt): z.infer<typeof shownLabelSchema> => ({
    labelId,
    ...definition,
    createdAt,
  }),
  createSchema: z.strictObject({ ...labelFields, description: labelFields.description.default(null) }),
  changesSchema: z.strictObject(labelFields).omit({ name: true }).partial(),
  wholeSchema: labelSchema,
  most: labelsMax,
  async problemOf(c, { name }) {
    if (name === undefined) return null;
    const wanted = comparableText(name);
    const taken = await isTaken(c, labelDefinitions, labelsMax, (one) => comparableText(one.name) === wanted);
    return taken ? invalidField('name', 'A label with this name already exists.') : null;
  },
});

/** Answers that people have at hand. */
export const cannedReplyRoutes = definitionRoutes<CannedReply>({
  definitions: cannedReplyDefinitions,
  what: 'canned reply',
  show: (cannedReplyId, definition, createdAt): z.infer<typeof shownReplySchema> => ({
    cannedReplyId,
    ...definition,
    createdAt,
  }),
  createSchema: z.strictObject({ ...cannedReplyFields, teamId: cannedReplyFields.teamId.default(null) }),
  changesSchema: z.strictObject(cannedReplyFields).partial(),
  wholeSchema: cannedReplySchema,
  most: repliesMax,
  async problemOf(c, { shortcut, teamId }) {
    const { accountId } = c.get('caller');
    if (teamId != null && !(await teamDefinitions.find(openDatabase(c.env.DB), accountId, teamId)))
      return invalidField('teamId', 'The account has no such team.');
    if (shortcut === undefined) return null;
    const wanted = comparableText(shortcut);
    const taken = await isTaken(
      c,
      cannedReplyDefinitions,
      repliesMax,
      (one) => comparableText(one.shortcut) === wanted,
    );
    return taken ? invalidField('shortcut', 'A canned reply with this shortcut already exists.') : null;
  },
});

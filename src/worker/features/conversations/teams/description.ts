import type { z } from 'zod';
import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, type Described, pageAnswer } from '../../../openapi/operation.ts';
import {
  cannedReplyListSchema,
  cannedReplySchema,
  labelListSchema,
  labelSchema,
  teamListSchema,
  teamSchema,
} from './records.ts';

const createdAt = '2026-01-31T09:00:00.000Z';

interface Things {
  /** As it stands in operation ids: `Team`. */
  name: string;
  names: string;
  /** In sentences. */
  one: string;
  many: string;
  path: `/${string}`;
  schema: z.ZodType;
  listSchema: z.ZodType;
  idField: Record<string, string>;
  fields: Record<string, string>;
  value: object;
  change: object;
  changeFields: string[];
  onDelete: string;
}

/** What can be done to something that people define for the account. */
function operationsOf(things: Things): Described[] {
  const { name, names, one, many, path, schema, listSchema, idField, fields, value, change } = things;
  const example = { ...idField, ...value, createdAt };
  return [
    {
      id: `create${name}`,
      route: `POST ${path}`,
      summary: `Add a ${one}`,
      description: `A new ${one}.`,
      fields,
      examples: { one: { summary: `A ${one}`, value } },
      answers: [answer(201, `The new ${one}.`, schema, example)],
      errors: ['CONFLICT'],
    },
    {
      id: `list${names}`,
      route: `GET ${path}`,
      summary: `List ${many}`,
      description: `All ${many}, newest first.`,
      answers: [pageAnswer(`A page of ${many}.`, listSchema, [example])],
    },
    {
      id: `get${name}`,
      route: `GET ${path}/:id`,
      summary: `Get a ${one}`,
      description: `One ${one}.`,
      answers: [answer(200, `The ${one}.`, schema, example, ['ETag'])],
    },
    {
      id: `update${name}`,
      route: `PATCH ${path}/:id`,
      summary: `Change a ${one}`,
      description: 'Changes the fields you send; a list replaces the previous one.',
      fields: Object.fromEntries(Object.entries(fields).filter(([key]) => things.changeFields.includes(key))),
      examples: { change: { summary: 'A change', value: change } },
      answers: [answer(200, `The ${one} as it is now.`, schema, example, ['ETag'])],
      requestHeaders: ['If-Match'],
      errors: ['CONFLICT'],
    },
    {
      id: `delete${name}`,
      route: `DELETE ${path}/:id`,
      summary: `Delete a ${one}`,
      description: things.onDelete,
      answers: [{ status: 204, description: 'It is deleted.' }],
      errors: ['CONFLICT'],
    },
  ];
}

const teamFields = {
  name: 'Your name for it: 1 to 100 characters.',
  description: 'Up to 500 characters, or null.',
  memberIds: 'The members, by user ID.',
  autoAssign:
    'Whether open unassigned conversations of the team are assigned to its members in turn: to those who have the ' +
    'inbox open and capacity for one more. If there is nobody, they wait until someone comes online or has capacity ' +
    'again. A conversation that someone unassigns waits for the next such moment; conversations that an assistant ' +
    'answers are left to it.',
  capPerAgent:
    'The most open conversations, of this team or others, that a member may have to be assigned another; null: ' +
    'unlimited.',
};
const labelFields = {
  name: 'The label: 1 to 50 characters. It cannot be changed.',
  color: 'A color such as `#1f6feb`.',
  description: 'Up to 500 characters, or null.',
};
const replyFields = {
  shortcut: 'The shortcut typed after a slash: letters, digits, _ and -, at most 40.',
  text:
    'Up to 4,096 characters; {{contact.name}}, {{contact.phoneNumber}} and {{agent.name}} are filled in by the ' +
    'person who uses it.',
  teamId: 'The team it is for; null: everyone.',
};

export const teamOperations = chapter('Conversations', [
  ...operationsOf({
    name: 'Team',
    names: 'Teams',
    one: 'team',
    many: 'teams',
    path: '/v1/teams',
    schema: teamSchema,
    listSchema: teamListSchema,
    idField: { teamId: example.teamId },
    fields: teamFields,
    value: {
      name: 'Refunds',
      description: null,
      memberIds: [example.colleagueId],
      autoAssign: true,
      capPerAgent: 20,
    },
    change: { capPerAgent: 10 },
    changeFields: Object.keys(teamFields),
    onDelete:
      'Its conversations have no team afterwards. A team that numbers are limited to cannot be deleted.',
  }),
  ...operationsOf({
    name: 'Label',
    names: 'Labels',
    one: 'label',
    many: 'labels',
    path: '/v1/labels',
    schema: labelSchema,
    listSchema: labelListSchema,
    idField: { labelId: example.labelId },
    fields: labelFields,
    value: { name: 'refund', color: '#d1242f', description: null },
    change: { color: '#1f6feb' },
    changeFields: ['color', 'description'],
    onDelete: 'Conversations keep its name.',
  }),
  ...operationsOf({
    name: 'CannedReply',
    names: 'CannedReplies',
    one: 'canned reply',
    many: 'canned replies',
    path: '/v1/canned-replies',
    schema: cannedReplySchema,
    listSchema: cannedReplyListSchema,
    idField: { cannedReplyId: example.cannedReplyId },
    fields: replyFields,
    value: { shortcut: 'hello', text: 'Hello {{contact.name}}, how can I help?', teamId: null },
    change: { text: 'Hi {{contact.name}}!' },
    changeFields: Object.keys(replyFields),
    onDelete: 'It is no longer offered.',
  }),
]);

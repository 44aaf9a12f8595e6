import { Hono } from 'hono';
import { z } from 'zod';
import { labelCharactersMax, labelsSchema } from '../../../contract/contacts/contact.ts';
import {
  botStateSchema,
  conversationStatuses,
  conversationStatusSchema,
  prioritySchema,
} from '../../../contract/conversations/conversation.ts';
import { invalidField } from '../../../contract/errors.ts';
import { uuidSchema } from '../../../contract/ids.ts';
import { mediaUrlsOf } from '../../../durable/media-url.ts';
import type { AppEnv } from '../../app-env.ts';
import { personOf, signedIn } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { jsonBody } from '../../http/request/body/json-body.ts';
import {
  cursorBehind,
  listQuery,
  numberedListQuery,
  placeCursor,
  query,
  yesOrNo,
} from '../../http/request/query.ts';
import { timeText } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { readRecipient } from '../messages/sending/known-addresses.ts';
import { messageRecord } from '../messages/shown-message.ts';
import { findNumber, listNumbers } from '../numbers/rows.ts';
import { findMemberRow } from '../people/rows/members.ts';
import { teamDefinitions } from '../support/rows.ts';
import { type ConversationCounts, countsOf } from './counts.ts';
import {
  actorOf,
  conversationPath,
  hiddenNumbers,
  noSuchConversation,
  ownConversation,
} from './own-conversation.ts';
import { peopleOf } from './people.ts';
import type {
  conversationListSchema,
  conversationPeopleSchema,
  conversationSchema,
  foundMessagesSchema,
} from './records.ts';
import { shownConversation } from './shown-conversation.ts';

/** What passes between a number and somebody, as the account's people work at it. */
export const conversationRoutes = new Hono<AppEnv>();

const idOrNone = (value: string) => (value === 'none' ? null : value);

const conversationsQuery = z.strictObject({
  limit: listQuery.limit,
  cursor: placeCursor.optional(),
  status: z
    .string()
    .transform((statuses) => statuses.split(','))
    .pipe(z.array(conversationStatusSchema))
    .optional(),
  assignee: z.union([z.enum(['me', 'none']), uuidSchema]).optional(),
  team: z.union([z.literal('none'), uuidSchema]).optional(),
  label: z.string().min(1).max(labelCharactersMax).optional(),
  numberId: uuidSchema.optional(),
  priority: prioritySchema.optional(),
  campaignId: uuidSchema.optional(),
  q: z.string().min(1).max(200).optional(),
  waiting: yesOrNo.optional(),
  mentioned: z.literal('me').optional(),
  sort: z.enum(['newest', 'waiting']).default('newest'),
});

conversationRoutes.get('/', signedIn, query(conversationsQuery), async (c) => {
  const { status, assignee, team, waiting, mentioned, cursor, ...rest } = c.req.valid('query');
  const { accountId, userId } = personOf(c);
  const asked = {
    ...rest,
    statuses: status,
    assigneeId: assignee === undefined ? undefined : assignee === 'me' ? userId : idOrNone(assignee),
    teamId: team === undefined ? undefined : idOrNone(team),
    isWaiting: waiting,
    mentionedId: mentioned === undefined ? undefined : userId,
    hiddenNumberIds: await hiddenNumbers(c),
    after: cursor ?? null,
  };
  const page = await askLog(c.env, accountId, (log) => log.conversationPage(asked));
  return c.json<z.infer<typeof conversationListSchema>>({
    data: page.conversations.map(shownConversation),
    nextCursor: page.next && cursorBehind(c, `${page.next.at}:${page.next.conversationId}`),
  });
});

const beginBody = z.strictObject({ numberId: uuidSchema, to: z.string() });

conversationRoutes.post('/', signedIn, jsonBody(beginBody), async (c) => {
  const { numberId, to } = c.req.valid('json');
  const { accountId } = c.get('caller');
  const recipient = await readRecipient(c.env, accountId, to);
  if (!recipient.ok) return renderRefusal(c, recipient);
  const number = await findNumber(openDatabase(c.env.DB), accountId, numberId);
  if (number === null || (await hiddenNumbers(c)).includes(numberId)) {
    return renderRefusal(c, invalidField('numberId', 'The account has no such number.'));
  }
  if (recipient.chatType === 'personal') {
    const own = await askAccount(c.env, accountId, (account) => account.ownNumberRefusal(recipient.to));
    if (own !== null) return renderRefusal(c, own);
  }
  const chat =
    recipient.chatType === 'group'
      ? { numberId, groupId: recipient.to }
      : { numberId, phoneNumber: recipient.to };
  const { conversation, isNew } = await askLog(c.env, accountId, (log) =>
    log.beginConversation(chat, actorOf(c)),
  );
  const { conversationId } = conversation;
  const shown = await askLog(c.env, accountId, (log) => log.shownConversation(conversationId));
  if (shown === null) return renderRefusal(c, noSuchConversation);
  return c.json<z.infer<typeof conversationSchema>>(shownConversation(shown), isNew ? 201 : 200);
});

conversationRoutes.get('/counts', signedIn, async (c) => {
  const { accountId, userId } = personOf(c);
  return c.json<ConversationCounts>(await countsOf(c.env, accountId, userId, await hiddenNumbers(c)));
});

/** More than an account has numbers. */
const numbersMax = 1_000;

conversationRoutes.get('/people', signedIn, async (c) => {
  const { accountId } = c.get('caller');
  const [people, rows, hidden] = await Promise.all([
    peopleOf(c),
    listNumbers(openDatabase(c.env.DB), accountId, numbersMax),
    hiddenNumbers(c),
  ]);
  const seen = rows.filter(({ id }) => !hidden.includes(id));
  const senders = await askAccount(c.env, accountId, (account) => account.senders());
  return c.json<z.infer<typeof conversationPeopleSchema>>({
    people: people.map(({ userId, name, role }) => ({ userId, name, role })),
    numbers: seen.map(({ id, label }) => ({
      numberId: id,
      label,
      phoneNumber: senders[id]?.phoneNumber ?? null,
    })),
  });
});

const searchQuery = z.strictObject({
  ...numberedListQuery,
  q: z
    .string()
    .max(200)
    .regex(/[\p{L}\p{N}]/u, 'At least one word.'),
  numberId: uuidSchema.optional(),
});

conversationRoutes.get('/search', signedIn, query(searchQuery), async (c) => {
  const { q, numberId, limit, cursor = null } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const hidden = await hiddenNumbers(c);
  const { messages, nextBefore } = await askLog(c.env, accountId, (log) =>
    log.messages({ q, numberId }, limit, cursor),
  );
  const seen = messages.filter((message) => !hidden.includes(message.numberId));
  const ids = await askLog(c.env, accountId, (log) => log.conversationsOf(seen));
  const urlOf = mediaUrlsOf(c.env, accountId, new URL(c.req.url).origin);
  return c.json<z.infer<typeof foundMessagesSchema>>({
    data: seen.map((message, index) => ({
      conversationId: ids[index] ?? null,
      message: messageRecord(message, urlOf),
    })),
    nextCursor: nextBefore === null ? null : cursorBehind(c, `${nextBefore}`),
  });
});

conversationRoutes.get('/:id', signedIn, conversationPath, async (c) => {
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  return c.json<z.infer<typeof conversationSchema>>(shownConversation(found));
});

const changesBody = z
  .strictObject({
    status: z.enum(conversationStatuses),
    snoozedUntil: timeText.nullable(),
    priority: prioritySchema,
    assigneeId: uuidSchema.nullable(),
    teamId: uuidSchema.nullable(),
    labels: labelsSchema,
    botState: botStateSchema,
  })
  .partial();

conversationRoutes.patch('/:id', signedIn, conversationPath, jsonBody(changesBody), async (c) => {
  const { snoozedUntil, ...rest } = c.req.valid('json');
  const { accountId } = c.get('caller');
  const until = snoozedUntil == null ? snoozedUntil : Date.parse(snoozedUntil);
  if (until != null && !(until > Date.now()))
    return renderRefusal(c, invalidField('snoozedUntil', 'Must be in the future.'));
  if (until != null && rest.status !== undefined && rest.status !== 'snoozed')
    return renderRefusal(c, invalidField('snoozedUntil', 'Only for a snoozed conversation.'));
  const { assigneeId, teamId } = rest;
  if (teamId != null && !(await teamDefinitions.find(openDatabase(c.env.DB), accountId, teamId)))
    return renderRefusal(c, invalidField('teamId', 'The account has no such team.'));
  if (assigneeId != null && !(await findMemberRow(openDatabase(c.env.DB), accountId, assigneeId)))
    return renderRefusal(c, invalidField('assigneeId', 'The account has no such member.'));
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const changes = { ...rest, ...(until !== undefined && { snoozedUntil: until }) };
  const { conversationId } = found;
  await askLog(c.env, accountId, (log) => log.changeConversation(conversationId, changes, actorOf(c)));
  const changed = await askLog(c.env, accountId, (log) => log.shownConversation(conversationId));
  if (changed === null) return renderRefusal(c, noSuchConversation);
  return c.json<z.infer<typeof conversationSchema>>(shownConversation(changed));
});

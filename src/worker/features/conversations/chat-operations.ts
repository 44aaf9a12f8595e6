import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { readMessagesMax, typingStates } from '../../../contract/bridge/network-queries.ts';
import { refuse } from '../../../contract/errors.ts';
import type { MessageTarget } from '../../../contract/messages/changes.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import { noSuchFile } from '../../../durable/account/admission/send-request.ts';
import type { ShownConversation } from '../../../durable/event-log/conversations/reading/shown-conversation.ts';
import { logFault } from '../../../durable/log.ts';
import { mediaUrlsOf } from '../../../durable/media-url.ts';
import type { AppEnv } from '../../app-env.ts';
import { personOf, signedIn } from '../../auth/callers.ts';
import { openDatabase } from '../../db/database.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody, readJson } from '../../http/request/body/json-body.ts';
import { cursorBehind, numberedListQuery, page, positionSchema, query } from '../../http/request/query.ts';
import { messagePathId, notFound } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import type { contactSchema } from '../contacts/records.ts';
import { shownOne } from '../contacts/shown-contact.ts';
import { withSentFile } from '../media/sent-file.ts';
import { cancelMessage } from '../messages/cancel-message.ts';
import { withQuoted } from '../messages/find-message.ts';
import type { acceptedMessageSchema } from '../messages/records.ts';
import { carriesFile } from '../messages/sending/send-content.ts';
import { parseIdempotencyKey } from '../messages/sending/send-request.ts';
import { messageRecord } from '../messages/shown-message.ts';
import { findNumber } from '../numbers/rows.ts';
import {
  actorOf,
  conversationPath,
  hiddenNumbers,
  noSuchConversation,
  ownConversation,
} from './own-conversation.ts';
import { mentionsIn, namesOf, peopleOf } from './people.ts';
import type { activityListSchema, chatSchema, noteSchema, scheduledSchema } from './records.ts';
import { type ChatRecipient, parseChatBody } from './send-body.ts';
import { shownActivity, shownItem, shownNote } from './shown-conversation.ts';

/** What stands in a conversation, and what people do in it. */
export const chatRoutes = new Hono<AppEnv>();

const urlsOf = (c: Context<AppEnv>) =>
  mediaUrlsOf(c.env, c.get('caller').accountId, new URL(c.req.url).origin);

const itemsQuery = z.strictObject({
  ...numberedListQuery,
  after: positionSchema,
  order: z.enum(['newest', 'oldest']).optional(),
  until: z.iso
    .datetime({ offset: true })
    .transform((time) => Date.parse(time))
    .optional(),
});
/** The places of a chat are times, in thousandths of a millisecond. */
const placesInMs = 1_000;

chatRoutes.get('/:id/messages', signedIn, conversationPath, query(itemsQuery), async (c) => {
  const { limit, after = null, order, until, cursor = null } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const { conversationId } = found;
  const below = until === undefined ? null : until * placesInMs;
  const chat = await askLog(c.env, accountId, async (log) => {
    if (order === 'oldest') {
      const upwards = await log.chatPageUpwards(conversationId, {
        limit,
        after: cursor ?? after ?? 0,
        below,
      });
      return upwards && { items: upwards.items, next: upwards.nextAfter };
    }
    const page = await log.chatPage(conversationId, { limit, before: cursor ?? below, after });
    return page && { items: page.items, next: page.nextBefore };
  });
  if (chat === null) return renderRefusal(c, noSuchConversation);
  const names = namesOf(chat.items.some(({ kind }) => kind === 'note') ? await peopleOf(c) : []);
  return c.json<z.infer<typeof chatSchema>>({
    data: chat.items.map((item) => shownItem(item, names, urlsOf(c))),
    nextCursor: chat.next === null ? null : cursorBehind(c, `${chat.next}`),
  });
});

/** To whom an answer goes, under whatever address the network has for them. */
function recipientOf({ groupId, phoneNumber, lid, contact }: ShownConversation): ChatRecipient | null {
  if (groupId !== null) return { to: groupId, chatType: 'group' };
  const to = phoneNumber ?? contact?.phoneNumber ?? null;
  if (to !== null) return { to, chatType: 'personal' };
  const alias = lid ?? contact?.lid ?? null;
  if (alias === null) return null;
  return { to: aliasAddress(alias), chatType: 'personal', ...(contact && { contactId: contact.contactId }) };
}
const nobodyThere = refuse('CONFLICT', 'The address of the other party is unknown.');

/** A person's answer, as a send without a recipient; or a note, which never leaves. */
chatRoutes.post('/:id/messages', signedIn, conversationPath, async (c) => {
  const { accountId, userId } = personOf(c);
  const idempotency = parseIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!idempotency.ok) return renderRefusal(c, idempotency);
  const body = await readJson(c.req.raw, carriesFile);
  if (!body.ok) return renderRefusal(c, body);
  const asked = parseChatBody(body.value);
  if (!asked.ok) return renderRefusal(c, asked);
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const { conversationId, numberId } = found;
  if ('note' in asked) return addNote(c, conversationId, asked.note, idempotency.key);
  const recipient = recipientOf(found);
  if (recipient === null) return renderRefusal(c, nobodyThere);
  const parsed = asked.sendTo(recipient);
  if (!parsed.ok) return renderRefusal(c, parsed);
  const quoted = await withQuoted(c.env, accountId, { ...parsed.request, idempotencyKey: null });
  if (!quoted.ok) return renderRefusal(c, quoted);
  const { content, senderHint: _, ...request } = quoted.request;
  const file =
    parsed.file === null
      ? { ok: true as const, content, fileOf: undefined }
      : await withSentFile(c.env, accountId, content, parsed.file, request.sendAt ?? Date.now());
  if (!file.ok) return renderRefusal(c, file);
  const { ok: __, fileOf, ...carried } = file;
  if (fileOf?.numberId !== undefined && (await hiddenNumbers(c)).includes(fileOf.numberId)) {
    return renderRefusal(c, noSuchFile(fileOf.field));
  }
  const { key } = idempotency;
  const send = {
    ...request,
    ...carried,
    origin: { kind: 'person', userId } as const,
    numberId,
    idempotencyKey: key && `person:${userId}:${conversationId}:${key}`,
  };
  // Without an Idempotency-Key a repeat could be a second message.
  const result =
    key === null
      ? await c.env.ACCOUNT.getByName(accountId).sendAs(send)
      : await askAccount(c.env, accountId, (account) => account.sendAs(send));
  if (!result.ok) return renderRefusal(c, result);
  const { answer, replayed } = result;
  Object.assign(c.get('log'), { messageId: answer.messageId, numberId, replayed });
  if (replayed) c.header('Idempotent-Replayed', 'true');
  return c.json<z.infer<typeof acceptedMessageSchema>>(answer, 202);
});

async function addNote(
  c: Context<AppEnv>,
  conversationId: string,
  text: string,
  key: string | null,
): Promise<Response> {
  const { accountId, userId } = personOf(c);
  const people = await peopleOf(c);
  const note = { text, mentions: mentionsIn(text, people) };
  const by = actorOf(c);
  if (key !== null) {
    const added = await askLog(c.env, accountId, (log) =>
      log.addNoteOnce(conversationId, note, `${userId}:${key}`, by),
    );
    if (added === null) return renderRefusal(c, noSuchConversation);
    if (!added.ok) return renderRefusal(c, added);
    if (added.isRepeat) c.header('Idempotent-Replayed', 'true');
    return c.json<z.infer<typeof noteSchema>>(shownNote(added.note, namesOf(people)), 201);
  }
  // Without a key of its own a repeat would be a second note.
  const added = await c.env.EVENT_LOG.getByName(accountId).addNote(conversationId, note, by);
  if (added === null) return renderRefusal(c, noSuchConversation);
  return c.json<z.infer<typeof noteSchema>>(shownNote(added, namesOf(people)), 201);
}

/** Who is on the other side: also for agents, who see no other contacts. */
chatRoutes.get('/:id/contact', signedIn, conversationPath, async (c) => {
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  if (found.contact === null) return renderRefusal(c, notFound('contact'));
  return c.json<z.infer<typeof contactSchema>>(await shownOne(c, found.contact));
});

chatRoutes.get('/:id/scheduled', signedIn, conversationPath, async (c) => {
  const { accountId } = c.get('caller');
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const messages = await askLog(c.env, accountId, (log) => log.scheduledMessages(found.conversationId));
  return c.json<z.infer<typeof scheduledSchema>>({
    data: (messages ?? []).map((message) => messageRecord(message, urlsOf(c))),
  });
});

chatRoutes.delete(
  '/:id/scheduled/:messageId',
  signedIn,
  conversationPath,
  messagePathId('messageId'),
  emptyBody,
  async (c) => {
    const { accountId } = c.get('caller');
    const messageId = c.req.param('messageId');
    const found = await ownConversation(c);
    if (found === null) return renderRefusal(c, noSuchConversation);
    const message = await askLog(c.env, accountId, (log) => log.message(messageId));
    const [conversationId] =
      message === null ? [] : await askLog(c.env, accountId, (log) => log.conversationsOf([message]));
    if (message === null || conversationId !== found.conversationId) {
      return renderRefusal(c, notFound('message'));
    }
    const cancelled = await cancelMessage(c.env, accountId, message);
    return cancelled.ok ? c.body(null, 204) : renderRefusal(c, cancelled);
  },
);

const activityQuery = z.strictObject(numberedListQuery);

chatRoutes.get('/:id/activity', signedIn, conversationPath, query(activityQuery), async (c) => {
  const { limit, cursor = null } = c.req.valid('query');
  const { accountId } = c.get('caller');
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const [rows, people] = await Promise.all([
    askLog(c.env, accountId, (log) => log.conversationActivity(found.conversationId, limit, cursor)),
    peopleOf(c),
  ]);
  const names = namesOf(people);
  return c.json<z.infer<typeof activityListSchema>>(
    page(
      c,
      rows,
      limit,
      ({ id }) => `${id}`,
      (row) => shownActivity(row, names),
    ),
  );
});

chatRoutes.post('/:id/read', signedIn, conversationPath, emptyBody, async (c) => {
  const { accountId } = c.get('caller');
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const { conversationId, unreadCount } = found;
  const unread =
    unreadCount === 0
      ? []
      : await askLog(c.env, accountId, (log) => log.unreadTargets(conversationId, readMessagesMax));
  await askLog(c.env, accountId, (log) => log.readConversation(conversationId, actorOf(c)));
  if (unread.length > 0) c.executionCtx.waitUntil(markOnNetwork(c, found, unread));
  return c.body(null, 204);
});

/** The other side sees that it was read, where the number shows that always. What is lost here is not made up for. */
async function markOnNetwork(c: Context<AppEnv>, found: ShownConversation, messages: MessageTarget[]) {
  const { numberId } = found;
  const { accountId } = c.get('caller');
  const chat = recipientOf(found);
  try {
    const number = await findNumber(openDatabase(c.env.DB), accountId, numberId);
    if (chat === null || number?.session?.markRead !== 'always') return;
    const asked = await c.env.PHONE_NUMBER.getByName(numberId).askNetwork({
      verb: 'chats.read',
      chat: chat.to,
      messages,
    });
    if (!asked.ok) logFault('conversation.not_marked_read', new Error(asked.code), { accountId, numberId });
  } catch (error) {
    logFault('conversation.not_marked_read', error, { accountId, numberId });
  }
}

const typingBody = z.strictObject({ state: z.enum(typingStates) });

/** Shows the other side that somebody types. */
chatRoutes.post('/:id/typing', signedIn, conversationPath, jsonBody(typingBody), async (c) => {
  const found = await ownConversation(c);
  if (found === null) return renderRefusal(c, noSuchConversation);
  const chat = recipientOf(found);
  if (chat === null) return renderRefusal(c, nobodyThere);
  const number = c.env.PHONE_NUMBER.getByName(found.numberId);
  const asked = await number.askNetwork({ verb: 'chats.typing', chat: chat.to, ...c.req.valid('json') });
  return asked.ok ? c.body(null, 204) : renderRefusal(c, asked);
});

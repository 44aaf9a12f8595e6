import { type Context, Hono } from 'hono';
import { z } from 'zod';
import type { Refusal } from '../../../contract/errors.ts';
import { groupIdSchema, uuidSchema } from '../../../contract/ids.ts';
import {
  type MessageContent,
  type MessageType,
  messageTypeSchema,
} from '../../../contract/messages/content.ts';
import { messageStatuses } from '../../../contract/messages/message-status.ts';
import { shownRecipient } from '../../../contract/messages/recipient.ts';
import { isoTime } from '../../../contract/times.ts';
import type { SendRequest, SentFile } from '../../../durable/account/admission/send-request.ts';
import type { PresentedKey } from '../../../durable/account/configuration/key-ring.ts';
import { acceptedMessage } from '../../../durable/event-log/messages/logged-message.ts';
import { stepsOf } from '../../../durable/event-log/messages/reading/message-timeline.ts';
import { mediaUrlsOf } from '../../../durable/media-url.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyCheckedByRoute, keyOrAdministrator, keyOrPerson, onlyNumberOf } from '../../auth/callers.ts';
import { checkedKey, keyAnswer, type NamedKey } from '../../auth/checks/api-key-check.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { readJson } from '../../http/request/body/json-body.ts';
import { cursorBehind, numberedListQuery, query, readQuery } from '../../http/request/query.ts';
import { messagePathId, notFound, timeField } from '../../http/request/shared-fields.ts';
import { askAccount, askLog } from '../../object-calls.ts';
import { hiddenNumbers } from '../conversations/own-conversation.ts';
import { unfitData, withSentFile } from '../media/sent-file.ts';
import { findMessage, withQuoted } from './find-message.ts';
import type {
  acceptedMessageSchema,
  dryRunSchema,
  messageListSchema,
  messageSchema,
  messageTimelineSchema,
} from './records.ts';
import { sendBatch } from './sending/batch-operations.ts';
import { foundFor } from './sending/known-addresses.ts';
import { normalisePhoneNumber } from './sending/recipient.ts';
import { requestTrace } from './sending/request-trace.ts';
import { carriesFile, type FileInput } from './sending/send-content.ts';
import { askedIn, parseIdempotencyKey, parseSendBody, sendQuerySchema } from './sending/send-request.ts';
import {
  messageRecord,
  shownTimeline,
  type Timeline,
  waitingRecord,
  withoutOrigin,
} from './shown-message.ts';

export const messageRoutes = new Hono<AppEnv>();

const sendingKey = keyCheckedByRoute('messages:send');

/** Everything about a send that can be judged before it is decided. */
async function parseSend(
  c: Context<AppEnv>,
  accountId: string,
): Promise<
  | {
      ok: true;
      request: Omit<SendRequest, keyof PresentedKey>;
      file: FileInput | null;
      isDryRun: boolean;
    }
  | (Refusal & { hopeless?: Hopeless })
> {
  const query = readQuery(c.req.queries(), sendQuerySchema);
  if (!query.ok) return query;
  const idempotency = parseIdempotencyKey(c.req.header('Idempotency-Key'));
  if (!idempotency.ok) return idempotency;
  const body = await readJson(c.req.raw, carriesFile);
  if (!body.ok) return body;
  const parsed = parseSendBody(body.value, await foundFor(c.env, accountId, [askedIn(body.value)]));
  // The shape was right, or it would have been refused first.
  const { to, type = 'text' } = (body.value ?? {}) as { to: string; type?: MessageType };
  const isDryRun = query.value.dryRun === 'true';
  if (!parsed.ok)
    return isDryRun && isAboutRecipient(parsed) ? { ...parsed, hopeless: { to, type } } : parsed;
  const request = { ...parsed.request, idempotencyKey: idempotency.key, ...requestTrace(c) };
  const quoted = await withQuoted(c.env, accountId, request);
  return quoted.ok ? { ...quoted, file: parsed.file, isDryRun } : quoted;
}

/** One long haul: the account verifies the key and admits the message in a single call. */
messageRoutes.post('/send', sendingKey, async (c) => {
  const named = c.get('namedKey');
  const { accountId, presented } = named;
  const log = c.get('log');
  const parsed = await parseSend(c, accountId);
  if (!parsed.ok) {
    // Whoever has no valid key learns nothing about the request but that.
    const check = await checkedKey(c, named);
    if (check.ok && parsed.hopeless)
      return c.json<z.infer<typeof dryRunSchema>>(hopelessDryRun(parsed.hopeless, parsed));
    return renderRefusal(c, check.ok ? parsed : check);
  }
  const completed = await withFile(c, named, parsed);
  if (!completed.ok) return renderRefusal(c, completed);
  const { ok: _, ...sent } = completed;
  const request = { ...parsed.request, ...presented, ...sent };
  if (parsed.isDryRun) return answerDryRun(c, named, request);
  // Without an Idempotency-Key a repeat could be a second message.
  const answered =
    request.idempotencyKey === null
      ? await c.env.ACCOUNT.getByName(accountId).send(request)
      : await askAccount(c.env, accountId, (account) => account.send(request));
  const result = await keyAnswer(c, named, answered);
  if (!result.ok) return renderRefusal(c, result);
  const { answer, sender, replayed } = result;
  Object.assign(log, {
    keyId: sender.keyId,
    messageId: answer.messageId,
    numberId: sender.numberId,
    source: sender.source,
    replayed,
  });
  if (replayed) c.header('Idempotent-Replayed', 'true');
  return c.json<z.infer<typeof acceptedMessageSchema>>(answer, 202);
});

/** What the message carries, its file included; nothing is stored for a dry run, or for a key that is none. */
async function withFile(
  c: Context<AppEnv>,
  named: NamedKey,
  {
    request: { content, sendAt = Date.now() },
    file,
    isDryRun,
  }: Extract<Awaited<ReturnType<typeof parseSend>>, { ok: true }>,
): Promise<({ ok: true; content: MessageContent } & SentFile) | Refusal> {
  if (file === null) return { ok: true, content };
  if ('data' in file.source) {
    const check = await checkedKey(c, named);
    if (!check.ok) return check;
    if (!isDryRun) return withSentFile(c.env, named.accountId, content, file, sendAt);
    return (await unfitData(file)) ?? { ok: true, content };
  }
  const leavesAt = isDryRun ? null : sendAt;
  const found = await withSentFile(c.env, named.accountId, content, file, leavesAt);
  if (found.ok) return found;
  const check = await checkedKey(c, named);
  return check.ok ? found : check;
}

messageRoutes.post('/send-batch', sendingKey, sendBatch);

const isAboutRecipient = ({ code }: Refusal): boolean =>
  code === 'RECIPIENT_INVALID' || code === 'RECIPIENT_IS_LID';

/** A message to nobody who could be written to. */
interface Hopeless {
  to: string;
  type: MessageType;
}

const hopelessDryRun = (
  { to, type }: Hopeless,
  { code, message, details }: Refusal,
): z.infer<typeof dryRunSchema> => ({
  dryRun: true,
  accepted: false,
  to,
  chatType: 'personal',
  messageType: type,
  sender: null,
  expectedAt: null,
  heldReason: null,
  onNetwork: null,
  reasons: [{ code, message, ...(details && { details }) }],
  senders: [],
});

/** What the send would come to: 200 also when it would be refused, with every reason. */
async function answerDryRun(c: Context<AppEnv>, named: NamedKey, request: SendRequest) {
  const answered = await askAccount(c.env, named.accountId, (account) => account.dryRun(request));
  const result = await keyAnswer(c, named, answered);
  if (!result.ok) return renderRefusal(c, result);
  const { keyId, dryRun } = result;
  Object.assign(c.get('log'), { keyId, dryRun: true, numberId: dryRun.sender?.numberId ?? null });
  const { chatType, content } = request;
  const { accepted, expectedAt, ...rest } = dryRun;
  return c.json<z.infer<typeof dryRunSchema>>({
    dryRun: true,
    accepted,
    ...shownRecipient(request),
    chatType,
    messageType: content.type,
    ...rest,
    expectedAt: isoTime(expectedAt),
  });
}

const reader = keyOrAdministrator('messages:read');

/** Also for people who only answer: of the conversations that they see. */
messageRoutes.get('/:messageId', keyOrPerson('messages:read'), messagePathId('messageId'), async (c) => {
  const { accountId } = c.get('caller');
  const message = await findMessage(c.env, accountId, c.req.param('messageId'));
  if (message === null || !mayRead(c, message.numberId)) return renderRefusal(c, notFound('message'));
  if ((await hiddenNumbers(c)).includes(message.numberId)) return renderRefusal(c, notFound('message'));
  if (message.status !== 'queued')
    return c.json<z.infer<typeof messageSchema>>(shownTo(c, waitingRecord(message, null, urlsOf(c))));
  const { messageId, numberId } = message;
  const waiting = await askAccount(c.env, accountId, (account) => account.waiting(messageId, numberId));
  return c.json<z.infer<typeof messageSchema>>(shownTo(c, waitingRecord(message, waiting, urlsOf(c))));
});

/** All that is known of how a message fared: its steps, what it waits for, its events and each attempt at a webhook. */
messageRoutes.get('/:messageId/timeline', reader, messagePathId('messageId'), async (c) => {
  const { accountId } = c.get('caller');
  const messageId = c.req.param('messageId');
  const timeline = await findTimeline(c.env, accountId, messageId);
  if (timeline === null || !mayRead(c, timeline.message.numberId))
    return renderRefusal(c, notFound('message'));
  const { message } = timeline;
  if (message.status !== 'queued')
    return c.json<z.infer<typeof messageTimelineSchema>>(shownTimeline(timeline, null));
  const { numberId } = message;
  const waiting = await askAccount(c.env, accountId, (account) => account.waiting(messageId, numberId));
  return c.json<z.infer<typeof messageTimelineSchema>>(shownTimeline(timeline, waiting));
});

/** Of a message that the log has not been told of yet, nothing has happened but that it was accepted. */
async function findTimeline(env: Env, accountId: string, messageId: string): Promise<Timeline | null> {
  const inLog = () => askLog(env, accountId, (log) => log.timeline(messageId));
  const logged = await inLog();
  if (logged !== null) return logged;
  const accepted = await askAccount(env, accountId, (account) => account.accepted(messageId));
  if (accepted === null) return inLog();
  const message = acceptedMessage(accepted);
  return { message, steps: stepsOf(message), events: [], deliveries: [] };
}

const urlsOf = (c: Context<AppEnv>) =>
  mediaUrlsOf(c.env, c.get('caller').accountId, new URL(c.req.url).origin);

const shownTo = <Record extends { origin: unknown }>(c: Context<AppEnv>, record: Record) =>
  c.get('caller').kind === 'key' ? withoutOrigin(record) : record;

const mayRead = (c: Context<AppEnv>, numberId: string) => [null, numberId].includes(onlyNumberOf(c));

/** Whom a message came from or went to: a phone number in any usual writing, a group, or an alias's digits. */
const partySchema = z.string().transform((input, context) => {
  // Digits alone are what records say, whatever a numbering plan makes of them.
  const isAddress = /^\d+$/.test(input) || groupIdSchema.safeParse(input).success;
  const party = isAddress ? input : (normalisePhoneNumber(input) ?? input);
  if (/^\d{5,25}$/.test(party) || party.endsWith('@g.us')) return party;
  context.addIssue({ code: 'custom', message: 'Neither a phone number with country code nor a group ID.' });
  return z.NEVER;
});

const messagesQuery = z.strictObject({
  ...numberedListQuery,
  status: z.enum([...messageStatuses, 'received']).optional(),
  direction: z.enum(['outbound', 'inbound']).optional(),
  numberId: uuidSchema.optional(),
  to: partySchema.optional(),
  from: partySchema.optional(),
  type: messageTypeSchema.optional(),
  since: timeField.optional(),
  until: timeField.optional(),
  q: z
    .string()
    .max(200)
    .regex(/[\p{L}\p{N}]/u, 'At least one word.')
    .optional(),
});

messageRoutes.get('/', reader, query(messagesQuery), async (c) => {
  const { limit, cursor = null, ...filter } = c.req.valid('query');
  const { accountId } = c.get('caller');
  // To a key that is pinned strictly the other numbers are as those of somebody else.
  if (filter.numberId !== undefined && !mayRead(c, filter.numberId))
    return c.json<z.infer<typeof messageListSchema>>({ data: [], nextCursor: null });
  const numberId = onlyNumberOf(c) ?? filter.numberId;
  const { messages, nextBefore } = await askLog(c.env, accountId, (log) =>
    log.messages({ ...filter, numberId }, limit, cursor),
  );
  return c.json<z.infer<typeof messageListSchema>>({
    data: messages.map((message) => shownTo(c, messageRecord(message, urlsOf(c)))),
    nextCursor: nextBefore === null ? null : cursorBehind(c, `${nextBefore}`),
  });
});

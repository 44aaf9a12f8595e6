import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { deletableMs, editableMs, type MessageAction } from '../../../contract/messages/actions.ts';
import { textCharactersMax } from '../../../contract/messages/message.ts';
import { chatAddressOf, type NewMessage } from '../../../durable/event-log/messages/logged-message.ts';
import type { AppEnv } from '../../app-env.ts';
import { keyOrPerson, onlyNumberOf } from '../../auth/callers.ts';
import { renderRefusal } from '../../http/answer/refusal-response.ts';
import { emptyBody, jsonBody } from '../../http/request/body/json-body.ts';
import { messagePathId, notFound } from '../../http/request/shared-fields.ts';
import { askAccount } from '../../object-calls.ts';
import { hiddenNumbers } from '../conversations/own-conversation.ts';
import { cancelMessage } from './cancel-message.ts';
import { findMessage } from './find-message.ts';
import type { acceptedActionSchema } from './records.ts';
import { wordsSchema } from './sending/send-content.ts';

export const messageActionRoutes = new Hono<AppEnv>();

const editBody = z.strictObject({ text: wordsSchema(textCharactersMax) });

/** One character as a person sees it, with its modifiers, and none of those that are digits as well. */
const isEmoji = (text: string): boolean =>
  [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length === 1 &&
  /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(text);

const reactionBody = z.strictObject({
  emoji: z
    .string()
    .max(64, 'Must be one emoji.')
    .refine(isEmoji, 'Must be one emoji.')
    .meta({ maxLength: 64 }),
});

type Wanted = MessageAction extends infer One
  ? One extends MessageAction
    ? Omit<One, 'targetId' | 'target'>
    : never
  : never;

const tooSoon = refuse('CONFLICT', 'The message has not been sent yet: wait for `message.sent`.');
const hasFailed = refuse('CONFLICT', 'The message has failed: it never reached the recipient.');
const wasCancelled = refuse('CONFLICT', 'The message was cancelled before it was sent.');
const isGone = refuse('CONFLICT', 'The message was deleted.');

/** Why this cannot be done to the message now; null when it can. */
function conflictOf(message: NewMessage, { type }: Wanted, now: number): Refusal | null {
  if (message.status === 'queued') return tooSoon;
  if (message.status === 'failed') return message.errorCode === 'cancelled' ? wasCancelled : hasFailed;
  if (message.deletedAt !== null) return isGone;
  if (type === 'read') {
    return message.direction === 'inbound'
      ? null
      : refuse('CONFLICT', 'Only a received message can be marked as read.');
  }
  if (type === 'reaction') return null;
  if (message.direction === 'inbound') {
    return refuse('CONFLICT', 'Only a message that you sent can be edited or deleted.');
  }
  if (type === 'edit' && message.content.type !== 'text') {
    return refuse('CONFLICT', 'Only the text of a text message can be edited.');
  }
  if (now < untilOf(message, type)) return null;
  return type === 'edit'
    ? refuse('CONFLICT', 'A message can be edited for 15 minutes after it was sent.')
    : refuse('CONFLICT', 'A message can be deleted for 2 days after it was sent.');
}

/** Whether it has not left, or was kept from it. */
const isWaiting = (message: NewMessage): boolean =>
  message.direction === 'outbound' &&
  (message.status === 'queued' || (message.status === 'failed' && message.errorCode === 'cancelled'));

/** Until when the network lets a message of ours be changed, or taken back; milliseconds since 1970. */
function untilOf(message: NewMessage, type: 'edit' | 'delete'): number {
  const sentAt = message.direction === 'outbound' ? (message.sentAt ?? message.queuedAt) : 0;
  return sentAt + (type === 'edit' ? editableMs : deletableMs);
}

/** Accepts what is to be done to the message of the path: from then on it survives the loss of any one process. */
async function act(c: Context<AppEnv>, wanted: Wanted): Promise<Response> {
  const { accountId } = c.get('caller');
  const message = await findMessage(c.env, accountId, c.req.param('messageId') ?? '');
  const isHidden = message !== null && (await hiddenNumbers(c)).includes(message.numberId);
  if (message === null || isHidden || ![null, message.numberId].includes(onlyNumberOf(c))) {
    return renderRefusal(c, notFound('message'));
  }
  const { messageId, numberId, chatType, peer, providerMessageId } = message;
  const { type } = wanted;
  const accepted = (acceptedAt: number) => {
    Object.assign(c.get('log'), { messageId, numberId, action: type });
    return c.json<z.infer<typeof acceptedActionSchema>>(
      { messageId, numberId, action: type, acceptedAt: new Date(acceptedAt).toISOString() },
      202,
    );
  };
  // What waits is not taken back from anybody: it never leaves.
  if (type === 'delete' && isWaiting(message)) {
    const cancelled = await cancelMessage(c.env, accountId, message);
    return cancelled.ok ? accepted(Date.now()) : renderRefusal(c, cancelled);
  }
  const conflict = conflictOf(message, wanted, Date.now());
  if (conflict) return renderRefusal(c, conflict);
  const to = chatAddressOf(message);
  const isOwn = message.direction === 'outbound';
  const { ownPhone, peerLid } = message;
  const author = isOwn ? ownPhone : peer;
  const target = {
    providerMessageId,
    isOwn,
    ...(author !== null && { author }),
    ...(!isOwn && peerLid !== null && { authorLid: peerLid }),
  };
  const action = { ...wanted, targetId: messageId, target };
  const until = type === 'edit' || type === 'delete' ? untilOf(message, type) : null;
  const result = await askAccount(c.env, accountId, (account) =>
    account.act({ numberId, to, chatType, action, until }),
  );
  if (!result.ok) return renderRefusal(c, result);
  return accepted(result.acceptedAt);
}

const sender = keyOrPerson('messages:send');
const path = messagePathId('messageId');

messageActionRoutes.patch('/:messageId', sender, path, jsonBody(editBody), (c) =>
  act(c, { type: 'edit', text: c.req.valid('json').text }),
);
messageActionRoutes.delete('/:messageId', sender, path, emptyBody, (c) => act(c, { type: 'delete' }));
messageActionRoutes.put('/:messageId/reaction', sender, path, jsonBody(reactionBody), (c) =>
  act(c, { type: 'reaction', emoji: c.req.valid('json').emoji }),
);
messageActionRoutes.delete('/:messageId/reaction', sender, path, emptyBody, (c) =>
  act(c, { type: 'reaction', emoji: '' }),
);
messageActionRoutes.post('/:messageId/read', sender, path, emptyBody, (c) => act(c, { type: 'read' }));

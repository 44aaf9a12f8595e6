import { invalidField, type Refusal } from '../../../contract/errors.ts';
import { cutText } from '../../../contract/texts/text.ts';
import type { SendRequest } from '../../../durable/account/admission/send-request.ts';
import type { PresentedKey } from '../../../durable/account/configuration/key-ring.ts';
import { wordsOf } from '../../../durable/event-log/messages/content-words.ts';
import { acceptedMessage, type NewMessage } from '../../../durable/event-log/messages/logged-message.ts';
import { askAccount, askLog } from '../../object-calls.ts';

/** What was accepted just now may not be in the log yet; and it may get there while the account is asked. */
export async function findMessage(
  env: Env,
  accountId: string,
  messageId: string,
): Promise<NewMessage | null> {
  const inLog = () => askLog(env, accountId, (log) => log.message(messageId));
  const logged = await inLog();
  if (logged !== null) return logged;
  const accepted = await askAccount(env, accountId, (account) => account.accepted(messageId));
  return accepted === null ? inLog() : acceptedMessage(accepted);
}

type Unquoted = Omit<SendRequest, keyof PresentedKey>;

/** What a phone shows of a message that it does not have. */
const quotedUnitsMax = 1024;

/** Looks up what a message answers. It costs a round trip more, for those alone that answer something. */
export async function withQuoted<Request extends Unquoted>(
  env: Env,
  accountId: string,
  request: Request,
): Promise<{ ok: true; request: Request } | Refusal> {
  if (request.quotedMessageId === undefined) return { ok: true, request };
  const message = await findMessage(env, accountId, request.quotedMessageId);
  if (message === null) return invalidField('quotedMessageId', 'No such message.');
  const { messageId, providerMessageId, direction, ownPhone, peer, peerLid } = message;
  const isOwn = direction === 'outbound';
  const author = isOwn ? ownPhone : peer;
  const quoted = {
    messageId,
    providerMessageId,
    isOwn,
    ...(author !== null && { author }),
    ...(!isOwn && peerLid !== null && { authorLid: peerLid }),
    text: cutText(wordsOf(message.content), quotedUnitsMax),
  };
  const content = { ...request.content, quoted };
  return { ok: true, request: { ...request, content, quotedNumberId: message.numberId } };
}

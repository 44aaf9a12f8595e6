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

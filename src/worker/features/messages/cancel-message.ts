import { type Refusal, refuse } from '../../../contract/errors.ts';
import { askAccount, askLog } from '../../object-calls.ts';

const hasFailed = refuse('CONFLICT', 'The message has already failed.');

/** Cancels a message that waits to be sent, for its time or for a number: it ends as failed. Safe to repeat. */
export async function cancelMessage(
  env: Env,
  accountId: string,
  { messageId, numberId }: { messageId: string; numberId: string },
): Promise<{ ok: true } | Refusal> {
  const cancelled = await askAccount(env, accountId, (account) => account.cancelSend(messageId, numberId));
  if (cancelled.ok) return cancelled;
  // What the account has let go of the log knows: a repeat finds it cancelled there.
  const now = await askLog(env, accountId, (log) => log.message(messageId));
  if (now?.status !== 'failed') return cancelled;
  return now.errorCode === 'cancelled' ? { ok: true } : hasFailed;
}

import { hash } from 'node:crypto';
import type { ReplyMedia } from '../../../../contract/automations/actions.ts';
import type { Refusal } from '../../../../contract/errors.ts';
import type { MessageContent } from '../../../../contract/messages/content.ts';
import type {
  ActionOrder,
  ActionReport,
} from '../../../../durable/event-log/automations/actions/outer-action.ts';
import { afterFailure } from '../../../../durable/event-log/automations/actions/planned.ts';
import { askAccount } from '../../../object-calls.ts';
import { withSentFile } from '../../media/sent-file.ts';

/** Refusals that may be gone a little later. */
const passing: readonly Refusal['code'][] = [
  'RATE_LIMITED',
  'SENDER_UNAVAILABLE',
  'NO_HEALTHY_SENDER',
  'INTERNAL',
];

/** Sends a reply of a rule. Its idempotency key follows from the event and the rule, so it leaves once. */
export async function sendReply(
  env: Env,
  accountId: string,
  { automationId, runId, index, attempt, action }: Exclude<ActionOrder, { target: unknown }>,
): Promise<ActionReport> {
  const { numberId, to, contactId, chatType, eventId, depth } = action;
  const content = await contentOf(env, accountId, action);
  if (!content.ok) return refused(content, attempt);
  const sent = await askAccount(env, accountId, (account) =>
    account.sendAs({
      origin: { kind: 'automation', automationId, eventId, depth },
      numberId,
      to,
      ...(contactId !== undefined && { contactId }),
      chatType,
      content: content.content,
      idempotencyKey: `automation:${runId}:${index}`,
      // Of what the rule says, and not of a file's id that is made anew each time.
      bodyHash: hash('sha256', JSON.stringify([to, action.text, action.media])),
      ...(content.fileUrl !== undefined && { fileUrl: content.fileUrl }),
    }),
  );
  return sent.ok ? { kind: 'done', messageId: sent.answer.messageId } : refused(sent, attempt);
}

function refused({ code, message }: Refusal, attempt: number): ActionReport {
  return passing.includes(code)
    ? afterFailure(attempt, 'refused', message)
    : { kind: 'failed', reason: 'refused', words: message };
}

async function contentOf(
  env: Env,
  accountId: string,
  { text, media }: { text?: string; media?: ReplyMedia },
): Promise<{ ok: true; content: MessageContent; fileUrl?: string } | Refusal> {
  if (media === undefined) return { ok: true, content: { type: 'text', text: text ?? '' } };
  const { type, url, mediaId = '', caption, fileName } = media;
  const content: MessageContent = {
    type,
    media: {
      mediaId,
      ...(caption !== undefined && { caption }),
      ...(fileName !== undefined && { fileName }),
    },
  };
  const source = url === undefined ? { mediaId } : { url };
  return withSentFile(env, accountId, content, { kind: type, source, isVoice: false });
}

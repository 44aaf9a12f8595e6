import { WorkerEntrypoint } from 'cloudflare:workers';
import { hash } from 'node:crypto';
import type { ReplyMedia } from '../../../../contract/automations/actions.ts';
import type { Refusal } from '../../../../contract/errors.ts';
import { onlyGiven } from '../../../../contract/given.ts';
import type { MessageContent } from '../../../../contract/messages/content.ts';
import type { ActionOrder, ActionReport } from '../../../../durable/event-log/automations/actions/planned.ts';
import { logFault } from '../../../../durable/log.ts';
import { derivedUuid } from '../../../../durable/new-ids.ts';
import { settingsOf } from '../../../../settings/worker-settings.ts';
import { askAccount } from '../../../object-calls.ts';
import { withSentFile } from '../../media/sent-file.ts';
import { makeAttempt, withinHostBound } from '../../webhooks/delivery/attempt.ts';

/**
 * Carries out the actions of one account's rules. All orders of a call run at the same time, so a slow receiver of another
 * account delays none of them. Stores nothing.
 */
export class AutomationSender extends WorkerEntrypoint<Env> {
  /** Answers when the last receiver has answered, or has had its time; in the order of the orders, six at most. */
  carryOut(accountId: string, orders: readonly ActionOrder[]): Promise<ActionReport[]> {
    return Promise.all(orders.map((order) => this.#carryOutOne(accountId, order)));
  }

  /** A fault of ours is tried again: nothing is known of what came of it, and the names are the same. */
  async #carryOutOne(accountId: string, order: ActionOrder): Promise<ActionReport> {
    try {
      return 'target' in order
        ? await callWebhook(this.env, accountId, order)
        : await sendReply(this.env, accountId, order);
    } catch (error) {
      const { automationId, runId, index } = order;
      logFault('automation.not_carried_out', error, { accountId, automationId, runId, index });
      return { kind: 'again', afterSeconds: 30, reason: 'refused', words: 'Something broke on our side.' };
    }
  }
}

/** Seconds before the next attempt of a reply that is refused for now. */
const waits = [15, 60, 300, 900, 1_800];
/** When the host has too much under way from here. */
const busySeconds = 15;

/** Makes one attempt at the callback of a rule: signed, guarded and judged as that of a webhook. */
async function callWebhook(
  env: Env,
  accountId: string,
  { action, target, runId, index, attempt }: Extract<ActionOrder, { target: unknown }>,
): Promise<ActionReport> {
  const ladder = settingsOf(env).WEBHOOK_RETRY_SECONDS;
  const { url, eventId, body } = action;
  const deliveryId = derivedUuid(0, runId, String(index), url);
  const order = { deliveryId, eventId, event: 'automation.run' as const, body, attempt };
  const report = await withinHostBound(url, () => makeAttempt(env, ladder, accountId, target, order));
  if (report === null) {
    return {
      kind: 'again',
      afterSeconds: busySeconds,
      reason: 'webhook_failed',
      words: 'The receiver is busy.',
    };
  }
  const { verdict, attempt: made } = report;
  const words = made.error ?? '';
  switch (verdict.kind) {
    case 'delivered':
      return { kind: 'done' };
    case 'retry':
      return { kind: 'again', afterSeconds: verdict.delaySeconds, reason: 'webhook_failed', words };
    case 'failed':
      return { kind: 'failed', reason: 'webhook_failed', words };
  }
}

/** Refusals that may be gone a little later. */
const passing: readonly Refusal['code'][] = [
  'RATE_LIMITED',
  'SENDER_UNAVAILABLE',
  'NO_HEALTHY_SENDER',
  'INTERNAL',
];

/** Sends a reply of a rule. Its idempotency key follows from the event and the rule, so it leaves once. */
async function sendReply(
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
  const report = { reason: 'refused', words: message } as const;
  const afterSeconds = passing.includes(code) ? waits[attempt - 1] : undefined;
  return afterSeconds === undefined
    ? { kind: 'failed', ...report }
    : { kind: 'again', afterSeconds, ...report };
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
    media: onlyGiven({ mediaId, caption, fileName }),
  };
  const source = url === undefined ? { mediaId } : { url };
  return withSentFile(env, accountId, content, { kind: type, source, isVoice: false });
}

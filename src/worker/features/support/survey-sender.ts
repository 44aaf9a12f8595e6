import { WorkerEntrypoint } from 'cloudflare:workers';
import type { Refusal } from '../../../contract/errors.ts';
import type { SurveyOrder } from '../../../durable/event-log/support/surveys/surveys.ts';
import { askAccount } from '../../object-calls.ts';

/** Sends the questions that an account's log orders. A repeat under the same key sends nothing more. */
export class SurveySender extends WorkerEntrypoint<Env> {
  async send({
    accountId,
    numberId,
    to,
    text,
    idempotencyKey,
  }: SurveyOrder): Promise<{ ok: true } | Refusal> {
    const answer = await askAccount(this.env, accountId, (account) =>
      account.sendAs({
        origin: { kind: 'survey' },
        numberId,
        to,
        chatType: 'personal',
        content: { type: 'text', text },
        idempotencyKey,
      }),
    );
    return answer.ok ? { ok: true } : answer;
  }
}

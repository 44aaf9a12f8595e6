import { log } from '../durable/log.ts';
import { app } from './app.ts';
import { refuseMadeUpKey } from './auth/made-up-keys/refuse-made-up-key.ts';
import { consumeAlerts } from './features/alerts/sending/alert-sender.ts';
import { consumeAutomationWakeUps } from './features/automations/running/automations-consumer.ts';
import { consumeRetryWakeUps } from './features/webhooks/delivery/webhook-sender.ts';
import { consumeDeadLetters } from './handle-wake-ups.ts';
import { sweep } from './sweep.ts';

export { Account } from '../durable/account/account.ts';
export { AuditLog } from '../durable/audit-log/audit-log.ts';
export { BridgeFleet } from '../durable/bridge-fleet/bridge-fleet.ts';
export { CallbackHost } from '../durable/callback-host/callback-host.ts';
export { Campaign } from '../durable/campaign/campaign.ts';
export { EventLog } from '../durable/event-log/event-log.ts';
export { Knowledge } from '../durable/knowledge/knowledge.ts';
export { PhoneNumber } from '../durable/phone-number/phone-number.ts';
export { PhoneRegistry } from '../durable/phone-registry/phone-registry.ts';
export { RequestLog } from '../durable/request-log/request-log.ts';
export { SignInGuard } from '../durable/sign-in-guard/sign-in-guard.ts';
export { ArchiveKeeper } from './archive.ts';
export { AlertSender } from './features/alerts/sending/alert-sender.ts';
export { KnowledgeRunner } from './features/assistants/knowledge/knowledge-runner.ts';
export { TurnRunner } from './features/assistants/turns/turn-runner.ts';
export { AutomationSender } from './features/automations/running/automation-sender.ts';
export { ImportReader } from './features/contacts/imports/files/import-reader.ts';
export { PersonEraser } from './features/contacts/person-eraser.ts';
export { FileFetcher } from './features/media/file-fetcher.ts';
export { SurveySender } from './features/support/survey-sender.ts';
export { WebhookSender } from './features/webhooks/delivery/webhook-sender.ts';

/** Each queue of `wrangler.toml` and what its messages are for, without what comes first: the name of the deployment. */
const consumers: Record<
  string,
  (batch: MessageBatch<never>, env: Env, context: ExecutionContext) => Promise<void>
> = {
  'webhook-deliveries': consumeRetryWakeUps,
  'webhook-deliveries-dead': consumeDeadLetters,
  alerts: consumeAlerts,
  'alerts-dead': consumeDeadLetters,
  automations: consumeAutomationWakeUps,
  'automations-dead': consumeDeadLetters,
};

export default {
  fetch: (request, env, context) => refuseMadeUpKey(request, env) ?? app.fetch(request, env, context),
  async queue(batch, env, context) {
    const consume = Object.entries(consumers).find(
      ([name]) => batch.queue === name || batch.queue.endsWith(`-${name}`),
    )?.[1];
    if (consume !== undefined) {
      await consume(batch as MessageBatch<never>, env, context);
      return;
    }
    // An earlier release had it. An object's alarm does what its wake-ups were for.
    log('queue.without_consumer', { queue: batch.queue, messages: batch.messages.length });
    batch.ackAll();
  },
  async scheduled(_controller, env) {
    await sweep(env, Date.now());
  },
} satisfies ExportedHandler<Env>;

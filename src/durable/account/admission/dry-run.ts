import type { Refusal } from '../../../contract/errors.ts';
import { laneOf } from '../../../contract/messages/message.ts';
import { newMessageId } from '../../new-ids.ts';
import type { Forecast, ForecastRequest } from '../../phone-number/queue/turn.ts';
import type { ConfigurationSource } from '../configuration/configuration-source.ts';
import { type KeyRing, scopeRefusal } from '../configuration/key-ring.ts';
import type { Backlog } from '../outbox/backlog.ts';
import type { Choosing } from '../senders/choosing.ts';
import type { Senders } from '../senders/senders.ts';
import type { QuotaGate } from './quota-gate.ts';
import type { RateLimits } from './rate-limits.ts';
import type { DryRunResult, SendRequest } from './send-request.ts';

interface DryRunParts {
  configuration: ConfigurationSource;
  keys: KeyRing;
  rateLimits: RateLimits;
  quota: QuotaGate;
  choosing: Choosing;
  senders: Senders;
  backlog: Backlog;
  /** What the number expects of a message that it does not have yet; null when it does not answer. */
  forecast: (numberId: string, message: ForecastRequest) => Promise<Forecast | null>;
}

/** What a send would come to, and everything that speaks against it. Counts nothing, sends nothing. */
export async function dryRun(parts: DryRunParts, asked: SendRequest): Promise<DryRunResult> {
  const { configuration, keys, rateLimits, quota, choosing, senders, backlog } = parts;
  const current = await configuration.current();
  const request = choosing.addressed(asked);
  const { to, chatType, sendAt = 0 } = request;
  const now = Date.now();
  const key = keys.find(current, request, now);
  if ('ok' in key) return key;
  keys.noteUse(key.id, now);
  const { refusal: tooFast, limits } = rateLimits.consume(key.id, now);
  const refusal = tooFast ?? scopeRefusal(key, 'messages:send');
  if (refusal) return { ...refusal, limits, keyId: key.id };
  const exceeded = quota.refusal(current.plan, now);
  const { refusals, choice } = choosing.judge(request, current, key, now);
  const against: Refusal[] = exceeded === null ? refusals : [exceeded, ...refusals];
  const all = choosing.allFor(request, current, now);
  const onNetwork = chatType === 'personal' ? choosing.checks.known(to, now) : null;
  const number = choice && senders.of(choice.numberId);
  const lane = laneOf(undefined);
  const forecast =
    choice &&
    (await parts.forecast(choice.numberId, {
      recipient: to,
      isNewChat: choice.kind === 'new',
      isAnswer: choice.kind === 'answer',
      lane,
      ahead: backlog.ahead(choice.numberId, lane, newMessageId()),
    }));
  return {
    ok: true,
    keyId: key.id,
    limits,
    dryRun: {
      accepted: against.length === 0,
      sender: choice && {
        numberId: choice.numberId,
        phoneNumber: number?.report?.phoneNumber ?? null,
        source: choice.source,
      },
      expectedAt: expectedAt(forecast, sendAt, now),
      heldReason: sendAt > now ? 'scheduled' : (forecast?.heldReason ?? null),
      onNetwork,
      reasons: against.map(({ code, message, details }) => ({ code, message, ...(details && { details }) })),
      senders: all.map(({ candidate: { numberId, inPool }, fitness, reason }) => ({
        numberId,
        inPool,
        fitness,
        reason,
      })),
    },
  };
}

/** Null: nobody knows when a number comes back. What is for later is not expected before its time. */
function expectedAt(forecast: Forecast | null, sendAt: number, now: number): number | null {
  const leavesAt = forecast === null || forecast.heldReason === 'not_connected' ? null : forecast.expectedAt;
  return sendAt > now ? Math.max(leavesAt ?? 0, sendAt) : leavesAt;
}

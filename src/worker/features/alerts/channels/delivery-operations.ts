import { Hono } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../../contract/errors.ts';
import { isoTime } from '../../../../contract/times.ts';
import type { BucketRate } from '../../../../durable/account/admission/rate-limits.ts';
import type {
  AlertAttempt,
  AlertDeliveryAt,
  AlertOrder,
} from '../../../../durable/event-log/alerts/deliveries/alert-order.ts';
import { newUuid } from '../../../../durable/new-ids.ts';
import type { AppEnv } from '../../../app-env.ts';
import { renderRefusal } from '../../../http/answer/refusal-response.ts';
import { emptyBody } from '../../../http/request/body/json-body.ts';
import { numberedListQuery, page, query } from '../../../http/request/query.ts';
import { askLog } from '../../../object-calls.ts';
import type { alertAddressSchema, alertDeliveryListSchema, alertTestSchema } from '../records.ts';
import { sendAlert } from '../sending/send-alert.ts';
import { askAddress, mayAsk } from './confirmation-operations.ts';
import { channelPath, isAgreed, membersAmong, noSuchChannel, ownChannel } from './own-channel.ts';

export const channelDeliveryRoutes = new Hono<AppEnv>();

/** Tests of all channels of an account: each is a message to somebody. */
const testRate: BucketRate = { burst: 20, perSecond: 1 / 60 };

const showAttempt = ({ at, ...attempt }: AlertAttempt) => ({ at: isoTime(at), ...attempt });

const show = ({ deliveryId, news, alerts, at, status, attempts, nextAttemptAt }: AlertDeliveryAt) => ({
  deliveryId,
  news,
  alertIds: alerts.map(({ id }) => id),
  at: isoTime(at),
  status,
  attempts: attempts.map(showAttempt),
  nextAttemptAt: nextAttemptAt === null ? null : isoTime(nextAttemptAt),
});

/** What went to a channel, with every attempt. */
channelDeliveryRoutes.get(
  '/:id/deliveries',
  channelPath,
  query(z.strictObject(numberedListQuery)),
  async (c) => {
    const row = await ownChannel(c);
    if (row === null) return renderRefusal(c, noSuchChannel);
    const { limit, cursor = null } = c.req.valid('query');
    const found = await askLog(c.env, row.accountId, (log) => log.alertDeliveries(row.id, limit, cursor));
    return c.json<z.infer<typeof alertDeliveryListSchema>>(
      page(c, found, limit, ({ position }) => String(position), show),
    );
  },
);

/** One attempt, here and now, whether the channel is on or off. */
channelDeliveryRoutes.post('/:id/test', channelPath, emptyBody, async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  if (!isAgreed(row, await membersAmong(c, [row]))) {
    const told = 'The address is not confirmed yet: its owner has to open the link first.';
    return renderRefusal(c, refuse('CONFLICT', told));
  }
  const taken = await c.env.SIGN_IN_GUARD.getByName(`alert-tests:${row.accountId}`).take(testRate);
  if (!taken.ok) {
    const { retryAfterSeconds } = taken;
    return renderRefusal(
      c,
      refuse('RATE_LIMITED', 'Too many tests: try again later.', { retryAfterSeconds }),
    );
  }
  const { id, kind, shownTarget, sealedTarget, confirmedAt } = row;
  const order: AlertOrder = {
    deliveryId: newUuid(),
    channel: { id, kind, shownTarget, sealedTarget, confirmedAt },
    news: 'test',
    alerts: [],
    at: Date.now(),
    attempt: 1,
  };
  const report = await sendAlert(c.env, row.accountId, order);
  const { deliveryId } = order;
  await askLog(c.env, row.accountId, (log) => log.noteAlertTest(id, deliveryId, report));
  const status = report.outcome === 'delivered' ? ('delivered' as const) : ('failed' as const);
  const { statusCode, durationMs, error } = report.attempt;
  return c.json<z.infer<typeof alertTestSchema>>({ deliveryId, status, statusCode, durationMs, error });
});

/** Asks once more whether whoever reads at the address wants alerts. */
channelDeliveryRoutes.post('/:id/ask-again', channelPath, emptyBody, async (c) => {
  const row = await ownChannel(c);
  if (row === null) return renderRefusal(c, noSuchChannel);
  if (isAgreed(row, await membersAmong(c, [row]))) {
    return renderRefusal(c, refuse('CONFLICT', 'This channel needs no confirmation.'));
  }
  const asked = await mayAsk(c, String(row.shownTarget));
  if (!asked.ok) return renderRefusal(c, asked);
  await askAddress(c, row);
  return c.json<z.infer<typeof alertAddressSchema>>({ email: String(row.shownTarget) }, 202);
});

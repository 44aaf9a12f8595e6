import { isoTime } from '../../../../contract/times.ts';
import type { DeliveryRecord } from '../../../../durable/event-log/deliveries/history/first-deliveries.ts';

/** A delivery as the outside sees it. */
export const showDelivery = ({ attempts, nextAttemptAt, ...delivery }: DeliveryRecord) => ({
  ...delivery,
  attempts: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
  nextAttemptAt: isoTime(nextAttemptAt),
});

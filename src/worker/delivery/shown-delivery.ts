import type { DeliveryRecord } from '../../durable/event-log/deliveries/history/delivery-record.ts';

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** A delivery as the outside sees it. */
export const showDelivery = ({ attempts, nextAttemptAt, ...delivery }: DeliveryRecord) => ({
  ...delivery,
  attempts: attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
  nextAttemptAt: iso(nextAttemptAt),
});

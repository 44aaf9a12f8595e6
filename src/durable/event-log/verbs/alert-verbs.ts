import type { Alert } from '../alerts/alert-rows.ts';
import type {
  AlertChannelState,
  AlertDelivery,
  AlertDeliveryAt,
  AlertOrder,
  AlertReport,
} from '../alerts/deliveries/alert-order.ts';
import type { LogClass } from './log-object.ts';

export function alertVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    /** Newest first, one more than `limit` where there are more; `isOpen`: those that last, or those that are over. */
    alerts(limit: number, before: string | null, isOpen: boolean | null = null): Alert[] {
      return this.parts.alerts.book.newest(limit, before, isOpen);
    }

    alert(alertId: string): Alert | null {
      return this.parts.alerts.rows.find(alertId);
    }

    /** Somebody knows of it; null: there is no such alert. */
    acknowledgeAlert(alertId: string, by: string): Alert | null {
      return this.parts.alerts.book.acknowledge(alertId, by);
    }

    /** Messages that tell of alerts and are due, each for one attempt. */
    beginAlertDeliveries(ordersMax: number): AlertOrder[] {
      return this.parts.alerts.deliveries.begin(ordersMax);
    }

    /** What came of one of them; how it is then. Null: there is no such delivery any more. */
    reportAlertDelivery(deliveryId: string, report: AlertReport): AlertDelivery['status'] | null {
      return this.parts.alerts.deliveries.report(deliveryId, report);
    }

    /** Somebody has tried a channel. */
    noteAlertTest(channelId: string, deliveryId: string, report: AlertReport): void {
      this.parts.alerts.deliveries.noteTest(channelId, deliveryId, report);
    }

    /** Newest first, one more than `limit` where there are more; `before` is a `position`. */
    alertDeliveries(channelId: string, limit: number, before: number | null): AlertDeliveryAt[] {
      return this.parts.alerts.deliveries.page(channelId, limit + 1, before);
    }

    alertChannelStates(channelIds: readonly string[]): AlertChannelState[] {
      return this.parts.alerts.deliveries.states(channelIds);
    }

    /** A number was deleted, in D1 already: what troubled it is over. */
    forgetNumber(numberId: string): void {
      this.parts.alerts.forgetNumber(numberId);
      this.timers.arm();
    }
  };
}

import type { Refusal } from '../../../contract/errors.ts';
import type { Alert } from '../alerts/alert-rows.ts';
import type {
  AlertChannelState,
  AlertDelivery,
  AlertDeliveryAt,
  AlertOrder,
  AlertReport,
} from '../alerts/deliveries/alert-order.ts';
import type { TestOutcome } from '../deliveries/attempts/test-delivery.ts';
import type { WebhookState } from '../deliveries/deliveries.ts';
import type { DeliveryFilter, DeliveryPage } from '../deliveries/history/delivery-list.ts';
import type { DeliveryRecord } from '../deliveries/history/first-deliveries.ts';
import type { RepetitionPlace, RepetitionSlice, ReplayRange } from '../deliveries/history/repetitions.ts';
import type { LogClass } from './log-object.ts';

export function deliveryVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    /** How these webhooks do; those that the log does not know are left out. */
    webhookStates(webhookIds: readonly string[]): WebhookState[] {
      return this.parts.deliveries.states(webhookIds);
    }

    /** A person has switched this webhook on, in D1 already: its circuit closes, and what was held goes out. */
    closeCircuit(webhookId: string): Promise<void> {
      return this.parts.deliveries.closeCircuit(webhookId);
    }

    /** A queue has rung: retries of these webhooks are due. */
    retryDue(webhookIds: readonly string[]): void {
      this.parts.deliveries.wake(webhookIds);
    }

    /** Newest first; `before` is the `nextBefore` of the page before. Null: there is no such webhook. */
    webhookDeliveries(
      webhookId: string,
      filter: DeliveryFilter,
      limit: number,
      before: string | null,
    ): DeliveryPage | null {
      return this.parts.deliveries.page(webhookId, filter, limit, before);
    }

    /** Sends a test now and once. Null: there is no such webhook. */
    testWebhook(webhookId: string): Promise<TestOutcome | null> {
      return this.parts.deliveries.test(webhookId);
    }

    /** The same event under a new delivery id; null: there is no such delivery. */
    redeliver(webhookId: string, deliveryId: string): DeliveryRecord | Refusal | null {
      return this.parts.deliveries.redeliver(webhookId, deliveryId);
    }

    /** A slice of the events since a time whose last delivery ended so, once more; how many there are so far. */
    redeliverSince(
      webhookId: string,
      since: number,
      status: 'failed' | 'delivered',
      from: RepetitionPlace | null = null,
    ): RepetitionSlice | Refusal {
      return this.parts.deliveries.redeliverSince(webhookId, since, status, from);
    }

    /** All events of a part of the sequence once more: counted a slice at a time, and begun with the last one. */
    replay(
      webhookId: string,
      range: ReplayRange,
      from: RepetitionPlace | null = null,
    ): RepetitionSlice | Refusal {
      return this.parts.deliveries.replay(webhookId, range, from);
    }

    /** Newest first, one more than `limit` where there are more; `isOpen`: those that last, or those that are over. */
    alerts(limit: number, before: string | null, isOpen: boolean | null = null): Alert[] {
      return this.parts.alerts.rows.newest(limit + 1, before, isOpen);
    }

    alert(alertId: string): Alert | null {
      return this.parts.alerts.rows.find(alertId);
    }

    /** Somebody knows of it; null: there is no such alert. */
    acknowledgeAlert(alertId: string, by: string): Alert | null {
      return this.parts.alerts.acknowledge(alertId, by);
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
      return this.parts.alerts.deliveries.rows.page(channelId, limit + 1, before);
    }

    alertChannelStates(channelIds: readonly string[]): AlertChannelState[] {
      const { rows } = this.parts.alerts.deliveries;
      return channelIds.map((id) => rows.stateOf(id));
    }

    /** A number was deleted, in D1 already: what troubled it is over. */
    forgetNumber(numberId: string): void {
      this.parts.alerts.forgetNumber(numberId);
      this.timers.arm();
    }
  };
}

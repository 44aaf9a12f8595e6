import type { EventName } from '../../../contract/events.ts';
import type { Counting } from '../../counts/gathered-counts.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';

/** A fact that the log has taken, and the events that came of it: none where it was a repeat. */
export interface ToldFact {
  fact: Fact;
  drafts: readonly EventDraft[];
}

const stepOf: Partial<Record<EventName, string>> = {
  'message.queued': 'queued',
  'message.sent': 'sent',
  'message.delivered': 'delivered',
  'message.read': 'read',
  'message.failed': 'failed',
  'message.received': 'received',
};

/** Counts the steps of messages that are stored, and how long those have waited that are sent. */
export function countFacts(counting: Counting, told: readonly ToldFact[]): void {
  for (const { fact, drafts } of told) {
    for (const { event } of drafts) {
      const step = stepOf[event];
      if (step !== undefined) counting.count('messages', step);
      if (event !== 'message.sent' || fact.kind !== 'message.sent') continue;
      const { queuedAt, sendAt = 0 } = fact.message;
      counting.observe('sendSeconds', fact.at - Math.max(queuedAt, sendAt));
    }
  }
}

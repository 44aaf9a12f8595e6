import type { EventData } from '../../../contract/events.ts';
import { traceFields } from '../../../contract/trace.ts';
import type { Counting } from '../../counts/gathered-counts.ts';
import { log } from '../../log.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { Fact } from '../facts.ts';
import { stepOf } from '../traffic-counts.ts';

/** A fact that the log has taken, and the events that came of it: none where it was a repeat. */
export interface ToldFact {
  fact: Fact;
  drafts: readonly EventDraft[];
}

/** Writes a line for each step of a message that belongs to a trace; others have none. */
export function logTraces(accountId: string, drafts: readonly EventDraft[]): void {
  for (const { event, data, traceparent } of drafts) {
    const step = stepOf[event];
    if (traceparent === undefined || step === undefined) continue;
    const { numberId, messageId } = data as EventData<'message.sent'>;
    log('message.step', { accountId, numberId, messageId, step, ...traceFields({ traceparent }) });
  }
}

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

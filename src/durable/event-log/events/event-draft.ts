import type { EventData, EventName } from '../../../contract/events.ts';
import { newEventId } from '../../new-ids.ts';

/** An event that is about to be stored: its time is that of the commit. */
export type EventDraft<Name extends EventName = EventName> = {
  [N in Name]: {
    id: string;
    event: N;
    data: EventData<N>;
    /** Of a message's step: the trace that its request belongs to. For our log; no event has it. */
    traceparent?: string;
  };
}[Name];

export const newEvent = <Name extends EventName>(event: Name, data: EventData<Name>): EventDraft =>
  ({ id: newEventId(), event, data }) as EventDraft;

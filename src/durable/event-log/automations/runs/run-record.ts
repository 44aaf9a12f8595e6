import type { Action } from '../../../../contract/automations/actions.ts';
import type { AutomationTrigger } from '../../../../contract/automations/fields.ts';
import type { ActionReason, ActionState, NoReason } from '../../../../contract/automations/runs.ts';

/** What became of one action of a run. */
export interface ActionOutcome {
  type: Action['type'];
  state: ActionState;
  /** Why it was not carried out, for a program. */
  reason?: ActionReason;
  /** The same for a person, where there is more to say: as the refusal has it, or the receiver. */
  words?: string;
  /** The reply. */
  messageId?: string;
}

/** What is kept of a run beside its ids. Times are milliseconds since 1970. */
export interface RunDetail {
  eventId: string;
  on: AutomationTrigger;
  numberId: string;
  conversationId: string | null;
  messageId: string | null;
  /** The other side: a phone number, an alias, or a group. */
  person: string;
  /** Of a rule that did not run. */
  reason?: NoReason;
  conditionIndex?: number;
  until?: number;
  stoppedBy?: string;
  /** Of one that did. */
  actions?: ActionOutcome[];
}

export interface RunRecord extends RunDetail {
  runId: string;
  automationId: string;
  at: number;
  ran: boolean;
}

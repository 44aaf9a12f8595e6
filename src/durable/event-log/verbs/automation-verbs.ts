import type { Actor } from '../../../contract/conversations/conversation.ts';
import type { Refusal } from '../../../contract/errors.ts';
import type { DayCount } from '../assistants/reports/day-counts.ts';
import type { InstructionVersion } from '../assistants/reports/instruction-versions.ts';
import type { RunFilter } from '../assistants/reports/run-list.ts';
import type { AssistantAction, Standing } from '../assistants/turns/participation.ts';
import type { ClaimedTurn, Decided, Thought, TurnSummary } from '../assistants/turns/turn-orders.ts';
import type { Turn } from '../assistants/turns/turn-rows.ts';
import type { SettledAction } from '../automations/actions/action-queue.ts';
import type { ActionOrder } from '../automations/actions/planned.ts';
import type { DryRun } from '../automations/dry-run.ts';
import type { Rule } from '../automations/rules/judge.ts';
import type { RunFigures, RunRecord } from '../automations/runs/run-rows.ts';
import type { LogClass } from './log-object.ts';

export function automationVerbs<Base extends LogClass>(base: Base) {
  return class extends base {
    /** How often these rules have run, and when last. */
    automationFigures(automationIds: readonly string[]): RunFigures[] {
      return this.parts.automations.runs.figures(automationIds);
    }

    /** Newest first, one more than `limit` where there are more; `ran`: those that ran, or those that did not. */
    automationRuns(
      automationId: string,
      limit: number,
      before: string | null,
      ran: boolean | null,
    ): RunRecord[] {
      return this.parts.automations.runs.page(automationId, limit, before, ran);
    }

    /** What a rule would have done since then. Changes nothing. */
    dryRunAutomation(rule: Rule, since: number): Promise<DryRun> {
      return this.parts.automations.dryRun(rule, since);
    }

    /** What rules want done outside of the log: whoever takes it says what came of it. */
    takeAutomationActions(limit: number): ActionOrder[] {
      const orders = this.parts.automations.lease(limit);
      this.timers.arm();
      return orders;
    }

    /** What came of actions. To repeat it changes nothing. */
    settleAutomationActions(settled: readonly SettledAction[]): void {
      this.parts.automations.settle(settled);
      this.timers.arm();
    }

    /** Somebody begins to answer a turn: what is to be done, and under which lease. */
    claimTurn(turnId: string): ClaimedTurn {
      // What a rule answers is none of an assistant's.
      this.parts.automations.catchUp();
      const { assistants } = this.parts;
      return assistants.change((now) => assistants.turns.claim(turnId, now));
    }

    /** What a model came to; whether it is said is decided here. */
    decideTurn(turnId: string, lease: string, thought: Thought): Decided {
      const { assistants } = this.parts;
      return assistants.change((now) => assistants.turns.decide(turnId, lease, thought, now));
    }

    turnSent(turnId: string, messageId: string): void {
      const { assistants } = this.parts;
      assistants.change((now) => assistants.turns.sent(turnId, messageId, now));
    }

    turnNotSent(turnId: string, refusal: Refusal): Decided {
      const { assistants } = this.parts;
      return assistants.change((now) => assistants.turns.notSent(turnId, refusal, now));
    }

    noteSummary(summary: TurnSummary): void {
      this.parts.assistants.noteSummary(summary);
    }

    /** A person says whose a conversation is. Null: there is no such conversation. */
    orderAssistant(
      conversationId: string,
      action: AssistantAction,
      assistantId: string | null,
      by: Actor,
    ): { ok: true; decided: Decided } | Refusal | null {
      const { assistants } = this.parts;
      return assistants.change((now) =>
        assistants.participation.order(conversationId, action, assistantId, by, now),
      );
    }

    /** Who answers in a conversation, and who could. */
    assistantStanding(conversation: { conversationId: string; numberId: string }): Standing {
      return this.parts.assistants.participation.standing(conversation);
    }

    /** Newest first, one more than `limit` where there are more. */
    assistantRuns(assistantId: string, filter: RunFilter, limit: number, before: number | null): Turn[] {
      return this.parts.assistants.runs.page(assistantId, filter, limit, before);
    }

    assistantRun(turnId: string): Turn | null {
      return this.parts.assistants.runs.find(turnId);
    }

    /** What it was told so far, and what came of it: the newest wording first, one more than `limit` where there are more. */
    assistantInstructions(assistantId: string, limit: number, before: number | null): InstructionVersion[] {
      return this.parts.assistants.versions.page(assistantId, limit, before);
    }

    /** What it did on each day (UTC) since then, oldest first. */
    assistantDays(assistantId: string, since: string): DayCount[] {
      return this.parts.assistants.days.since(assistantId, since);
    }
  };
}

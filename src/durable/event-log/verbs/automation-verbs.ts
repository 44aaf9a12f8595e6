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
      return this.parts.automations.figures(automationIds);
    }

    /** Newest first, one more than `limit` where there are more; `ran`: those that ran, or those that did not. */
    automationRuns(
      automationId: string,
      limit: number,
      before: string | null,
      ran: boolean | null,
    ): RunRecord[] {
      return this.parts.automations.runs(automationId, limit, before, ran);
    }

    /** What a rule would have done since then. Changes nothing. */
    dryRunAutomation(rule: Rule, since: number): Promise<DryRun> {
      return this.parts.automations.dryRun(rule, since);
    }

    /** What rules want done outside of the log: whoever takes it says what came of it. */
    takeAutomationActions(limit: number): ActionOrder[] {
      const orders = this.parts.automations.take(limit);
      this.timers.arm();
      return orders;
    }

    /** What came of actions. To repeat it changes nothing. */
    settleAutomationActions(settled: readonly SettledAction[]): void {
      this.parts.automations.settle(settled);
      this.timers.arm();
    }
  };
}

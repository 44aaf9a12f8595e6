import type { AutomationDefinition } from '../../../contract/automations/automation.ts';
import { isoTime } from '../../../contract/times.ts';
import type { DryRun } from '../../../durable/event-log/automations/dry-run.ts';
import type { RunFigures, RunRecord } from '../../../durable/event-log/automations/runs/run-rows.ts';
import type { AutomationRow } from './rows.ts';

const isoOrNull = (at: number | null | undefined) => (at ? isoTime(at) : null);

/** The rule as people have defined it. */
export const definitionOf = ({ name, enabled, definition }: AutomationRow): AutomationDefinition => ({
  name,
  enabled,
  ...definition,
});

export function showAutomation(row: AutomationRow, figures: RunFigures | undefined) {
  const { on, waitingMinutes, inGroups, conditions, actions, cooldownSeconds } = row.definition;
  return {
    automationId: row.id,
    name: row.name,
    enabled: row.enabled,
    on,
    waitingMinutes,
    inGroups,
    conditions,
    actions,
    cooldownSeconds,
    position: row.position,
    stats: { runs: figures?.runs ?? 0, lastRunAt: isoOrNull(figures?.lastRunAt) },
    createdAt: isoTime(row.createdAt),
  };
}

export const showRun = ({ runId, at, ran, until, actions, ...run }: RunRecord) => ({
  runId,
  at: isoTime(at),
  ran,
  ...run,
  ...(until !== undefined && { until: isoTime(until) }),
  ...(actions !== undefined && { actions }),
});

export const showDryRun = ({ data, counts, since, isCut }: DryRun) => ({
  since: isoTime(since),
  counts,
  isCut,
  data: data.map(({ at, until, ...entry }) => ({
    ...entry,
    at: isoTime(at),
    ...(until !== undefined && { until: isoTime(until) }),
  })),
});

import { queryOptions } from '@tanstack/react-query';
import { dayMs } from '../../contract/times.ts';
import type { SupportReportRange } from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { queryClient } from '../gateway/query-client.ts';

const key = ['support'] as const;

/** Every set of business hours, oldest first: there are few. */
export const businessHoursQuery = queryOptions({
  queryKey: [...key, 'hours'],
  queryFn: async ({ signal }) =>
    (await Array.fromAsync(gateway.businessHours.list({ limit: 200, signal }))).reverse(),
  refetchOnMount: 'always',
});

/** Every SLA policy, oldest first. */
export const slaPoliciesQuery = queryOptions({
  queryKey: [...key, 'policies'],
  queryFn: async ({ signal }) =>
    (await Array.fromAsync(gateway.slaPolicies.list({ limit: 200, signal }))).reverse(),
  refetchOnMount: 'always',
});

export const accountSettingsQuery = queryOptions({
  queryKey: [...key, 'settings'],
  queryFn: ({ signal }) => gateway.settings.get({ signal }),
  refetchOnMount: 'always',
});

export type ReportBy = NonNullable<SupportReportRange['by']>;

/** The last so many days, today included, by the days of UTC. */
export function reportRange(days: number): { since: Date; until: Date } {
  const until = new Date(Math.ceil(Date.now() / dayMs) * dayMs);
  return { since: new Date(until.getTime() - days * dayMs), until };
}

export function supportReportQuery(days: number, by: ReportBy) {
  const range = reportRange(days);
  return queryOptions({
    queryKey: [...key, 'report', by, range.since.toISOString()],
    queryFn: ({ signal }) => gateway.reports.support({ ...range, by }, { signal }),
    refetchOnMount: 'always',
  });
}

export const supportChanged = () => queryClient.invalidateQueries({ queryKey: key });

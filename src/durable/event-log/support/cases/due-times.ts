import { allTime, type WorkingTime } from '../../../local-time/working-time.ts';
import type { KnownPolicy } from '../configuration/support-configuration.ts';
import type { SupportCase } from './case-rows.ts';

/** When each target of a case is due; null where nothing is promised, or it was kept or is over. */
export interface DueTimes {
  firstResponseDueAt: number | null;
  nextResponseDueAt: number | null;
  resolutionDueAt: number | null;
}

const nothingDue: DueTimes = {
  firstResponseDueAt: null,
  nextResponseDueAt: null,
  resolutionDueAt: null,
};

type Clock = Pick<
  SupportCase,
  'openedAt' | 'firstWaitingAt' | 'firstResponseAt' | 'waitingSince' | 'resolvedAt'
>;

/** What is due of a case under a policy. What began before there was the policy counts from then on. */
export function dueTimes(clock: Clock, policy: KnownPolicy | null, working: WorkingTime): DueTimes {
  const { openedAt, firstWaitingAt, firstResponseAt, waitingSince, resolvedAt } = clock;
  if (policy === null || resolvedAt !== null) return nothingDue;
  const time = policy.businessHoursOnly ? working : allTime;
  const due = (since: number | null, seconds: number | null) =>
    since === null || seconds === null ? null : time.after(Math.max(since, policy.createdAt), seconds * 1000);
  const isFirst = firstResponseAt === null;
  return {
    firstResponseDueAt:
      isFirst && waitingSince !== null ? due(firstWaitingAt, policy.firstResponseSeconds) : null,
    nextResponseDueAt: isFirst ? null : due(waitingSince, policy.nextResponseSeconds),
    resolutionDueAt: due(openedAt, policy.resolutionSeconds),
  };
}

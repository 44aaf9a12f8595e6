import type { SlaState } from '../../../../contract/conversations/conversation.ts';
import type { SlaTargetName } from '../../../../contract/support/sla-policy.ts';
import { earliest } from '../../../due-times.ts';
import { allTime, type WorkingTime } from '../../../local-time/working-time.ts';
import type { Conversation } from '../../conversations/conversation.ts';
import type { KnownPolicy } from '../support-snapshot.ts';
import type { SupportCase } from './case-rows.ts';

/** What holds for a case now. */
export interface CaseRules {
  policy: KnownPolicy | null;
  working: WorkingTime;
}

/** A case as it stands, with when its targets are due. */
export interface CaseState {
  case: SupportCase;
  due: DueTimes;
}

/** A conversation as a case looks at it. */
type WatchedConversation = Pick<
  Conversation,
  'conversationId' | 'numberId' | 'waitingSince' | 'assigneeId' | 'teamId'
>;

/** What has happened; `agentId`: the person who did it. */
export interface CaseStep {
  /** `changed`: what decides on the policy may be another; `news`: somebody has written. */
  kind: 'answered' | 'resolved' | 'changed' | 'news';
  at: number;
  agentId: string | null;
}

export const newCase = (
  { conversationId, numberId, teamId }: WatchedConversation,
  openedAt: number,
): SupportCase => ({
  openedAt,
  conversationId,
  numberId,
  agentId: null,
  teamId,
  firstWaitingAt: null,
  firstResponseAt: null,
  firstResponseMs: null,
  waitingSince: null,
  resolvedAt: null,
  resolutionMs: null,
  firstMissed: 0,
  nextMissed: 0,
  nextMissedSince: null,
  resolutionMissed: 0,
  dueAt: null,
  rating: null,
});

/** A case after a step; `conversation` as it is then. */
export function afterStep(
  before: SupportCase,
  step: CaseStep,
  conversation: WatchedConversation,
  rules: CaseRules,
): CaseState {
  // Messages may be old: they tell nothing of how late it is.
  const judged = step.kind === 'news' ? before : judge(before, rules, step.at);
  const { waitingSince, teamId } = conversation;
  const changed: SupportCase = {
    ...judged,
    teamId,
    waitingSince,
    firstWaitingAt: before.firstWaitingAt ?? waitingSince,
  };
  if (step.kind === 'answered' && before.firstResponseAt === null && before.firstWaitingAt !== null) {
    changed.firstResponseAt = step.at;
    changed.firstResponseMs = rules.working.between(before.firstWaitingAt, step.at);
    changed.agentId = step.agentId;
  }
  if (step.kind === 'resolved') {
    changed.resolvedAt = step.at;
    changed.resolutionMs = rules.working.between(before.openedAt, step.at);
    changed.agentId ??= step.agentId ?? conversation.assigneeId;
  }
  return withDue(changed, rules);
}

/** What was due and is not done by `now` was missed; what is due later, under other rules than before, was not. */
export const afterTime = (before: SupportCase, now: number, rules: CaseRules): CaseState =>
  // What is due at this very millisecond is over with it.
  withDue(judge(before, rules, now + 1), rules);

/** The target that is not kept now, the most pressing one; null: none. */
export function lateTarget({ case: it, due }: CaseState): { target: SlaTargetName; dueAt: number } | null {
  if (due.firstResponseDueAt !== null && it.firstMissed) {
    return { target: 'first_response', dueAt: due.firstResponseDueAt };
  }
  if (due.nextResponseDueAt !== null && isNextMissed(it)) {
    return { target: 'next_response', dueAt: due.nextResponseDueAt };
  }
  return due.resolutionDueAt !== null && it.resolutionMissed
    ? { target: 'resolution', dueAt: due.resolutionDueAt }
    : null;
}

export function slaOf({ case: it }: CaseState, policy: KnownPolicy | null): SlaState {
  if (it.firstMissed > 0 || it.nextMissed > 0 || it.resolutionMissed > 0) return 'missed';
  return policy === null ? 'none' : 'on_time';
}

const isNextMissed = ({ nextMissedSince, waitingSince }: SupportCase) =>
  nextMissedSince !== null && nextMissedSince === waitingSince;

/** What is over at `at`. It may also be earlier than what is known: an answer that was heard of late. */
function judge(it: SupportCase, { policy, working }: CaseRules, at: number): SupportCase {
  const due = dueTimes(it, policy, working);
  const judged = { ...it };
  if (due.firstResponseDueAt !== null) judged.firstMissed = Number(due.firstResponseDueAt < at);
  if (due.resolutionDueAt !== null) judged.resolutionMissed = Number(due.resolutionDueAt < at);
  if (due.nextResponseDueAt !== null) {
    const isMissed = due.nextResponseDueAt < at;
    if (isMissed !== isNextMissed(it)) {
      judged.nextMissed += isMissed ? 1 : -1;
      judged.nextMissedSince = isMissed ? it.waitingSince : null;
    }
  }
  return judged;
}

function withDue(it: SupportCase, { policy, working }: CaseRules): CaseState {
  const due = dueTimes(it, policy, working);
  const dueAt = earliest([
    it.firstMissed ? null : due.firstResponseDueAt,
    isNextMissed(it) ? null : due.nextResponseDueAt,
    it.resolutionMissed ? null : due.resolutionDueAt,
  ]);
  return { case: { ...it, dueAt }, due };
}

/** When each target of a case is due; null where nothing is promised, or it was kept or is over. */
interface DueTimes {
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
function dueTimes(clock: Clock, policy: KnownPolicy | null, working: WorkingTime): DueTimes {
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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OpenHours } from '../../../../src/contract/support/business-hours.ts';
import {
  afterStep,
  afterTime,
  type CaseRules,
  lateTarget,
  newCase,
} from '../../../../src/durable/event-log/support/cases/case-course.ts';
import type { SupportCase } from '../../../../src/durable/event-log/support/cases/case-rows.ts';
import { workingTimeOf } from '../../../../src/durable/local-time/working-time.ts';

const minuteMs = 60_000;
/** A Thursday, 09:00 UTC. */
const start = Date.parse('2026-01-29T09:00:00Z');
const numberId = '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f';

/** Open from 10 to 12 and from 13 to 15, every day but Friday. */
const hours: OpenHours = {
  timeZone: 'UTC',
  spans: (['thursday', 'saturday', 'sunday'] as const).flatMap((day) => [
    { day, from: '10:00', to: '12:00' },
    { day, from: '13:00', to: '15:00' },
  ]),
  holidays: [],
};
const isWorking = (minute: number): boolean => {
  const at = new Date(start + minute * minuteMs);
  const hour = at.getUTCHours();
  return at.getUTCDay() !== 5 && (hour === 10 || hour === 11 || hour === 13 || hour === 14);
};

interface Step {
  kind: 'write' | 'answer' | 'resolve';
  /** Minutes since the start. */
  at: number;
  /** The alarm rings before it, where something is due. */
  rings: boolean;
}
interface Targets {
  first: number | null;
  next: number | null;
  resolution: number | null;
}

/** What a person with a calendar and a watch would count. */
function slowly(steps: readonly Step[], targets: Targets, end: number) {
  const worked = (from: number, to: number) => {
    let minutes = 0;
    for (let minute = from; minute < to; minute += 1) if (isWorking(minute)) minutes += 1;
    return minutes;
  };
  // Done at the very minute in which it is due it is done in time.
  const isLate = (since: number, done: number, target: number | null) =>
    target !== null && worked(since, done - 1) >= target;
  const isOverdue = (since: number, target: number | null) => target !== null && worked(since, end) >= target;
  let waitingSince: number | null = steps[0]?.at ?? 0;
  let firstResponse: number | null = null;
  let [first, next, resolution] = [0, 0, 0];
  let resolvedAt: number | null = null;
  const opened = waitingSince;
  for (const { kind, at } of steps) {
    if (kind === 'write') waitingSince ??= at;
    if (kind === 'answer' && waitingSince !== null) {
      if (firstResponse === null) {
        firstResponse = worked(waitingSince, at);
        first = Number(isLate(waitingSince, at, targets.first));
      } else next += Number(isLate(waitingSince, at, targets.next));
      waitingSince = null;
    }
    if (kind === 'resolve') {
      if (waitingSince !== null && firstResponse === null) {
        first = Number(isLate(waitingSince, at, targets.first));
      } else if (waitingSince !== null) next += Number(isLate(waitingSince, at, targets.next));
      resolution = Number(isLate(opened, at, targets.resolution));
      resolvedAt = at;
      break;
    }
  }
  if (resolvedAt === null) {
    if (waitingSince !== null && firstResponse === null)
      first = Number(isOverdue(waitingSince, targets.first));
    else if (waitingSince !== null) next += Number(isOverdue(waitingSince, targets.next));
    resolution = Number(isOverdue(opened, targets.resolution));
  }
  return { first, next, resolution, firstResponse };
}

/** The same by the code. */
function quickly(steps: readonly Step[], { first, next, resolution }: Targets, end: number) {
  const seconds = (minutes: number | null) => (minutes === null ? null : minutes * 60);
  const policy = {
    id: numberId,
    name: 'Standard',
    firstResponseSeconds: seconds(first),
    nextResponseSeconds: seconds(next),
    resolutionSeconds: seconds(resolution),
    businessHoursOnly: true,
    numberIds: 'all' as const,
    labels: [],
    createdAt: 0,
  };
  const rules: CaseRules = { policy, working: workingTimeOf(hours) };
  const conversation = {
    conversationId: numberId,
    numberId,
    waitingSince: null as number | null,
    assigneeId: null,
    teamId: null,
  };
  let it: SupportCase = newCase(conversation, start + (steps[0]?.at ?? 0) * minuteMs);
  const ring = (now: number) => {
    while (it.dueAt !== null && it.dueAt <= now) it = afterTime(it, it.dueAt, rules).case;
  };
  for (const { kind, at: minute, rings } of steps) {
    const at = start + minute * minuteMs;
    if (rings) ring(at);
    if (kind === 'write') {
      if (conversation.waitingSince !== null) continue;
      conversation.waitingSince = at;
    } else {
      // Who does not wait is answered by no answer.
      if (kind === 'answer' && conversation.waitingSince === null) continue;
      conversation.waitingSince = null;
    }
    const step = { write: 'news', answer: 'answered', resolve: 'resolved' } as const;
    it = afterStep(it, { kind: step[kind], at, agentId: null }, conversation, rules).case;
    if (kind === 'resolve') break;
  }
  const now = start + end * minuteMs;
  if (it.resolvedAt === null) {
    const state = afterTime(it, now, rules);
    it = state.case;
    // Whoever is late now is told of, and nobody else.
    const due = [state.due.firstResponseDueAt, state.due.nextResponseDueAt, state.due.resolutionDueAt];
    expect(lateTarget(state) !== null).toBe(due.some((at) => at !== null && at <= now));
  }
  return {
    first: it.firstMissed,
    next: it.nextMissed,
    resolution: it.resolutionMissed,
    firstResponse: it.firstResponseMs === null ? null : it.firstResponseMs / minuteMs,
  };
}

/** Coarse, so that things fall together. */
const raster = 30;
const anyTarget = fc.option(
  fc.integer({ min: 1, max: 16 }).map((steps) => steps * raster),
  { nil: null },
);
const anyTargets = fc.record({ first: anyTarget, next: anyTarget, resolution: anyTarget });
const lastMinute = 4 * 24 * 60;
const anySteps = fc
  .array(
    fc.record({
      kind: fc.constantFrom('write', 'write', 'answer', 'answer', 'resolve') as fc.Arbitrary<Step['kind']>,
      at: fc.integer({ min: 1, max: lastMinute / raster }).map((steps) => steps * raster),
      rings: fc.boolean(),
    }),
    { maxLength: 12 },
  )
  .map((steps) => [{ kind: 'write' as const, at: 0, rings: true }, ...steps.sort((a, b) => a.at - b.at)]);

test('what is kept and what is missed is what a person with a watch would count, whenever the alarm rings', () => {
  fc.assert(
    fc.property(anySteps, anyTargets, (steps, targets) => {
      expect(quickly(steps, targets, lastMinute + 1)).toEqual(slowly(steps, targets, lastMinute + 1));
    }),
    { numRuns: 300 },
  );
});

test('a miss counts once however often the alarm rings', () => {
  fc.assert(
    fc.property(anySteps, anyTargets, fc.integer({ min: 1, max: 5 }), (steps, targets, times) => {
      const often = steps.flatMap((step) => Array.from({ length: times }, () => ({ ...step, rings: true })));
      const distinct = often.filter(({ kind }, index) => kind !== 'resolve' || index % times === 0);
      expect(quickly(distinct, targets, lastMinute + 1)).toEqual(quickly(steps, targets, lastMinute + 1));
    }),
    { numRuns: 200 },
  );
});

test('what was not resolved in time stays late when a message from before that comes late', () => {
  const policy = {
    ...{ id: numberId, name: 'Standard', firstResponseSeconds: null, nextResponseSeconds: null },
    ...{
      resolutionSeconds: 3600,
      businessHoursOnly: false,
      numberIds: 'all' as const,
      labels: [],
      createdAt: 0,
    },
  };
  const rules: CaseRules = { policy, working: workingTimeOf(hours) };
  const conversation = {
    conversationId: numberId,
    numberId,
    waitingSince: null,
    assigneeId: null,
    teamId: null,
  };
  const late = afterTime(newCase(conversation, start), start + 60 * minuteMs, rules);
  expect(lateTarget(late)?.target).toBe('resolution');
  const at = start + 30 * minuteMs;
  const step = { kind: 'news', at, agentId: null } as const;
  const after = afterStep(late.case, step, { ...conversation, waitingSince: at }, rules);
  expect(lateTarget(after)?.target).toBe('resolution');
  expect(after.case.resolutionMissed).toBe(1);
});

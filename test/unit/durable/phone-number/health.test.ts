import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  networkRefusals,
  preparationFailures,
  type RefusalWeight,
  refusalWeight,
} from '../../../../src/contract/messages/send-refusals.ts';
import { newDevice } from '../../../../src/durable/phone-number/device/device.ts';
import {
  afterRestriction,
  afterTrial,
  firstRestMs,
  freshHealth,
  type HealthRecord,
  healthAt,
  healthChangesAt,
  restMsMax,
  restrictionMs,
  shownHealth,
  slowAckMs,
  type Trial,
} from '../../../../src/durable/phone-number/health/health.ts';
import { SenderHealth } from '../../../../src/durable/phone-number/health/sender-health.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { newNumberSql } from './number-sql.ts';

const start = Date.UTC(2026, 0, 31, 23, 59);
const sent: Trial = { kind: 'sent', ackMs: 40 };
const failed = (code: string | null = '500'): Trial => ({ kind: 'failed', code });

function recordAfter(trials: Trial[], from: HealthRecord = freshHealth, at = start): HealthRecord {
  return trials.reduce((record, trial) => afterTrial(healthAt(record, at), trial, at), from);
}
const times = (count: number, trial: Trial) => Array.from({ length: count }, () => trial);
const statusOf = (record: HealthRecord) => shownHealth(record, null).status;

describe('the health of a number', () => {
  test('that is not connected is unavailable, for the reason of the device', () => {
    expect(shownHealth(freshHealth, 'The network banned the number.')).toEqual({
      status: 'unavailable',
      reason: 'The network banned the number.',
      until: null,
    });
  });

  test.each([
    ['refusals', failed('500'), 'went wrong'],
    ['messages that the network does not answer', { kind: 'unanswered' } as Trial, 'did not acknowledge'],
    ['slow acknowledgements', { kind: 'sent', ackMs: slowAckMs + 1 } as Trial, 'took more than 15 s'],
  ])('rests after five %s in a row', (_, trial, words) => {
    expect(statusOf(recordAfter(times(4, trial)))).toBe('healthy');
    const shown = shownHealth(recordAfter(times(5, trial)), null);
    expect(shown).toMatchObject({ status: 'resting', until: start + firstRestMs });
    expect(shown.reason).toContain(words);
  });

  test('a message that goes well ends a row of failures', () => {
    expect(statusOf(recordAfter([...times(4, failed()), sent, ...times(4, failed())]))).toBe('healthy');
  });

  test('rests when more than half of at least twenty messages went wrong', () => {
    const worse = Array.from({ length: 8 }, () => [failed(), sent, failed()]).flat();
    const shown = shownHealth(recordAfter(worse), null);
    expect(shown.status).toBe('resting');
    expect(shown.reason).toMatch(/^\d+ of its last \d+ messages went wrong\.$/);
    const half = Array.from({ length: 30 }, () => [sent, failed()]).flat();
    expect(statusOf(recordAfter(half))).toBe('healthy');
  });

  test('fewer than twenty say nothing about a rate', () => {
    const nineteen = [sent, ...Array.from({ length: 6 }, () => [failed(), sent, failed()]).flat()];
    expect(statusOf(recordAfter(nineteen))).toBe('healthy');
    expect(statusOf(recordAfter([failed()], recordAfter(nineteen)))).toBe('resting');
  });

  test.each([
    [9, 'resting'],
    [10, 'healthy'],
    // A clock that was set back.
    [-1, 'healthy'],
  ])(
    'what went wrong counts in the ten minutes from its own on: %i minutes later it is %s',
    (minutes, status) => {
      const early = recordAfter(Array.from({ length: 6 }, () => [failed(), sent, failed()]).flat());
      expect(statusOf(early)).toBe('healthy');
      const later = start + minutes * 60_000;
      expect(statusOf(recordAfter([failed(), failed()], early, later))).toBe(status);
    },
  );

  test('rests first and is restricted then, and changes with whichever ends first', () => {
    const resting = recordAfter(times(5, failed()));
    const both = afterRestriction(resting, { isActive: true, until: start + 2 * firstRestMs }, start);
    expect(shownHealth(both, null)).toMatchObject({ status: 'resting', until: start + firstRestMs });
    expect(healthChangesAt(both)).toBe(start + firstRestMs);
    const rested = healthAt(both, start + firstRestMs);
    expect(shownHealth(rested, null)).toMatchObject({ status: 'restricted', until: start + 2 * firstRestMs });
    expect(healthChangesAt(rested)).toBe(start + 2 * firstRestMs);
  });

  test('rests at once when the network says that it sends too much', () => {
    expect(statusOf(recordAfter([failed('429')]))).toBe('resting');
  });

  test('is blamed for each refusal as the one table of them says, and for nothing whose reason is not known', () => {
    const statuses: Record<RefusalWeight, string> = {
      nothing: 'healthy',
      failure: 'resting',
      rest: 'resting',
      restriction: 'restricted',
    };
    for (const [code, { weight }] of Object.entries({ ...networkRefusals, ...preparationFailures })) {
      const record = recordAfter(times(5, failed(code)));
      expect([code, statusOf(record)]).toEqual([code, statuses[weight]]);
      if (weight === 'nothing') expect(record).toEqual(freshHealth);
    }
    expect(recordAfter(times(50, failed(null)))).toEqual(freshHealth);
    expect(statusOf(recordAfter(times(5, failed('599'))))).toBe('resting');
  });

  test('is not blamed for the group that it was removed from, a recipient without keys, or a file', () => {
    for (const code of ['403', '404', 'no_keys', 'file']) expect(refusalWeight(code)).toBe('nothing');
  });

  test('begins no new chats for a while once it has begun as many as the network allows', () => {
    expect(statusOf(recordAfter([failed('475')]))).toBe('restricted');
  });
});

describe('a rest', () => {
  const resting = recordAfter(times(5, failed()));

  test('is followed by a trial, and doubles with every trial that fails, up to half an hour', () => {
    let record = resting;
    let now = start;
    const rests: number[] = [];
    for (let round = 0; round < 9; round += 1) {
      const until = healthChangesAt(record) ?? 0;
      rests.push(until - now);
      now = until;
      record = healthAt(record, now);
      expect(record).toMatchObject({ isOnTrial: true, rest: null });
      record = afterTrial(record, { kind: 'unanswered' }, now);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 960, 1800, 1800, 1800].map((seconds) => seconds * 1000));
    expect(restMsMax).toBe(1_800_000);
  });

  test('begins again where the network acknowledges the trial late', () => {
    const rested = recordAfter(times(5, failed()));
    const late = recordAfter([{ kind: 'sent', ackMs: slowAckMs + 1 }], rested, start + firstRestMs);
    expect(late).toMatchObject({ rest: { until: start + 3 * firstRestMs }, isOnTrial: false });
  });

  test('is over for good once a message has gone well: the next one is short again', () => {
    const tried = healthAt(resting, start + firstRestMs);
    const well = afterTrial(tried, sent, start + firstRestMs);
    expect(well).toMatchObject({ isOnTrial: false, restMs: 0 });
    expect(shownHealth(well, null)).toEqual({ status: 'healthy', reason: null, until: null });
    expect(recordAfter(times(5, failed()), well, start + 60_000).restMs).toBe(firstRestMs);
  });

  test('is not touched by what was under way when it began', () => {
    expect(recordAfter([failed(), sent, { kind: 'unanswered' }], resting)).toEqual(resting);
  });

  test('is never longer than it was meant to be, even when the clock goes back', () => {
    const back = start - 40 * 86_400_000;
    expect(healthAt(resting, back).rest?.until).toBe(back + firstRestMs);
  });
});

describe('a restriction of new chats', () => {
  test('follows from error 463 for a day, where the network names no end', () => {
    const record = recordAfter([failed('463')]);
    expect(shownHealth(record, null)).toMatchObject({ status: 'restricted', until: start + restrictionMs });
    expect(statusOf(healthAt(record, start + restrictionMs))).toBe('healthy');
    expect(recordAfter([failed('463')], record, start + 60_000)).toEqual(record);
  });

  test('lasts until the time that the network names, and ends when it says so', () => {
    const until = start + 3 * 86_400_000;
    const told = afterRestriction(recordAfter([failed('463')]), { isActive: true, until }, start);
    expect(shownHealth(told, null)).toMatchObject({ status: 'restricted', until });
    expect(afterRestriction(told, { isActive: true, until: null }, start + 1).restriction?.until).toBe(until);
    expect(statusOf(afterRestriction(told, { isActive: false, until: null }, start + 1))).toBe('healthy');
  });

  test('is never longer than it was meant to be, even when the clock goes back', () => {
    const back = start - 40 * 86_400_000;
    expect(healthAt(recordAfter([failed('463')]), back).restriction?.until).toBe(back + restrictionMs);
  });

  test('that has ended already is none', () => {
    expect(afterRestriction(freshHealth, { isActive: true, until: start - 1 }, start)).toBe(freshHealth);
  });
});

test('whatever happens, a number that rests or is restricted has an end in sight, and time alone brings it there', () => {
  const anyTrial = fc.oneof(
    fc.record({ kind: fc.constant('sent' as const), ackMs: fc.option(fc.integer({ min: 0, max: 60_000 })) }),
    fc.record({
      kind: fc.constant('failed' as const),
      code: fc.constantFrom(null, '404', '429', '463', '500'),
    }),
    fc.record({ kind: fc.constant('unanswered' as const) }),
  );
  const steps = fc.array(fc.tuple(anyTrial, fc.integer({ min: -60_000, max: 60_000 })), { maxLength: 80 });
  fc.assert(
    fc.property(steps, (all) => {
      let record = freshHealth;
      let now = start;
      for (const [trial, passed] of all) {
        now += passed;
        record = afterTrial(healthAt(record, now), trial, now);
        expect(record.restMs).toBeLessThanOrEqual(restMsMax);
      }
      for (let changes = 0; healthChangesAt(healthAt(record, now)) !== null; changes += 1) {
        expect(changes).toBeLessThan(3);
        record = healthAt(record, now);
        now = healthChangesAt(record) ?? now;
      }
      expect(statusOf(healthAt(record, now))).toBe('healthy');
    }),
  );
});

test('a number that has passed its trial has passed it after a restart, too', () => {
  const sql = newNumberSql();
  const health = new SenderHealth(sql, new NumberState(sql));
  for (const trial of times(5, failed())) health.note(trial, start);
  const rested = start + firstRestMs;
  expect(health.at(rested).isOnTrial).toBe(true);
  health.note(sent, rested);
  expect(new SenderHealth(sql, new NumberState(sql)).at(rested)).toMatchObject({
    isOnTrial: false,
    restMs: 0,
  });
});

test('a restriction that the network makes longer is a change of the health', () => {
  const sql = newNumberSql();
  const health = new SenderHealth(sql, new NumberState(sql));
  const device = { ...newDevice('account', 'number'), state: 'connected' } as const;
  const ends = [start + 60_000, start + 120_000];
  for (const until of ends) {
    health.noteRestriction({ isActive: true, until }, start);
    health.observe(device, start);
    health.observe(device, start + 1);
  }
  expect(health.changes().map(({ status, until }) => [status, until])).toEqual(
    ends.toReversed().map((until) => ['restricted', until]),
  );
});

test('since when a number is away, and has its health, is known again after a restart', () => {
  const sql = newNumberSql();
  const health = new SenderHealth(sql, new NumberState(sql));
  const device = { ...newDevice('account', 'number'), state: 'connected' } as const;
  health.observe(device, start);
  health.observe({ ...device, state: 'disconnected', reason: 'The network is away.' }, start + 1000);
  health.observe({ ...device, state: 'disconnected', reason: 'The phone is away.' }, start + 2000);
  const after = new SenderHealth(sql, new NumberState(sql));
  after.reload();
  expect(after).toMatchObject({ unavailableSince: start + 1000, since: start + 2000 });
});

describe('the changes of the health of a number', () => {
  const connected = { ...newDevice('account', 'number'), state: 'connected' } as const;
  const away = { ...connected, state: 'disconnected', reason: 'The phone is away.' } as const;
  const newHealth = () => {
    const sql = newNumberSql();
    return { sql, health: new SenderHealth(sql, new NumberState(sql)) };
  };

  test('are written down once each, the newest first, and fifty of them are kept', () => {
    const { health } = newHealth();
    for (let round = 0; round < 30; round += 1) {
      for (const device of [connected, connected, away, away]) health.observe(device, start + round);
    }
    const changes = health.changes();
    expect(changes).toHaveLength(50);
    expect(changes.slice(0, 2)).toEqual([
      { at: start + 29, status: 'unavailable', reason: 'The phone is away.', until: null },
      { at: start + 29, status: 'healthy', reason: null, until: null },
    ]);
    expect(changes.at(-1)?.at).toBe(start + 5);
  });

  test('begin when the link was lost, and not when that is noticed; a clock that went back makes none of the future', () => {
    const { health } = newHealth();
    health.observe({ ...away, linkLostAt: start - 30_000 }, start);
    expect(health.since).toBe(start - 30_000);
    expect(health.unavailableSince).toBe(start - 30_000);
    health.observe({ ...connected, linkLostAt: start - 5_000 }, start + 1_000);
    expect(health.since).toBe(start + 1_000);
    expect(health.unavailableSince).toBeNull();
    health.observe({ ...away, linkLostAt: start + 90_000 }, start + 2_000);
    expect(health.since).toBe(start + 2_000);
  });

  test('say why a number cannot send: in the words of its device, or by what it lacks', () => {
    const { health } = newHealth();
    expect(health.shown(away, start)).toMatchObject({ status: 'unavailable', reason: 'The phone is away.' });
    expect(health.shown({ ...connected, reason: 'Linked elsewhere too.' }, start).status).toBe('healthy');
    const [pairing, unpaired] = (['pairing', 'unpaired'] as const).map(
      (state) => health.shown({ ...connected, state }, start).reason,
    );
    expect(pairing).toMatch(/pair/i);
    expect(unpaired).not.toBe(pairing);
    expect(unpaired).toEqual(expect.any(String));
  });

  test('of failures are known in the next life, and of what was rolled back nothing is', () => {
    const { sql, health } = newHealth();
    for (const trial of times(4, failed())) health.note(trial, start);
    const next = new SenderHealth(sql, new NumberState(sql));
    next.note(failed(), start);
    expect(next.at(start).rest).not.toBeNull();
    expect(health.at(start).rest).toBeNull();
    health.reload();
    expect(health.at(start).rest).not.toBeNull();
    // A rest that is over is over for good, also in a life that has not seen it.
    next.at(start + firstRestMs);
    health.reload();
    expect(health.at(start)).toMatchObject({ rest: null, isOnTrial: true });
  });

  test('by the clock alone are looked for when a rest or a restriction ends', () => {
    const { health } = newHealth();
    expect(health.changesAt()).toBeNull();
    health.noteRestriction({ isActive: true, until: start + 60_000 }, start);
    expect(health.changesAt()).toBe(start + 60_000);
    health.noteRestriction({ isActive: false, until: null }, start);
    expect(health.changesAt()).toBeNull();
    expect(health.shown(connected, start).status).toBe('healthy');
  });
});

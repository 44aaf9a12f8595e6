import { describe, expect, test } from 'vitest';
import { renderTemplate, unknownVariables } from '../../../../src/contract/campaigns/template.ts';
import { isOpen, opensAt, zonesOf } from '../../../../src/durable/campaign/audience/open-hours.ts';
import { afterOutcome, freshGuard } from '../../../../src/durable/campaign/outcomes/guard.ts';
import { finishesAt } from '../../../../src/durable/campaign/preview.ts';
import { roomOf } from '../../../../src/durable/campaign/sending/room.ts';

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'] as const;
const office = { days: [...weekdays], from: '09:00', to: '17:00' };
const at = (time: string) => Date.parse(time);
const opens = (...input: Parameters<typeof opensAt>) => {
  const time = opensAt(...input);
  return time === null ? null : new Date(time).toISOString();
};

describe('The hours of a campaign', () => {
  test('begin when the clocks say so, also on the day on which they are changed', () => {
    // Berlin goes from UTC+1 to UTC+2 on Sunday, 29 March 2026, and back on 25 October.
    expect(opens(office, ['Europe/Berlin'], at('2026-03-27T17:00:00Z'))).toBe('2026-03-30T07:00:00.000Z');
    expect(opens(office, ['Europe/Berlin'], at('2026-10-23T16:00:00Z'))).toBe('2026-10-26T08:00:00.000Z');
    const everyDay = { ...office, days: [...weekdays, 'saturday', 'sunday'] as const } as never;
    expect(opens(everyDay, ['Europe/Berlin'], at('2026-03-28T20:00:00Z'))).toBe('2026-03-29T07:00:00.000Z');
    // 02:30 does not exist on that day: it begins when the clocks are past it.
    const early = { days: ['sunday' as const], from: '02:30', to: '05:00' };
    expect(opens(early, ['Europe/Berlin'], at('2026-03-28T20:00:00Z'))).toBe('2026-03-29T01:00:00.000Z');
    // On the other one it comes twice, and is open both times.
    expect(isOpen(early, ['Europe/Berlin'], at('2026-10-25T00:30:00Z'))).toBe(true);
    expect(isOpen(early, ['Europe/Berlin'], at('2026-10-25T01:30:00Z'))).toBe(true);
  });

  test('go over midnight, and belong to the day on which they began', () => {
    const night = { days: ['friday' as const], from: '22:00', to: '02:00' };
    expect(isOpen(night, ['UTC'], at('2026-03-06T23:00:00Z'))).toBe(true);
    expect(isOpen(night, ['UTC'], at('2026-03-07T01:00:00Z'))).toBe(true);
    expect(isOpen(night, ['UTC'], at('2026-03-07T23:00:00Z'))).toBe(false);
    expect(isOpen(night, ['UTC'], at('2026-03-06T01:00:00Z'))).toBe(false);
  });

  test('are open where they are so in every zone that somebody may live in', () => {
    const indonesia = zonesOf(
      { timeZone: null, country: 'ID' },
      { window: { ...office, timeZone: 'recipient' }, timeZone: 'UTC' },
      at('2026-03-02T00:00:00Z'),
    );
    expect(indonesia).toHaveLength(3);
    expect(isOpen(office, indonesia, at('2026-03-02T01:00:00Z'))).toBe(false);
    expect(isOpen(office, indonesia, at('2026-03-02T02:00:00Z'))).toBe(true);
    expect(isOpen(office, indonesia, at('2026-03-02T07:59:00Z'))).toBe(true);
    expect(isOpen(office, indonesia, at('2026-03-02T08:00:00Z'))).toBe(false);
    // In winter the clocks of Phoenix show what those of Denver do, and in summer they do not.
    const america = zonesOf(
      { timeZone: null, country: 'US' },
      { window: { ...office, timeZone: 'recipient' }, timeZone: 'UTC' },
      at('2026-01-15T00:00:00Z'),
    );
    expect(isOpen(office, america, at('2026-07-15T20:00:00Z'))).toBe(true);
    expect(america).toContain('America/Phoenix');
    // Nowhere is it morning in all of Russia at once.
    const morning = { ...office, to: '11:00', timeZone: 'recipient' as const };
    const russia = zonesOf({ timeZone: null, country: 'RU' }, { window: morning, timeZone: 'UTC' }, 0);
    expect(russia).toHaveLength(1);
    expect(
      zonesOf({ timeZone: null, country: null }, { window: morning, timeZone: 'Asia/Tokyo' }, 0),
    ).toEqual(['Asia/Tokyo']);
  });
});

describe('A text with variables', () => {
  test('says what is known, else what stands there instead, else what is missing', () => {
    const text = 'Hi {{ name | there }}, how is {{attributes.city}}?';
    expect(renderTemplate(text, { name: 'Ada', 'attributes.city': 'Jakarta' })).toEqual({
      ok: true,
      text: 'Hi Ada, how is Jakarta?',
    });
    expect(renderTemplate(text, {})).toEqual({ ok: false, missing: ['attributes.city'] });
    expect(renderTemplate('{{name|}}.', {})).toEqual({ ok: true, text: '.' });
    expect(renderTemplate('{{name}}', { name: '{{phone}} $1' })).toEqual({ ok: true, text: '{{phone}} $1' });
    expect(renderTemplate('{{attributes.constructor}}', {}).ok).toBe(false);
    expect(unknownVariables('{{name}} {{nmae}} {{attributes.x y}} {{phone|1}}')).toEqual([
      'nmae',
      'attributes.x y',
    ]);
  });
});

describe('The room for a campaign', () => {
  const number = {
    numberId: 'a',
    inPool: true,
    hindrance: null,
    perMinute: 60,
    waiting: 0,
    leftToday: null,
  };

  test('is two seconds of the pace of each number, without what others wait for', () => {
    expect(roomOf([number], new Map())).toEqual({ room: 2, why: null });
    expect(roomOf([number, { ...number, numberId: 'b', perMinute: 600 }], new Map([['b', 1]])).room).toBe(7);
    expect(roomOf([{ ...number, waiting: 1 }], new Map()).room).toBe(1);
    expect(roomOf([{ ...number, waiting: 9 }], new Map())).toEqual({ room: 0, why: 'busy' });
    expect(roomOf([{ ...number, leftToday: 1 }], new Map()).room).toBe(1);
    expect(roomOf([{ ...number, leftToday: 0 }], new Map())).toEqual({ room: 0, why: 'daily_limit' });
    const full = { ...number, numberId: 'b', leftToday: 0 };
    expect(roomOf([number, full], new Map())).toEqual({ room: 2, why: null });
    expect(roomOf([{ ...number, perMinute: 0 }], new Map())).toEqual({ room: 0, why: 'numbers' });
    // However many there are, it is no more than one transaction bears.
    expect(roomOf(Array(50).fill(number), new Map()).room).toBe(64);
  });
});

describe('How long it takes', () => {
  const number = { numberId: 'a', inPool: true, hindrance: null, perMinute: 10, waiting: 0, leftToday: null };
  const input = {
    groups: [{ zones: ['UTC'], recipients: 1_000 }],
    numbers: [number],
    window: null,
    ratePerHour: null,
    quotaLeft: null,
    quotaResetAt: at('2026-04-01T00:00:00Z'),
  };
  const from = at('2026-03-02T09:00:00Z');
  const hours = (end: number | null) => (end === null ? null : Math.round((end - from) / 360_000) / 10);

  test('follows from the pace, the rate, the limits of the day, the hours, and the quota', () => {
    expect(hours(finishesAt(input, from))).toBeCloseTo(1_000 / 600, 0);
    expect(hours(finishesAt({ ...input, ratePerHour: 100 }, from))).toBeCloseTo(10, 0);
    expect(hours(finishesAt({ ...input, numbers: [{ ...number, leftToday: 400 }] }, from))).toBeGreaterThan(
      39,
    );
    const window = { ...office, timeZone: 'recipient' as const };
    expect(hours(finishesAt({ ...input, ratePerHour: 100, window }, from))).toBeCloseTo(26, 0);
    expect(finishesAt({ ...input, quotaLeft: 500 }, from)).toBeGreaterThan(input.quotaResetAt);
    expect(finishesAt({ ...input, numbers: [] }, from)).toBeNull();
  });
});

describe('A campaign stops by itself', () => {
  const run = (outcomes: string, stopAfterFailures = 1_000) => {
    let record = freshGuard;
    for (const [index, outcome] of [...outcomes].entries()) {
      const kind = outcome === 's' ? 'sent' : outcome === 'o' ? 'opted_out' : 'failed';
      const after = afterOutcome(record, kind, stopAfterFailures);
      if (after.stop !== null) return `${after.stop} at ${index + 1}`;
      record = after.record;
    }
    return null;
  };

  test('at so many failures, when they rise, and when people opt out; not for a few', () => {
    expect(run('f'.repeat(10), 5)).toBe('failures at 5');
    expect(run('f'.repeat(30))).toBe('failure_rate at 20');
    expect(run(`${'s'.repeat(90)}${'fs'.repeat(10)}`)).toBe(null);
    expect(run(`${'s'.repeat(50)}${'f'.repeat(16)}`)).toBe('failure_rate at 66');
    expect(run(`${'s'.repeat(40)}oooo`)).toBe(null);
    expect(run(`${'s'.repeat(40)}ooooo`)).toBe('opt_outs at 45');
    expect(run(`${'s'.repeat(200)}ooooo`)).toBe(null);
  });
});

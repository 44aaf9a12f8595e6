import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Condition, conditionSchema } from '../../../src/contract/automations/conditions.ts';
import { messageTypeSchema } from '../../../src/contract/messages/content.ts';
import { fillIn } from '../../../src/durable/event-log/automations/actions/planned.ts';
import {
  holds,
  isFound,
  judge,
  judgeAll,
  patternProblem,
} from '../../../src/durable/event-log/automations/rules/judge.ts';
import { around, memory, now, rule, trigger, wrote } from './rule-fixture.ts';

const condition = (
  field: Condition['field'],
  operator: Condition['operator'],
  value?: Condition['value'],
): Condition => ({ field, operator, ...(value !== undefined && { value }) });

const text = (operator: Condition['operator'], value: Condition['value'], said: string) =>
  holds(condition('text', operator, value), wrote(said), around());

describe('a condition on the text', () => {
  test('is compared without case, width and blanks around it', () => {
    expect(text('equals', 'price', '  Price ')).toBe(true);
    expect(text('equals', 'STRASSE', 'straße')).toBe(true);
    expect(text('equals', 'preço', 'PREÇO')).toBe(true);
    expect(text('equals', '1', '１')).toBe(true);
    expect(text('contains', 'ΣΑΣ', 'λέει σας αρέσει')).toBe(true);
    expect(text('starts_with', 'how  much', 'How much is it?')).toBe(true);
    expect(text('not_equals', 'price', 'PRICE')).toBe(false);
  });

  test('is compared as people read it', () => {
    expect(text('contains', 'istanbul', 'İSTANBUL merkez')).toBe(true);
    expect(text('equals', "don't", 'Don’t')).toBe(true);
    expect(text('contains', 'price', 'the pri\u200bce?')).toBe(true);
    expect(text('contains', '\u200b', 'anything')).toBe(false);
    expect(text('starts_with', '\u200b', 'anything')).toBe(false);
  });

  test('that is a pattern finds it as people read it', () => {
    expect(text('matches', '^istanbul', 'İSTANBUL')).toBe(true);
    expect(text('matches', 'İstanbul', 'istanbul')).toBe(true);
    expect(text('matches', 'don’t', "don't")).toBe(true);
    expect(text('matches', "don't", 'don’t')).toBe(true);
    expect(text('matches', 'price', 'pri\u200bce')).toBe(true);
    expect(text('matches', '^\\d{3}$', '１２٣')).toBe(true);
    expect(text('matches', 'a＊b', 'a＊b')).toBe(false);
  });

  test('takes any of several words', () => {
    expect(text('in', ['price', 'harga', 'preço'], 'HARGA')).toBe(true);
    expect(text('in', ['price', 'harga'], 'harga berapa')).toBe(false);
    expect(text('contains', ['price', 'harga'], 'berapa harganya?')).toBe(true);
  });

  test('is not there in a message without words', () => {
    expect(text('exists', true, '')).toBe(false);
    expect(text('exists', false, '')).toBe(true);
    expect(text('contains', 'a', '')).toBe(false);
    expect(text('not_equals', 'a', '')).toBe(true);
  });

  test('that is a pattern finds it anywhere, whatever its case', () => {
    expect(text('matches', 'order\\s*#?\\d+', 'Where is ORDER #1234?')).toBe(true);
    expect(text('matches', '^(si|sí)$', 'SÍ')).toBe(true);
    expect(text('matches', '^yes$', 'yes please')).toBe(false);
  });
});

describe('a pattern', () => {
  test.each([
    ['(a+)+c', 'a'.repeat(60_000)],
    ['(a|a)*b', 'a'.repeat(60_000)],
    ['(.*)*x', 'y'.repeat(60_000)],
    ['(x+x+)+y', 'x'.repeat(60_000)],
  ])('such as %s takes no longer than its length asks for', (pattern, said) => {
    expect(isFound(pattern, 'warm')).toBe(false);
    const begun = performance.now();
    expect(isFound(pattern, said)).toBe(false);
    // A busy machine takes milliseconds for it; what tries every way takes hours.
    expect(performance.now() - begun).toBeLessThan(10_000);
  });

  test('that cannot be read, or is too large, is said to be', () => {
    expect(patternProblem('(')).toBe('Not a pattern in RE2 syntax: missing closing ): `(`.');
    expect(patternProblem('(?=x)')).toMatch(/Not a pattern in RE2 syntax/);
    expect(patternProblem('(a)\\1')).toMatch(/Not a pattern in RE2 syntax/);
    expect(patternProblem('(\\pL{1,50}){1,20}')).toBe('The pattern is too large.');
    expect(patternProblem('\\d{4}')).toBeNull();
  });
});

describe('a condition on what is around', () => {
  test('may name every kind of message, and nothing that is none', () => {
    const isCondition = (value: string) =>
      conditionSchema.safeParse(condition('messageType', 'equals', value)).success;
    for (const kind of messageTypeSchema.options) expect(isCondition(kind), kind).toBe(true);
    expect(isCondition('fax')).toBe(false);
  });

  test('compares phone numbers by their digits, and countries without case', () => {
    expect(holds(condition('from', 'equals', '+62 812-3456-789'), wrote('hi'), around())).toBe(true);
    expect(holds(condition('from', 'starts_with', '+62'), wrote('hi'), around())).toBe(true);
    expect(holds(condition('from', 'in', ['+1 555', '+62 812-3456-789']), wrote('hi'), around())).toBe(true);
    expect(holds(condition('country', 'in', ['br', 'id']), wrote('hi'), around())).toBe(true);
    expect(holds(condition('country', 'not_equals', 'ID'), wrote('hi'), around({ country: null }))).toBe(
      true,
    );
  });

  test('means a person by any digits that they have, and nobody of whom no phone number is known', () => {
    const phoneNumbers = ['551187654321', '5511987654321'];
    const from = (operator: Condition['operator'], value: Condition['value'], known = phoneNumbers) =>
      holds(condition('from', operator, value), wrote('hi'), around({ phoneNumbers: known }));
    for (const digits of ['+55 11 98765-4321', '551187654321']) {
      expect(from('equals', digits)).toBe(true);
      expect(from('not_equals', digits)).toBe(false);
      expect(from('not_equals', digits, [])).toBe(true);
      expect(from('equals', digits, [])).toBe(false);
    }
    expect(from('starts_with', '55119')).toBe(true);
    expect(from('starts_with', '55117')).toBe(false);
    expect(from('exists', true)).toBe(true);
    expect(from('exists', true, [])).toBe(false);
  });

  test('looks at the labels of the conversation and of the contact', () => {
    const both = around({ conversationLabels: ['VIP'], contactLabels: ['wholesale'] });
    expect(holds(condition('label', 'equals', 'vip'), wrote('hi'), both)).toBe(true);
    expect(holds(condition('label', 'in', ['retail', 'Wholesale']), wrote('hi'), both)).toBe(true);
    expect(holds(condition('label', 'not_equals', 'vip'), wrote('hi'), both)).toBe(false);
    expect(holds(condition('label', 'exists', false), wrote('hi'), around())).toBe(true);
  });

  test('compares attributes of any kind', () => {
    const known = around({ attributes: { plan: 'Gold', orders: 5, isMember: true } });
    expect(holds(condition('contact.plan', 'equals', 'gold'), wrote('hi'), known)).toBe(true);
    expect(holds(condition('contact.orders', 'equals', 5), wrote('hi'), known)).toBe(true);
    expect(holds(condition('contact.orders', 'equals', '5'), wrote('hi'), known)).toBe(true);
    expect(holds(condition('contact.isMember', 'equals', true), wrote('hi'), known)).toBe(true);
    expect(holds(condition('contact.city', 'exists'), wrote('hi'), known)).toBe(false);
  });
});

describe('a rule', () => {
  test('says which condition did not hold, and looks no further', () => {
    const asked: string[] = [];
    const verdict = judge(
      rule({
        conditions: [condition('text', 'contains', 'price'), condition('isFirstMessage', 'equals', true)],
      }),
      wrote('hello'),
      around({ asked }),
      memory(),
      now,
    );
    expect(verdict).toEqual({ runs: false, reason: 'condition', conditionIndex: 0 });
    expect(asked).toEqual([]);
  });

  test.each([
    ['group', rule(), trigger({ person: { phoneNumber: '628', lid: null, groupId: '1203@g.us' } }), {}],
    ['own_number', rule(), wrote('hi'), { isOwnNumber: true }],
    ['no_hours', rule({ on: 'outside_hours' }), wrote('hi'), { hours: null }],
    ['inside_hours', rule({ on: 'outside_hours' }), wrote('hi'), { hours: 'inside' as const }],
    ['late', rule(), wrote('hi', { writtenAt: now - 7 * 3_600_000 }), {}],
    ['chain', rule({ automationId: 'a' }), trigger({ chain: ['a'] }), {}],
    ['chain', rule({ automationId: 'd' }), trigger({ chain: ['a', 'b', 'c'] }), {}],
  ])('does not run: %s', (reason, judged, what, surroundings) => {
    expect(judge(judged, what, around(surroundings), memory(), now)).toEqual({ runs: false, reason });
  });

  test('runs for what came in time, also where rules are asked long after that', () => {
    const asked = now + 24 * 3_600_000;
    expect(judge(rule(), wrote('hi'), around(), memory(), asked)).toEqual({ runs: true });
  });

  test('runs in a group where it is for groups, and outside of business hours', () => {
    const inGroup = trigger({ person: { phoneNumber: '628', lid: null, groupId: '1203@g.us' } });
    expect(judge(rule({ inGroups: true }), inGroup, around(), memory(), now)).toEqual({ runs: true });
    const away = rule({ on: 'outside_hours' });
    expect(judge(away, wrote('hi'), around({ hours: 'outside' }), memory(), now)).toEqual({ runs: true });
  });

  test('rests for a person, and for nobody else', () => {
    const history = memory();
    const resting = rule({ automationId: 'a', cooldownSeconds: 60 });
    history.note('a', '628123456789', now - 30_000);
    expect(judge(resting, wrote('hi'), around(), history, now)).toEqual({
      runs: false,
      reason: 'cooldown',
      until: now + 30_000,
    });
    expect(judge(resting, wrote('hi'), around(), history, now + 30_000)).toEqual({ runs: true });
    const other = trigger({ person: { phoneNumber: '5511', lid: null, groupId: null } });
    expect(judge(resting, other, around(), history, now)).toEqual({ runs: true });
  });
});

describe('several rules', () => {
  const anyRule = fc.record({
    on: fc.constantFrom('message.received' as const, 'conversation.created' as const),
    word: fc.constantFrom('price', 'hello', ''),
    stops: fc.boolean(),
    cooldownSeconds: fc.constantFrom(0, 60),
  });

  test('are asked in their order, each once, and none behind one that stops', () => {
    fc.assert(
      fc.property(
        fc.array(anyRule, { maxLength: 8 }),
        fc.constantFrom('price', 'hello there'),
        (some, said) => {
          const rules = some.map(({ on, word, stops, cooldownSeconds }, index) =>
            rule({
              automationId: String(index),
              on,
              cooldownSeconds,
              conditions: word === '' ? [] : [condition('text', 'contains', word)],
              actions: [{ type: 'note', text: 'x' }, ...(stops ? [{ type: 'stop' as const }] : [])],
            }),
          );
          const ran: string[] = [];
          const judged = judgeAll(rules, wrote(said), around(), memory(), now, (one) => {
            ran.push(one.automationId);
          });
          const occasions = rules.filter(({ on }) => on === 'message.received');
          expect(judged.map((one) => one.rule)).toEqual(occasions);
          const running = judged.filter(({ verdict }) => verdict.runs).map((one) => one.rule);
          expect(ran).toEqual(running.map(({ automationId }) => automationId));
          const stopped = running.findIndex(({ actions }) => actions.some(({ type }) => type === 'stop'));
          expect(stopped === -1 || stopped === running.length - 1).toBe(true);
        },
      ),
    );
  });

  test('answer a person once within their rest, however often something happens', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 120 }),
        fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 30 }),
        (cooldownSeconds, gaps) => {
          const history = memory();
          const resting = rule({ automationId: 'a', cooldownSeconds });
          const ranAt: number[] = [];
          let at = now;
          for (const gap of gaps) {
            at += gap;
            judgeAll([resting], wrote('hi', { writtenAt: at, at }), around(), history, at, () => {
              ranAt.push(at);
              history.note('a', '628123456789', at);
            });
          }
          const apart = ranAt.slice(1).map((one, index) => one - (ranAt[index] ?? 0));
          expect(ranAt[0]).toBe(now + (gaps[0] ?? 0));
          expect(apart.every((ms) => ms >= cooldownSeconds * 1000)).toBe(true);
        },
      ),
    );
  });
});

describe('a reply', () => {
  const contact = { contactId: 'c', name: 'Budi', labels: [], attributes: { city: 'Bandung', orders: 3 } };
  const phoneNumber = '628123456789';

  test('has what is known of the person in it, or what stands in its place', () => {
    const words = 'Hi {{name}} from {{attributes.city}} ({{ phone }}), {{attributes.orders}} orders';
    expect(fillIn(words, { contact, phoneNumber })).toBe('Hi Budi from Bandung (628123456789), 3 orders');
    expect(fillIn('Hi {{name|there}}!', { contact: null, phoneNumber })).toBe('Hi there!');
    expect(fillIn('Hi {{name}}!', { contact: null, phoneNumber })).toBe('Hi !');
    expect(fillIn('{{nobody}} {{', { contact, phoneNumber })).toBe('{{nobody}} {{');
    expect(fillIn('{{attributes.constructor|us}}', { contact, phoneNumber })).toBe('us');
  });

  test('looks at nothing that it was filled in with', () => {
    const sly = { ...contact, name: '{{phone}}' };
    expect(fillIn('Hi {{name}}', { contact: sly, phoneNumber })).toBe('Hi {{phone}}');
  });
});

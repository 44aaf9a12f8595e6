import { describe, expect, test } from 'vitest';
import type { AccountSettings } from '../../../../src/contract/account-settings.ts';
import { openFilters } from '../../../../src/contract/numbers/sender-settings.ts';
import type { AcceptedMessage } from '../../../../src/durable/hand-over/message-batch.ts';
import { type KnownNumber, knownAccount, now, resting, restricted } from './known-account.ts';

const to = '628111222333';
const dayMs = 86_400_000;
const group = { to: '123-456@g.us', chatType: 'group' as const };
const person = { to, chatType: 'personal' as const };
const anyKey = { pinnedNumberId: null, onPinFailure: 'strict' as const };
const pinned = (onPinFailure: 'strict' | 'fallback') => ({ id: 'key', pinnedNumberId: 'a', onPinFailure });

function newAccount(numbers: Record<string, KnownNumber>, settings: Partial<AccountSettings> = {}) {
  const account = knownAccount(numbers, settings);
  const { choosing, configuration } = account;
  type Asked = Parameters<typeof choosing.judge>[0];
  const judge = (more: Partial<Asked> = {}, key: Parameters<typeof choosing.judge>[2] = anyKey) =>
    choosing.judge({ ...person, senderHint: null, ...more }, configuration, key, now);
  const against = (more: Partial<Asked> = {}, key = anyKey as Parameters<typeof choosing.judge>[2]) =>
    judge(more, key).refusals.map(({ code, details }) => {
      const [detail = {}] = (details ?? []) as { path?: string; filter?: string; numberId?: string }[];
      const { filter, path, numberId } = detail;
      return [code, filter ?? path, numberId].filter((it) => it !== undefined).join(' ');
    });
  const message = (more: Partial<AcceptedMessage> = {}) => ({ ...person, ...more }) as AcceptedMessage;
  const another = (wanted: 'ready' | 'any', more: Partial<AcceptedMessage> = {}, except = 'a') =>
    choosing.another(message(more), except, wanted, configuration, now)?.numberId ?? null;
  return { ...account, judge, against, another };
}

describe('what speaks against a send', () => {
  test('is nothing where a number can send it', () => {
    expect(newAccount({ a: {} }).judge()).toMatchObject({ refusals: [], choice: { numberId: 'a' } });
  });

  test('to an own number that is linked, also while it is offline, is that', () => {
    for (const state of ['connected', 'disconnected'] as const) {
      const { against } = newAccount({ a: {}, own: { state, phoneNumber: to } });
      expect(against()).toEqual(['RECIPIENT_FILTERED ownNumber']);
      expect(against({ to: '628999000111', dialled: to })).toEqual(['RECIPIENT_FILTERED ownNumber']);
      expect(against({ to: '628999000111' })).toEqual([]);
    }
  });

  test('to a number that was own is nothing once it is logged out, linked with another phone, or deleted', () => {
    expect(newAccount({ a: {}, own: { state: 'logged_out', phoneNumber: to } }).against()).toEqual([]);
    const { choosing, configured, configuration, report } = newAccount({ a: {}, own: { phoneNumber: to } });
    expect(choosing.ownNumberRefusal(to, configuration)).toMatchObject({
      code: 'RECIPIENT_FILTERED',
      details: [{ filter: 'ownNumber' }],
    });
    expect(choosing.ownNumberRefusal('628999000111', configuration)).toBeNull();
    expect(choosing.ownNumberRefusal(to, configured(['a']))).toBeNull();
    report('own', { phoneNumber: '628999000111' });
    expect(choosing.ownNumberRefusal(to, configuration)).toBeNull();
    expect(choosing.ownNumberRefusal('628999000111', configuration)).not.toBeNull();
  });

  test('is that they have opted out, under these digits or those that were dialled', () => {
    const { choosing, against } = newAccount({ a: {} });
    choosing.optOuts.add(to, now);
    expect(against()).toEqual(['RECIPIENT_FILTERED optOut']);
    expect(against({ to: '628999000111', dialled: to })).toEqual(['RECIPIENT_FILTERED optOut']);
    expect(against({ to: '628999000111' })).toEqual([]);
    expect(against(group)).toEqual([]);
  });

  test('is each filter of the account that refuses any of their digits, once', () => {
    const filters = { ...openFilters, blockNumbers: [to], blockPrefixes: ['62'], allowPrefixes: ['55'] };
    const { against } = newAccount({ a: {} }, { filters });
    const all = ['blockNumbers', 'blockPrefixes', 'allowPrefixes'].map((it) => `RECIPIENT_FILTERED ${it}`);
    expect(against()).toEqual(all);
    expect(against({ to: '5511988887777', dialled: to })).toEqual(all.slice(0, 2));
    expect(against({ to, dialled: '5511988887777' })).toEqual(all.slice(0, 2));
    expect(against({ to: '5511988887777' })).toEqual([]);
    expect(against(group)).toEqual([]);
  });

  describe('where the network knows somebody by other digits than those that are dialled', () => {
    const [dialled, address] = ['5511987654321', '551187654321'];
    /** Each way to name them: dialled, by the network's digits, and by their alias. */
    const named = [{ to: address, dialled }, { to: address }, { to: '100000000000017@lid' }];
    function known(numbers: Record<string, KnownNumber>, settings: Partial<AccountSettings> = {}) {
      const account = newAccount(numbers, settings);
      account.choosing.checks.note(dialled, true, now, address);
      account.aliases.note('100000000000017', address);
      return account;
    }

    test('is a filter of the number, or of the account, that names any of them', () => {
      for (const digits of [dialled, address]) {
        for (const filters of [{ blockNumbers: [digits] }, { blockPrefixes: [digits.slice(0, 6)] }]) {
          const filter = Object.keys(filters)[0];
          for (const send of named) {
            const ofNumber = known({ a: { filters } });
            expect(ofNumber.against(send)).toEqual([`RECIPIENT_FILTERED ${filter} a`]);
            expect(ofNumber.against(send, pinned('strict'))).toEqual([`RECIPIENT_FILTERED ${filter} a`]);
            expect(ofNumber.another('any', send, 'b')).toBeNull();
            expect(known({ a: { filters }, b: {} }).judge(send).choice?.numberId).toBe('b');
            const away = known({ a: { state: 'banned', filters } });
            expect(away.against(send, pinned('strict'))[1]).toBe(`RECIPIENT_FILTERED ${filter} a`);
            const ofAccount = known({ a: {} }, { filters: { ...openFilters, ...filters } });
            expect(ofAccount.against(send)).toEqual([`RECIPIENT_FILTERED ${filter}`]);
          }
        }
      }
    });

    test('is nothing where only one of them has a prefix that may be written to', () => {
      for (const digits of [dialled, address]) {
        const filters = { allowPrefixes: [digits.slice(0, 6)] };
        for (const send of named) {
          expect(known({ a: { filters } }).against(send)).toEqual([]);
          expect(known({ a: {} }, { filters: { ...openFilters, ...filters } }).against(send)).toEqual([]);
        }
      }
      const filters = { allowPrefixes: ['62'] };
      for (const send of named)
        expect(known({ a: { filters } }).against(send)).toEqual(['RECIPIENT_FILTERED allowPrefixes a']);
    });

    test('is that any of them is a number of the account', () => {
      for (const phoneNumber of [dialled, address]) {
        const { against, choosing, configuration } = known({ a: {}, own: { phoneNumber } });
        for (const send of named) expect(against(send)).toEqual(['RECIPIENT_FILTERED ownNumber']);
        for (const digits of [dialled, address])
          expect(choosing.ownNumberRefusal(digits, configuration)).not.toBeNull();
      }
    });
  });

  test('comes in the order in which it would refuse: what is named, the recipient, the sender', () => {
    const { choosing, against } = newAccount({ a: { state: 'banned', filters: { blockNumbers: [to] } } });
    choosing.optOuts.add(to, now);
    const fileOf = { field: 'mediaId', numberId: 'b' };
    expect(against({ quotedNumberId: 'b', fileOf }, pinned('strict'))).toEqual([
      'VALIDATION_ERROR quotedMessageId',
      'VALIDATION_ERROR mediaId',
      'RECIPIENT_FILTERED optOut',
      'SENDER_UNAVAILABLE',
      'RECIPIENT_FILTERED blockNumbers a',
    ]);
  });

  test('through a pinned number that is away names a filter of it too, and not where there is none', () => {
    const away = { a: { state: 'banned' as const } };
    expect(newAccount(away).against({}, pinned('strict'))).toEqual(['SENDER_UNAVAILABLE']);
    const filters = { blockNumbers: [to] };
    expect(newAccount({ a: { filters } }).against({}, pinned('strict'))).toEqual([
      'RECIPIENT_FILTERED blockNumbers a',
    ]);
    expect(newAccount({ a: { ...away.a, filters } }).against()).toEqual(['NO_HEALTHY_SENDER']);
    const only = { filters: { allowPrefixes: ['55'] } };
    expect(newAccount({ a: { ...away.a, ...only } }).against(group, pinned('strict'))).toEqual([
      'SENDER_UNAVAILABLE',
    ]);
    expect(newAccount({ a: only }).against(group, pinned('strict'))).toEqual([]);
  });

  test('is the message that it quotes, where that is of a number that a strictly pinned key has nothing to do with', () => {
    const { against } = newAccount({ a: {}, b: {} });
    expect(against({ quotedNumberId: 'b' }, pinned('strict'))).toEqual(['VALIDATION_ERROR quotedMessageId']);
    expect(against({ quotedNumberId: 'a' }, pinned('strict'))).toEqual([]);
    expect(against({}, pinned('strict'))).toEqual([]);
    expect(against({ quotedNumberId: 'b' }, pinned('fallback'))).toEqual([]);
    expect(against({ quotedNumberId: 'b' })).toEqual([]);
  });

  test('is its file, where that came to another number than that of a strictly pinned key, or with another key', () => {
    const { against } = newAccount({ a: {}, b: {} });
    const strict = (fileOf: { numberId?: string; keyId?: string }) =>
      against({ fileOf: { field: 'mediaId', ...fileOf } }, pinned('strict'));
    expect(strict({ numberId: 'b' })).toEqual(['VALIDATION_ERROR mediaId']);
    expect(strict({ keyId: 'another' })).toEqual(['VALIDATION_ERROR mediaId']);
    expect(strict({})).toEqual(['VALIDATION_ERROR mediaId']);
    expect(strict({ numberId: 'a' })).toEqual([]);
    expect(strict({ keyId: 'key' })).toEqual([]);
    const fileOf = { field: 'mediaId', numberId: 'b' };
    for (const key of [anyKey, pinned('fallback')]) expect(against({ fileOf }, key)).toEqual([]);
  });
});

describe('the network is asked about a recipient first', () => {
  const check = { filters: { ...openFilters, checkOnNetwork: true } };

  test('where the account or the number that is to send wants that, and nowhere else', () => {
    expect(newAccount({ a: {} }).judge().lookUpBy).toBeNull();
    expect(newAccount({ a: {} }, check).judge().lookUpBy).toBe('a');
    const number = newAccount({ a: { filters: { checkOnNetwork: true } }, b: {} });
    expect(number.judge().lookUpBy).toBe('a');
    expect(number.judge({ senderHint: 'b' }).lookUpBy).toBeNull();
  });

  test('not in a group, not by an alias, and not who talks with a number of the account', () => {
    const { choosing, configured, judge } = newAccount({ a: {}, b: {} }, check);
    expect(judge(group).lookUpBy).toBeNull();
    expect(judge({ to: '100000000000017@lid' }).lookUpBy).toBeNull();
    choosing.conversations.noteInbound(to, 'b', now - dayMs);
    expect(judge().lookUpBy).toBeNull();
    // With a number that was deleted they talk no more.
    const asked = { ...person, senderHint: null };
    expect(choosing.judge(asked, configured(['a']), anyKey, now).lookUpBy).toBe('a');
  });

  test('once, as long as its answer is believed: whoever is there for 30 days, who is not for one', () => {
    const { choosing, against, judge } = newAccount({ a: {} }, check);
    choosing.checks.note(to, true, now - 30 * dayMs + 1);
    expect(judge()).toMatchObject({ lookUpBy: null, refusals: [] });
    choosing.checks.note(to, true, now - 30 * dayMs);
    expect(judge().lookUpBy).toBe('a');
    choosing.checks.note(to, false, now - dayMs + 1);
    expect(against()).toEqual(['RECIPIENT_NOT_ON_NETWORK to']);
    expect(judge().lookUpBy).toBeNull();
    choosing.checks.note(to, false, now - dayMs);
    expect(judge()).toMatchObject({ lookUpBy: 'a', refusals: [] });
  });

  test('and whoever is not on it is written to where nobody wants that asked', () => {
    const { choosing, against } = newAccount({ a: {} });
    choosing.checks.note(to, false, now);
    expect(against()).toEqual([]);
  });

  test('not where something else refuses it', () => {
    const { choosing, judge } = newAccount({ a: {} }, check);
    choosing.optOuts.add(to, now);
    expect(judge().lookUpBy).toBeNull();
    expect(newAccount({ a: { state: 'banned' } }, check).judge().lookUpBy).toBeNull();
  });

  test('by which digits it knows them, where a country has changed its numbers, unless they have written', () => {
    const brazilian = { to: '5511988887777' };
    const { choosing, judge, against } = newAccount({ a: {} });
    expect(judge(brazilian).lookUpBy).toBe('a');
    choosing.conversations.noteOutbound(brazilian.to, 'a', now - dayMs, 24, new Map());
    expect(judge(brazilian).lookUpBy).toBe('a');
    choosing.checks.note(brazilian.to, false, now);
    expect(judge(brazilian).lookUpBy).toBeNull();
    expect(against(brazilian)).toEqual([]);
    choosing.checks.forget(brazilian.to);
    choosing.conversations.noteInbound(brazilian.to, 'a', now - dayMs);
    expect(judge(brazilian).lookUpBy).toBeNull();
    expect(judge({ to: '5511988887777', chatType: 'group' }).lookUpBy).toBeNull();
  });

  test('by the number that is to send, or another one that has questions left today', () => {
    const { counts, judge } = newAccount(
      { a: {}, b: { inPool: false }, resting: { health: resting(null) }, away: { state: 'disconnected' } },
      { ...check, networkChecksPerDay: 2 },
    );
    expect(judge().lookUpBy).toBe('a');
    counts.noteCheck('a', now);
    expect(judge().lookUpBy).toBe('a');
    counts.noteCheck('a', now);
    expect(judge().lookUpBy).toBe('b');
    counts.noteCheck('b', now);
    counts.noteCheck('b', now);
    // Nobody can ask any more: they are written to all the same.
    expect(judge()).toMatchObject({ lookUpBy: null, refusals: [], choice: { numberId: 'a' } });
    counts.noteCheck('b', now + dayMs);
    counts.noteCheck('a', now - dayMs);
    expect(judge().lookUpBy).toBeNull();
  });

  test('also by a number that may send nothing more today', () => {
    expect(newAccount({ a: { dailyRemaining: 0 } }, check).judge().lookUpBy).toBe('a');
  });
});

describe('another number for a message that its own cannot send', () => {
  test('is one that can send it now, and where there is none, and that is enough, one that has to wait', () => {
    const { another } = newAccount({ a: {}, b: { dailyRemaining: 0 } });
    expect(another('ready')).toBeNull();
    expect(another('any')).toBe('b');
    expect(newAccount({ a: {}, b: { dailyRemaining: 0 }, c: {} }).another('any')).toBe('c');
    expect(newAccount({ a: {} }).another('any')).toBeNull();
    expect(newAccount({ a: {}, b: { inPool: false } }).another('any')).toBeNull();
  });

  test('may be one that begins no chats: now for what is no new chat to it, and else where it is to wait', () => {
    const { another, choosing } = newAccount({ a: {}, b: { health: restricted() } });
    expect(another('ready')).toBeNull();
    expect(another('any')).toBe('b');
    expect(another('ready', group)).toBe('b');
    choosing.conversations.noteOutbound(to, 'b', now - 48 * 3_600_000, 24, new Map());
    expect(another('ready')).toBe('b');
    expect(newAccount({ a: {}, b: { perMinute: 0 } }).another('any')).toBe('b');
    expect(newAccount({ a: {}, b: { health: resting(null) } }).another('any')).toBeNull();
  });

  test('is one of those that may send it, where the message names them', () => {
    const { another } = newAccount({ a: {}, b: {}, c: { inPool: false } });
    expect(another('any', { among: ['a', 'c'] })).toBe('c');
    expect(another('any', { among: ['a'] })).toBeNull();
    expect(another('any', { among: ['b', 'c'] }, 'c')).toBe('b');
  });
});

test('of each number it is told what speaks against it for a recipient, in the order in which they were made', () => {
  const { choosing, configured } = newAccount({
    z: {},
    a: { state: 'banned' },
    f: { filters: { allowPrefixes: ['55'] } },
    r: { health: restricted() },
    out: { inPool: false },
  });
  const all = (asked: Parameters<typeof choosing.allFor>[0]) =>
    choosing
      .allFor(asked, configured(), now)
      .map(({ candidate: { numberId }, fitness, reason }) => [numberId, fitness, reason]);
  expect(all(person)).toEqual([
    ['z', 'ready', null],
    ['a', 'unfit', 'The number is banned.'],
    ['f', 'unfit', 'The recipient has none of the prefixes that may be written to.'],
    ['r', 'waiting', 'It is restricted.'],
    ['out', 'ready', null],
  ]);
  expect(all(group).map(([, fitness]) => fitness)).toEqual(['ready', 'unfit', 'ready', 'ready', 'ready']);
});

test('a send goes to the digits by which the network knows the recipient, and says which were dialled; a group stays what it is', () => {
  const { choosing } = newAccount({ a: {} });
  choosing.checks.note(to, true, now, '628999000111');
  expect(choosing.addressesOf(to)).toEqual(['628999000111', to]);
  expect(choosing.addressesOf('628999000111')).toEqual(['628999000111', to]);
  expect(choosing.addressesOf('628777000111')).toEqual(['628777000111']);
  choosing.checks.note(group.to, true, now, '628999000111');
  expect(choosing.addressed(person)).toEqual({ ...person, to: '628999000111', dialled: to });
  expect(choosing.addressed({ ...person, to: '628777000111' })).toEqual({ ...person, to: '628777000111' });
  expect(choosing.addressed(group)).toEqual(group);
});

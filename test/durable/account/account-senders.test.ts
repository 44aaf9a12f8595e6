import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import type { AccountSettings } from '../../../src/contract/account-settings.ts';
import { reasonSentence } from '../../../src/contract/numbers/reasons.ts';
import { openFilters } from '../../../src/contract/numbers/sender-settings.ts';
import { accounts, numbers as numbersTable } from '../../../src/database/schema.ts';
import { Account } from '../../../src/durable/account/account.ts';
import type { SendRequest } from '../../../src/durable/account/admission/send-request.ts';
import type { SenderReport } from '../../../src/durable/hand-over/number-news.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers, standInFor } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  type AccountStub,
  addKey,
  addSenders,
  at,
  banned,
  changeSettings,
  db,
  disconnected,
  inbound,
  insertNumber,
  newAccount,
  newRecipient,
  news,
  noted,
  rowsOf,
  sendRequest,
  setUsed,
} from './account-fixture.ts';

let numbers: StandInNumbers;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  await StandInLogs.begin();
});

/** An account whose numbers the account believes to be healthy. The rate of a key is not what these tests are about: sends go round many keys. */
async function poolOf(count: number) {
  const { accountId, account } = await newAccount(0);
  standInFor(accountId);
  const numberIds = await addSenders(accountId, count);
  const keys = await Promise.all(Array.from({ length: 10 }, () => addKey(accountId)));
  await account.refresh();
  return { accountId, account, numberIds, keys };
}

/** A number says how it is now, after everything that it was given. */
async function report(
  account: AccountStub,
  numberId: string,
  more: Partial<SenderReport> = {},
): Promise<void> {
  await account.hear(news(numberId, { takenUpTo: numbers.takenUpTo(numberId), ...more }));
}

async function senderOf(account: AccountStub, request: SendRequest): Promise<string> {
  const result = await account.send(request);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.answer.numberId;
}

const count = (chosen: readonly string[], numberId: string) => chosen.filter((it) => it === numberId).length;

describe('the rotation of an account', () => {
  test('is fair within 5% over 1,000 sends at once and one by one, with evictions in between', async () => {
    const { account, numberIds, keys } = await poolOf(5);
    const chosen: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      const requests = Array.from({ length: 50 }, (_, index) =>
        sendRequest(keys[index % keys.length] ?? '', { to: newRecipient() }),
      );
      if (round % 2 === 0) {
        chosen.push(...(await Promise.all(requests.map((request) => senderOf(account, request)))));
      } else {
        for (const request of requests) chosen.push(await senderOf(account, request));
      }
      // At a place where no round of five ends.
      for (let extra = 0; extra < round % 3; extra += 1) {
        chosen.push(await senderOf(account, sendRequest(keys[0] ?? '', { to: newRecipient() })));
      }
      // More than a month's quota of the free plan.
      await setUsed(account, 0);
    }
    const fair = chosen.length / 5;
    for (const numberId of numberIds) {
      expect(Math.abs(count(chosen, numberId) - fair)).toBeLessThanOrEqual(fair * 0.05);
    }
  });

  test('gives more to who may send more, and nothing to who has reached its limit for today', async () => {
    const { account, numberIds, keys } = await poolOf(3);
    const [fast = '', slow = '', spent = ''] = numberIds;
    await report(account, fast, { perMinute: 30 });
    await report(account, slow, { perMinute: 10 });
    await report(account, spent, { dailyRemaining: 0 });
    const chosen: string[] = [];
    for (let sends = 0; sends < 80; sends += 1) {
      chosen.push(await senderOf(account, sendRequest(keys[0] ?? '', { to: newRecipient() })));
    }
    expect(count(chosen, spent)).toBe(0);
    expect(Math.abs(count(chosen, fast) - 60)).toBeLessThanOrEqual(2);
  });

  test('gives a number that has rested one message, and the next only after it has reported', async () => {
    const { account, numberIds, keys } = await poolOf(2);
    const [resting = '', other = ''] = numberIds;
    const reason = 'Five messages failed.';
    const rest = (until: number, revision = 1_000) =>
      report(account, resting, { revision, health: { status: 'resting', reason, until } });
    const send = () => senderOf(account, sendRequest(keys[0] ?? '', { to: newRecipient() }));
    await rest(Date.now() + 60_000);
    expect(new Set([await send(), await send(), await send()])).toEqual(new Set([other]));
    await rest(Date.now() - 1);
    const tried = [await send(), await send(), await send(), await send()];
    expect(count(tried, resting)).toBe(1);
    await report(account, resting);
    const after = await Promise.all(Array.from({ length: 10 }, send));
    expect(Math.abs(count(after, resting) - 5)).toBeLessThanOrEqual(1);
    // An open conversation tries it as well, and an eviction does not forget that.
    const partner = newRecipient();
    await account.hear(noted(resting, inbound(partner, Date.now())));
    await rest(Date.now() - 1, 2_000);
    expect(await senderOf(account, sendRequest(keys[0] ?? '', { to: partner }))).toBe(resting);
    await evictDurableObject(account);
    expect(new Set([await send(), await send(), await send()])).toEqual(new Set([other]));
  });
});

test('of two numbers that rest each is tried when its own time is over, also the first of them', async () => {
  const { account, numberIds, keys } = await poolOf(2);
  const start = Date.now();
  for (const [index, numberId] of numberIds.entries()) {
    const until = start + (index + 1) * 60_000;
    await report(account, numberId, { health: { status: 'resting', reason: 'Tired.', until } });
  }
  const send = async () => await account.send(sendRequest(keys[0] ?? '', { to: newRecipient() }));
  expect(await send()).toMatchObject({ code: 'NO_HEALTHY_SENDER' });
  for (const [index, numberId] of numberIds.entries()) {
    const sent = await at(start + (index + 1) * 60_000 + 1, send);
    expect(sent).toMatchObject({ ok: true, answer: { numberId } });
  }
});

describe('a recipient with an open conversation', () => {
  test('hears from the same number again, also after an eviction, until it is not healthy', async () => {
    const { account, numberIds, keys } = await poolOf(3);
    const to = newRecipient();
    const send = () => senderOf(account, sendRequest(keys[0] ?? '', { to }));
    const first = await send();
    await evictDurableObject(account);
    expect([await send(), await send()]).toEqual([first, first]);
    await report(account, first, disconnected);
    const second = await send();
    expect(second).not.toBe(first);
    expect(await send()).toBe(second);
    expect(numberIds).toContain(second);
  });

  test('is one who wrote; the number that they wrote to last answers', async () => {
    const { account, numberIds, keys } = await poolOf(3);
    const to = newRecipient();
    const [, asked = '', later = ''] = numberIds;
    const send = () => senderOf(account, sendRequest(keys[0] ?? '', { to }));
    const now = Date.now();
    await account.hear(noted(asked, inbound(to, now - 2_000)));
    expect(await send()).toBe(asked);
    await account.hear(noted(later, inbound(to, now + 60_000)));
    await account.hear(noted(asked, inbound(to, now - 90_000)));
    expect(await send()).toBe(later);
  });

  test('talks with the number that they wrote to last, also where another one tells a time to come', async () => {
    const { account, numberIds, keys } = await poolOf(2);
    const [ahead = '', right = ''] = numberIds;
    const to = newRecipient();
    const now = Date.now();
    await account.hear(noted(ahead, inbound(to, now + 86_400_000)));
    await at(now + 60_000, () => account.hear(noted(right, inbound(to, now + 60_000))));
    expect(await senderOf(account, sendRequest(keys[0] ?? '', { to }))).toBe(right);
  });

  test('is bound no longer after stickyHours, and not at all with 0', async () => {
    const { accountId, account, numberIds, keys } = await poolOf(2);
    const [first = '', second = ''] = numberIds;
    const now = Date.now();
    const wrote = async (hoursAgo: number) => {
      const to = newRecipient();
      await account.hear(noted(second, inbound(to, now - hoursAgo * 3600_000)));
      return to;
    };
    const sends = async (to: string) => senderOf(account, sendRequest(keys[0] ?? '', { to }));
    await changeSettings(accountId, account, { stickyHours: 2 });
    expect(await sends(await wrote(1))).toBe(second);
    expect(await sends(await wrote(3))).toBe(first);
    await changeSettings(accountId, account, { stickyHours: 0 });
    const chosen = [await sends(await wrote(1)), await sends(await wrote(1))];
    expect(new Set(chosen)).toEqual(new Set([first, second]));
  });
});

describe('a check on the network', () => {
  async function checkingPool(
    onNetwork: StandInNumbers['onNetwork'],
    changes: Partial<AccountSettings> = {},
  ) {
    const pool = await poolOf(2);
    const filters = { ...openFilters, checkOnNetwork: true };
    await changeSettings(pool.accountId, pool.account, { filters, ...changes });
    numbers.onNetwork = onNetwork;
    const send = (to: string) => pool.account.send(sendRequest(pool.keys[0] ?? '', { to }));
    return { ...pool, send };
  }

  test('comes before the first message to a recipient, once however many come at once, and is remembered', async () => {
    const { account, send } = await checkingPool((to) => !to.endsWith('0000'));
    const to = newRecipient();
    const results = await Promise.all(Array.from({ length: 5 }, async () => await send(to)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(numbers.asked).toHaveLength(1);
    const missing = '628555550000';
    expect(await send(missing)).toMatchObject({
      code: 'RECIPIENT_NOT_ON_NETWORK',
      details: [{ path: 'to' }],
    });
    await evictDurableObject(account);
    expect(await send(missing)).toMatchObject({ code: 'RECIPIENT_NOT_ON_NETWORK' });
    expect(numbers.asked).toHaveLength(2);
    expect(await account.usage()).toMatchObject({ used: 5 });
    // Who has talked with a number that is deleted by now has not talked with any that is there.
    const theirs = newRecipient();
    await account.hear(noted(newUuid(), inbound(theirs, Date.now())));
    expect(await send(theirs)).toMatchObject({ ok: true });
    expect(numbers.asked.at(-1)?.phoneNumber).toBe(theirs);
  });

  test('that said no is asked again the next day, and one that cannot be made lets the message pass', async () => {
    const { send } = await checkingPool(() => false);
    const to = newRecipient();
    expect(await send(to)).toMatchObject({ code: 'RECIPIENT_NOT_ON_NETWORK' });
    numbers.onNetwork = () => null;
    expect(await at(Date.now() + 25 * 3600_000, async () => await send(to))).toMatchObject({ ok: true });
    expect(numbers.asked).toHaveLength(2);
  });

  test('has a budget a day and number; beyond it messages pass unchecked', async () => {
    const { numberIds, send } = await checkingPool(() => true, { networkChecksPerDay: 2 });
    for (let sends = 0; sends < 8; sends += 1) expect(await send(newRecipient())).toMatchObject({ ok: true });
    expect(numbers.asked).toHaveLength(4);
    for (const numberId of numberIds) {
      expect(numbers.asked.filter((asked) => asked.numberId === numberId)).toHaveLength(2);
    }
  });

  test('does not let the quota, or an Idempotency-Key, be passed twice', async () => {
    const { account, numberIds, keys } = await checkingPool(() => true);
    await setUsed(account, Number(env.FREE_PLAN_MESSAGES) - 2);
    const to = newRecipient();
    const repeated = Array.from({ length: 4 }, () =>
      account.send(sendRequest(keys[0] ?? '', { to, idempotencyKey: 'once' })),
    );
    const plain = Array.from({ length: 4 }, () =>
      account.send(sendRequest(keys[1] ?? '', { to: newRecipient() })),
    );
    const results = await Promise.all([...repeated, ...plain]);
    const ids = results.flatMap((result) => (result.ok ? [result.answer.messageId] : []));
    expect(new Set(ids).size).toBe(2);
    const given = () => new Set(numbers.givenTo(...numberIds).map(({ messageId }) => messageId));
    await until(() => given().size >= 2);
    expect(given()).toEqual(new Set(ids));
  });
});

describe('a dry run', () => {
  test('names everything that speaks against the send, in the order in which it would refuse it', async () => {
    const { accountId, account, numberIds, keys } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const to = newRecipient();
    numbers.onNetwork = () => false;
    const checked = { ...openFilters, checkOnNetwork: true };
    await changeSettings(accountId, account, { filters: checked });
    const request = sendRequest(keys[0] ?? '', { to });
    expect(await account.send(request)).toMatchObject({ code: 'RECIPIENT_NOT_ON_NETWORK' });
    await account.hear(noted(numberId, inbound('628999', Date.now(), 'stop')));
    await account.hear(noted('elsewhere', inbound(to, 1, 'stop')));
    await runInDurableObject<Account, void>(
      account,
      (_, { storage }) => void storage.sql.exec('DELETE FROM conversations'),
    );
    await changeSettings(accountId, account, {
      filters: { ...checked, allowPrefixes: ['49'], blockPrefixes: ['628'], blockNumbers: [to] },
    });
    await report(account, numberId, banned);
    await setUsed(account, Number(env.FREE_PLAN_MESSAGES));
    const dry = await account.dryRun(request);
    if (!dry.ok) throw new Error(dry.message);
    const names = dry.dryRun.reasons.map(({ code, details }) =>
      code === 'RECIPIENT_FILTERED' ? Object(details?.[0]).filter : code,
    );
    expect(names).toEqual([
      'QUOTA_EXCEEDED',
      'optOut',
      'blockNumbers',
      'blockPrefixes',
      'allowPrefixes',
      'NO_HEALTHY_SENDER',
      'RECIPIENT_NOT_ON_NETWORK',
    ]);
    expect(dry.dryRun.senders).toEqual([
      { numberId, inPool: true, fitness: 'unfit', reason: 'The network banned the number.' },
    ]);
    expect(await account.send(request)).toMatchObject({ code: 'QUOTA_EXCEEDED' });
  });

  test('asks its number about a message that comes behind all that waits there', async () => {
    const { account, numberIds, keys } = await poolOf(1);
    const to = newRecipient();
    await report(account, numberIds[0] ?? '', { room: 0 });
    for (let sends = 0; sends < 3; sends += 1) await senderOf(account, sendRequest(keys[0] ?? '', { to }));
    // What machines say leaves after what an API key sends.
    await account.sendAs({
      ...{
        origin: { kind: 'survey' },
        numberId: null,
        to: newRecipient(),
        chatType: 'personal',
        idempotencyKey: null,
      },
      content: { type: 'text', text: 'How was it?' },
    });
    numbers.forecast = { expectedAt: 5, heldReason: 'pacing' };
    const dry = await account.dryRun(sendRequest(keys[0] ?? '', { to }));
    expect(dry).toMatchObject({ dryRun: { accepted: true, expectedAt: 5, heldReason: 'pacing' } });
    const wanted = { recipient: to, isNewChat: false, isAnswer: false, lane: 'server', ahead: 3 };
    expect(numbers.forecastFor).toEqual(wanted);
  });

  test('says of a number that has never reported that it has not been connected yet', async () => {
    const { accountId, account, keys } = await poolOf(0);
    const numberId = newUuid();
    await insertNumber(accountId, numberId);
    await account.refresh();
    const dry = await account.dryRun(sendRequest(keys[0] ?? '', { to: newRecipient() }));
    if (!dry.ok) throw new Error(dry.message);
    expect(dry.dryRun.senders).toEqual([
      { numberId, inPool: true, fitness: 'unfit', reason: reasonSentence('never_connected') },
    ]);
  });

  test('with a pinned key names both that the number is down and that it filters the recipient', async () => {
    const { accountId, account, numberIds } = await poolOf(1);
    const [pinnedNumberId = ''] = numberIds;
    const key = await addKey(accountId, { pinnedNumberId, onPinFailure: 'strict' });
    const filters = { ...openFilters, blockPrefixes: ['62'] };
    await db.update(numbersTable).set({ filters }).where(eq(numbersTable.id, pinnedNumberId));
    await account.refresh();
    await report(account, pinnedNumberId, { state: 'logged_out', revision: 3_000 });
    const dry = await account.dryRun(sendRequest(key, { to: newRecipient() }));
    if (!dry.ok) throw new Error(dry.message);
    expect(dry.dryRun.reasons.map(({ code }) => code)).toEqual(['SENDER_UNAVAILABLE', 'RECIPIENT_FILTERED']);
  });
});

describe('an opt-out', () => {
  test('holds from the next send on; what was written last counts, in whatever order it is told', async () => {
    const { account, numberIds, keys } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const to = newRecipient();
    const send = () => account.send(sendRequest(keys[0] ?? '', { to }));
    const now = Date.now() - 60_000;
    const tell = (text: string, after: number) =>
      account.hear(noted(numberId, inbound(to, now + after, text)));
    await tell('stop', 0);
    expect(await send()).toMatchObject({ code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] });
    await evictDurableObject(account);
    expect(await send()).toMatchObject({ code: 'RECIPIENT_FILTERED' });
    await tell('Start', 2_000);
    await tell('stop', 0);
    await tell('STOP', 1_000);
    expect(await send()).toMatchObject({ ok: true });
    // Within a second of the network's clock what is told last was written last, also when all of it is told again.
    await tell('stop', 3_000);
    await tell('start', 3_000);
    expect(await send()).toMatchObject({ ok: true });
    await tell('stop', 3_000);
    await tell('start', 3_000);
    expect(await send()).toMatchObject({ ok: true });
    await tell('stop', 4_000);
    expect(await account.removeOptOut(to)).toBe(true);
    await tell('stop', 4_000);
    expect(await send()).toMatchObject({ ok: true });
  });

  test('that is told with a time to come is over with the next word that takes it back', async () => {
    const { account, numberIds, keys } = await poolOf(1);
    const [numberId = ''] = numberIds;
    const to = newRecipient();
    const now = Date.now();
    const send = () => account.send(sendRequest(keys[0] ?? '', { to }));
    await account.hear(noted(numberId, inbound(to, now + 86_400_000, 'stop')));
    expect(await send()).toMatchObject({ code: 'RECIPIENT_FILTERED' });
    await at(now + 60_000, () => account.hear(noted(numberId, inbound(to, now + 60_000, 'start'))));
    expect(await send()).toMatchObject({ ok: true });
  });
});

describe('plans and periods', () => {
  test('the month turns without a restart, and a clock that goes back counts where it was', async () => {
    const { account, keys } = await poolOf(1);
    const send = () => account.send(sendRequest(keys[0] ?? '', { to: newRecipient() }));
    const end = Date.UTC(2030, 0, 31, 23, 59, 59, 999);
    await at(end, async () => expect(await send()).toMatchObject({ ok: true }));
    await at(end + 1, async () => {
      expect(await account.usage()).toMatchObject({ period: '2030-02', used: 0, byDay: [] });
      await send();
      await send();
      expect(await account.usage()).toMatchObject({ used: 2, byDay: [{ day: '2030-02-01', used: 2 }] });
    });
    await evictDurableObject(account);
    await at(end, async () => {
      await send();
      expect(await account.usage()).toMatchObject({
        period: '2030-01',
        used: 2,
        resetAt: '2030-02-01T00:00:00.000Z',
        byDay: [{ day: '2030-01-31', used: 2 }],
      });
    });
  });

  test('what is given back is taken off the number, the day and the month that it was counted in', async () => {
    const { account, keys } = await poolOf(1);
    const end = Date.UTC(2030, 2, 31, 23, 59);
    const sent = await at(
      end,
      async () => await account.send(sendRequest(keys[0] ?? '', { to: newRecipient() })),
    );
    if (!sent.ok) throw new Error(sent.message);
    const { numberId } = sent.answer;
    const message = await until(() => numbers.givenTo(numberId)[0]);
    const returned = noted(numberId, { kind: 'returned', message, reason: 'not_sendable' });
    await at(end + 120_000, async () => {
      await account.hear(returned);
      await account.hear(returned);
      expect(await account.usage()).toMatchObject({ period: '2030-04', used: 0 });
    });
    await at(end, async () =>
      expect(await account.usage()).toMatchObject({ period: '2030-03', used: 0, byNumber: [], byDay: [] }),
    );
  });

  test('another plan holds from the next send on, and what is used of the month stays used', async () => {
    const { accountId, account } = await newAccount(0);
    await addSenders(accountId, 1);
    const keyHash = await addKey(accountId);
    await account.refresh();
    const results = await runInDurableObject<Account, unknown[]>(account, async (_, state) => {
      // The same object in a deployment that names a plan.
      const variables = { FREE_PLAN_MESSAGES: '1', PLANS: '{"trio": 3}' };
      const object = new Account(state, { ...env, ...variables } as unknown as Env);
      const send = async () => {
        const result = await object.send(sendRequest(keyHash, { to: newRecipient() }));
        return result.ok ? 'accepted' : result.details;
      };
      const seen: unknown[] = [await send(), await send()];
      await db.update(accounts).set({ plan: 'trio' }).where(eq(accounts.id, accountId));
      await object.refresh();
      seen.push(await send(), await send(), await send());
      // A plan that the operator no longer names counts as the free one.
      await db.update(accounts).set({ plan: 'gone' }).where(eq(accounts.id, accountId));
      await object.refresh();
      seen.push(await send(), (await object.usage()).limit);
      return seen;
    });
    const exceeded = (used: number, limit: number) => [expect.objectContaining({ used, limit })];
    expect(results).toEqual([
      'accepted',
      exceeded(1, 1),
      'accepted',
      'accepted',
      exceeded(3, 3),
      exceeded(3, 1),
      1,
    ]);
  });
});

test('what an account has stored is forgotten when it is too old to matter, but for what it has counted', async () => {
  const { account, keys } = await poolOf(1);
  await account.send(sendRequest(keys[0] ?? '', { to: newRecipient() }));
  await until(async () => (await rowsOf(account, 'accepted')) === 0);
  expect(await rowsOf(account, 'conversations')).toBe(1);
  await at(Date.now() + 91 * 24 * 3600_000, () =>
    runInDurableObject<Account, void>(account, (object) => object.alarm()),
  );
  expect(await rowsOf(account, 'conversations')).toBe(0);
  expect(await rowsOf(account, 'sends')).toBe(1);
});

test('a filter of a number holds from the change on, also after an eviction', async () => {
  const { account, numberIds, keys } = await poolOf(2);
  const [blocked = '', open = ''] = numberIds;
  const filters = { ...openFilters, blockPrefixes: ['62'] };
  await db.update(numbersTable).set({ filters }).where(eq(numbersTable.id, blocked));
  await account.refresh();
  await evictDurableObject(account);
  const send = () => senderOf(account, sendRequest(keys[0] ?? '', { to: newRecipient() }));
  expect(new Set([await send(), await send(), await send()])).toEqual(new Set([open]));
});

import { evictDurableObject } from 'cloudflare:test';
import { beforeEach, describe, expect, test } from 'vitest';
import { openFilters } from '../../../src/contract/numbers/sender-settings.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers, standInFor } from '../stand-in-objects.ts';
import { until } from '../until.ts';
import {
  addKey,
  addSenders,
  changeSettings,
  inbound,
  newAccount,
  news,
  noted,
  rowsOf,
  sendRequest,
} from './account-fixture.ts';

const dialled = '5511987654321';
const address = '551187654321';

let numbers: StandInNumbers;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  await StandInLogs.begin();
  numbers.onNetwork = () => true;
  numbers.addressOf = (phoneNumber) => (phoneNumber === dialled ? address : undefined);
});

async function sending() {
  const { accountId, account } = await newAccount(0);
  standInFor(accountId);
  const [numberId = ''] = await addSenders(accountId, 1);
  const keyHash = await addKey(accountId);
  await account.refresh();
  const send = (to: string) => account.send(sendRequest(keyHash, { to }));
  const given = (count: number) =>
    until(async () => {
      const messages = numbers.givenTo(numberId);
      if (messages.length < count)
        await account.hear(news(numberId, { takenUpTo: numbers.takenUpTo(numberId) }));
      return messages.length < count ? null : messages;
    });
  return { account, accountId, keyHash, numberId, send, given };
}

describe('somebody whom the network knows by other digits', () => {
  test('is written to under those, and the answer has the digits that were given', async () => {
    const { account, send, given } = await sending();
    expect(await send(dialled)).toMatchObject({ ok: true, answer: { to: dialled } });
    await evictDurableObject(account);
    expect(await send(dialled)).toMatchObject({ ok: true, answer: { to: dialled } });
    // Nor is anything to be asked under their own digits.
    expect(await send(address)).toMatchObject({ ok: true, answer: { to: address } });
    expect(numbers.asked).toHaveLength(1);
    expect(await given(3)).toMatchObject([
      { to: address, dialled },
      { to: address, dialled },
      { to: address },
    ]);
    // Once they are erased nobody knows that any more.
    await account.forgetRecipient(dialled);
    await account.forgetRecipient(address);
    expect(await rowsOf(account, 'recipient_checks')).toBe(0);
    // Nor by which digits they were asked for, where they are erased under their own.
    await account.noteChecked([{ phoneNumber: dialled, onNetwork: true, address }]);
    await account.forgetRecipient(address);
    expect(await rowsOf(account, 'recipient_checks')).toBe(0);
  });

  test('is named by those to a campaign, which hears from them', async () => {
    const { account } = await sending();
    const about = {
      campaignId: newUuid(),
      numberIds: null,
      content: { type: 'text' as const, text: 'Spring' },
    };
    const sends = [dialled, address].map((to) => ({ ...about, to, idempotencyKey: to }));
    const [first, second] = await account.sendForCampaign(sends);
    expect(first).toMatchObject({ ok: true, address });
    expect(second).toEqual({ ok: true, messageId: expect.any(String), numberId: expect.any(String) });
  });

  test('gets nothing from a campaign that does not know those, before it does', async () => {
    const { account } = await sending();
    const about = {
      campaignId: newUuid(),
      numberIds: null,
      content: { type: 'text' as const, text: 'Spring' },
    };
    const send = (known: string) =>
      account.sendForCampaign([{ ...about, to: dialled, address: known, idempotencyKey: 'one' }]);
    expect(await send(dialled)).toMatchObject([{ ok: false, code: 'CONFLICT', address }]);
    expect(await account.usage()).toMatchObject({ used: 0 });
    const [sent] = await send(address);
    expect(sent).toMatchObject({ ok: true, address });
    // An answer that was lost is given again.
    expect(await send(dialled)).toEqual([sent]);
  });

  test.each([
    { country: 'Mexico', given: '525512345678', network: '5215512345678' },
    { country: 'Mexico as it was', given: '5215512345678', network: '525512345678' },
    { country: 'Argentina', given: '541123456789', network: '5491123456789' },
    { country: 'Argentina from abroad', given: '5491123456789', network: '541123456789' },
    { country: 'Ivory Coast', given: '2250718139912', network: '22518139912' },
    { country: 'Benin', given: '2290197123456', network: '22997123456' },
  ])('is asked for in $country', async ({ given: to, network }) => {
    numbers.addressOf = (phoneNumber) => (phoneNumber === to ? network : undefined);
    const { send, given } = await sending();
    expect(await send(to)).toMatchObject({ ok: true, answer: { to } });
    expect(await given(1)).toMatchObject([{ to: network, dialled: to }]);
  });

  test('in whatever country: once a look-up has said so, it counts', async () => {
    const [to, network] = ['99907123456', '999123456'];
    const { account, send, given } = await sending();
    await account.noteChecked([{ phoneNumber: to, onNetwork: true, address: network }]);
    expect(await send(to)).toMatchObject({ ok: true, answer: { to } });
    expect(await given(1)).toMatchObject([{ to: network, dialled: to }]);
    expect(numbers.asked).toHaveLength(0);
  });

  test('is asked for in a batch as well', async () => {
    const { account, keyHash, given } = await sending();
    const { keyHash: _, ...item } = sendRequest(keyHash, { to: dialled });
    const batch = { keyHash, idempotencyKey: null, bodyHash: 'all', items: [item] };
    expect(await account.sendBatch(batch)).toMatchObject({ ok: true, items: [{ answer: { to: dialled } }] });
    expect(await given(1)).toMatchObject([{ to: address, dialled }]);
  });

  test('gets each message of a batch once, also where its repeat comes while the network is asked', async () => {
    const { account, keyHash } = await sending();
    const { keyHash: _, ...item } = sendRequest(keyHash, { to: dialled });
    const batch = { keyHash, idempotencyKey: 'all', bodyHash: 'all', items: [item] };
    const { promise, resolve: answer } = Promise.withResolvers<void>();
    numbers.pause = () => promise;
    const [asked, repeated] = [account.sendBatch(batch), account.sendBatch(batch)];
    // Both wait for the network by then.
    await until(() => numbers.asked.length > 0);
    await account.usage();
    await scheduler.wait(0);
    answer();
    const [first, repeat] = [await asked, await repeated];
    expect([first, repeat]).toMatchObject([{ replayed: false }, { replayed: true }]);
    expect(repeat).toMatchObject({ items: first.ok ? first.items : [] });
    expect((await account.usage()).used).toBe(1);
  });

  test('who opts out from those is not written to under the dialled ones, and the other way round', async () => {
    const { account, send, numberId } = await sending();
    await send(dialled);
    await account.hear(noted(numberId, inbound(address, Date.now(), 'stop')));
    const refused = { code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] };
    expect(await send(dialled)).toMatchObject(refused);
    const known = { address, optedOutAt: expect.any(Number), lastInboundAt: expect.any(Number) };
    expect(await account.recipients([dialled, address])).toEqual([known, known]);
    await account.removeOptOut(address);
    expect(await send(dialled)).toMatchObject({ ok: true });
    await account.addOptOut(dialled);
    expect(await send(dialled)).toMatchObject(refused);
  });

  test('who was put on the list under dialled digits is not written to under those of the network either', async () => {
    const { account, send, numberId } = await sending();
    await account.addOptOut(dialled);
    expect(await send(address)).toMatchObject({ ok: true });
    // By now the network has told that both are one person.
    await account.noteChecked([{ phoneNumber: dialled, onNetwork: true, address }]);
    const refused = { code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] };
    for (const digits of [dialled, address]) {
      expect(await send(digits)).toMatchObject(refused);
      expect(await account.recipients([digits])).toMatchObject([{ optedOutAt: expect.any(Number) }]);
      expect(await account.addOptOut(digits)).toMatchObject({
        isNew: false,
        optOut: { phoneNumber: dialled },
      });
    }
    expect(await account.optOuts(10, null)).toMatchObject([{ phoneNumber: dialled }]);
    // What they write themselves counts from then on.
    await account.hear(noted(numberId, inbound(address, Date.now() + 2_000, 'start')));
    expect(await account.optOuts(10, null)).toEqual([]);
    for (const digits of [dialled, address]) expect(await send(digits)).toMatchObject({ ok: true });
  });

  test('who opted out and was erased is out under all of their digits, also when nobody knows any more that they are one', async () => {
    const { account, send } = await sending();
    await send(dialled);
    await account.addOptOut(dialled);
    for (const digits of [address, dialled]) await account.forgetRecipient(digits);
    for (const digits of [address, dialled]) {
      expect(await send(digits)).toMatchObject({ code: 'RECIPIENT_FILTERED' });
    }
  });

  test('who is taken off the list under all of their digits is on it under none', async () => {
    const { account, send } = await sending();
    for (const digits of [dialled, address]) await account.addOptOut(digits);
    expect(await account.removeOptOut([dialled, address])).toBe(true);
    expect(await account.optOuts(10, null)).toEqual([]);
    expect(await send(dialled)).toMatchObject({ ok: true });
    expect(await account.removeOptOut([dialled, address])).toBe(false);
  });

  test('who has opted out under several of their digits is on the list once, by the last, on whatever page', async () => {
    const { account } = await sending();
    const dialledToo = '5511087654321';
    const listed = async () => {
      const found: string[] = [];
      for (let before: string | null = null; ; ) {
        const [one] = await account.optOuts(1, before);
        if (one === undefined) return found;
        found.push(one.phoneNumber);
        before = one.id;
      }
    };
    for (const digits of [address, '628111222333', dialled, dialledToo]) {
      await account.addOptOut(digits);
      expect((await listed())[0]).toBe(digits);
    }
    // By now the network has told that they are one.
    const told = [dialled, dialledToo].map((phoneNumber) => ({ phoneNumber, onNetwork: true, address }));
    await account.noteChecked(told);
    expect(await listed()).toEqual([dialledToo, '628111222333']);
    await account.removeOptOut(dialled);
    expect(await listed()).toEqual(['628111222333']);
  });

  test('who opts out from either of their digits is not sent what waits for them', async () => {
    const { account, numberId, send } = await sending();
    for (const [turn, digits] of [dialled, address].entries()) {
      await account.hear(news(numberId, { revision: 3_000 + 2 * turn, room: 0 }));
      expect(await send(dialled)).toMatchObject({ ok: true });
      await account.addOptOut(digits);
      await account.hear(news(numberId, { revision: 3_001 + 2 * turn }));
      await until(() => rowsOf(account, 'accepted').then((rows) => rows === 0));
      await account.removeOptOut(digits);
    }
    expect(numbers.givenTo(numberId)).toEqual([]);
  });

  test('is not written to where a filter, or a number of the account, has either of their digits', async () => {
    const { account, accountId, numberId, send } = await sending();
    expect(await send(dialled)).toMatchObject({ ok: true });
    for (const digits of [dialled, address]) {
      await changeSettings(accountId, account, { filters: { ...openFilters, blockNumbers: [digits] } });
      for (const to of [dialled, address])
        expect(await send(to)).toMatchObject({ details: [{ filter: 'blockNumbers' }] });
    }
    await changeSettings(accountId, account, {});
    let revision = 2_000;
    for (const phoneNumber of [dialled, address]) {
      revision += 1;
      await account.hear(news(numberId, { revision, phoneNumber, takenUpTo: numbers.takenUpTo(numberId) }));
      expect(await send(dialled)).toMatchObject({ details: [{ filter: 'ownNumber' }] });
    }
    // It is linked to another phone by now.
    await account.hear(news(numberId, { revision: 3_000, phoneNumber: '628123456789' }));
    expect(await send(dialled)).toMatchObject({ ok: true });
  });

  test('is written to under the dialled digits where the network cannot be asked', async () => {
    numbers.onNetwork = () => null;
    const { send, given } = await sending();
    expect(await send(dialled)).toMatchObject({ ok: true });
    const [message] = (await given(1)) ?? [];
    expect(message).toMatchObject({ to: dialled });
    expect(message).not.toHaveProperty('dialled');
  });

  test('is written to under the dialled digits where the number that is to ask cannot be reached', async () => {
    numbers.pause = () =>
      numbers.asked.length > 0 ? Promise.reject(new Error('it is away')) : Promise.resolve();
    const { send } = await sending();
    expect(await send(dialled)).toMatchObject({ ok: true });
    numbers.pause = async () => {};
  });

  test('and who has written under the dialled digits is not asked for', async () => {
    const { account, send, numberId } = await sending();
    await account.hear(noted(numberId, inbound(dialled, Date.now())));
    expect(await send(dialled)).toMatchObject({ ok: true });
    expect(numbers.asked).toHaveLength(0);
  });
});

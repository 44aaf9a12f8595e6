import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { aliasAddress } from '../../../src/contract/messages/recipient.ts';
import { Account } from '../../../src/durable/account/account.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { addNumber, inbound, newAccount, noted, rowsOf } from '../account/account-fixture.ts';
import { countOf, received, start } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Somebody writes to a number under their alias: the number tells the account, and its log. */
async function account() {
  const { accountId, account: stub } = await newAccount(0);
  const numberId = await addNumber(accountId);
  await stub.refresh();
  const log = env.EVENT_LOG.getByName(accountId);
  const told = vi.spyOn(Account.prototype, 'knowAliases');
  const write = async (text: string, at: number) => {
    await stub.hear(noted(numberId, inbound(aliasAddress(lid), at, text)));
    const content = { type: 'text', text } as const;
    await log.take([
      received({ from: lid, senderLid: lid, content, at: new Date(at).toISOString() }, numberId),
    ]);
  };
  const settle = async () => {
    await runDurableObjectAlarm(log);
    await until(async () => {
      const { toldYet } = await runInDurableObject(log, (_, { storage }) => ({
        toldYet: storage.sql.exec('SELECT 1 FROM joined_aliases WHERE told IS NULL').toArray().length === 0,
      }));
      return toldYet;
    });
  };
  const optOuts = () => stub.optOuts(10, null);
  return { account: stub, numberId, log, told, write, settle, optOuts };
}

test('what changes while the account is being told is told too', async () => {
  const { numberId, log, told, write, settle } = await account();
  await write('hello', start);
  await settle();
  told.mockImplementationOnce(async () => {
    await runInDurableObject(log, (_, { storage }) => {
      storage.sql.exec("UPDATE joined_aliases SET phone = '628999000111', told = NULL");
    });
  });
  await log.take([
    { kind: 'contacts.listed', numberId, at: start, contacts: [{ phoneNumber, lid, name: 'Budi' }] },
  ]);
  await settle();
  const heard = told.mock.calls.map(([known]) => known[0]?.phoneNumber);
  expect(heard).toEqual([phoneNumber, '628999000111']);
});

test('the account hears once whose alias it is, however much is written under it, and what was written counts', async () => {
  const { account: stub, numberId, log, told, write, settle, optOuts } = await account();
  await write('hello', start);
  await write('STOP', start + 1_000);
  await settle();
  expect(told).not.toHaveBeenCalled();
  await log.take([
    { kind: 'contacts.listed', numberId, at: start, contacts: [{ phoneNumber, lid, name: 'Budi' }] },
  ]);
  await settle();
  expect(told.mock.calls).toEqual([[[{ lid, phoneNumber }]]]);
  expect(await optOuts()).toMatchObject([{ phoneNumber, at: start + 1_000, word: 'STOP', numberId }]);
  // They stand under one address, and whoever asks by the other finds them.
  expect(await rowsOf(stub, 'opt_outs')).toBe(1);
  expect(await stub.recipients([aliasAddress(lid)])).toEqual(await stub.recipients([phoneNumber]));
  expect(
    await rowsOf(stub, `conversations WHERE recipient = '${phoneNumber}' AND wrote_at IS NOT NULL`),
  ).toBe(1);
  expect(await rowsOf(stub, 'conversations')).toBe(1);
  await write('START', start + 2_000);
  for (let index = 0; index < 5; index += 1) await write(`text ${index}`, start + 3_000 + index);
  await settle();
  expect(told).toHaveBeenCalledTimes(1);
  expect(await optOuts()).toEqual([]);
});

test('the account hears once more of an alias that comes with another phone number: who has opted out stays so under both', async () => {
  const { account: stub, numberId, log, told, write, settle } = await account();
  await write('hello', start);
  for (const phone of [phoneNumber, '628999000111', '628999000111']) {
    const contacts = [{ phoneNumber: phone, lid, name: 'Budi' }];
    await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts }]);
    await settle();
  }
  const heard = told.mock.calls.map(([known]) => known);
  expect(heard).toEqual([
    [{ lid, phoneNumber }],
    [{ lid, phoneNumber: '628999000111', otherDigits: [phoneNumber] }],
  ]);
  expect(await stub.recipients(['628999000111'])).toMatchObject([{ optedOutAt: null, lastInboundAt: start }]);
});

test('who was put on the list by hand and has another phone number by now is on it under that too, until they write a start word', async () => {
  const { account: stub, numberId, log, write, settle } = await account();
  const [seen, later] = [{ phoneNumber, lid, name: 'Budi' }, '628999000111'];
  await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts: [seen] }]);
  await stub.addOptOut(phoneNumber);
  const contacts = [{ ...seen, phoneNumber: later }];
  await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts }]);
  await settle();
  const optedOut = async () =>
    (await stub.recipients([later, phoneNumber])).map((one) => one.optedOutAt !== null);
  expect(await optedOut()).toEqual([true, true]);
  expect(await log.contactsAt([phoneNumber])).toMatchObject([{ phoneNumber: later }]);
  await write('START', Date.now() + 2_000);
  expect(await optedOut()).toEqual([false, true]);
});

test('who opted out stays so under the alias and under the phone number, where these turn out to be two people', async () => {
  const { account: stub, write } = await account();
  await stub.knowAliases([{ lid, phoneNumber }]);
  await write('STOP', start);
  await stub.knowAliases([{ lid, phoneNumber: null }]);
  for (const address of [phoneNumber, aliasAddress(lid)]) {
    expect(await stub.recipients([address])).toMatchObject([{ optedOutAt: start, lastInboundAt: start }]);
  }
  await stub.removeOptOut(phoneNumber);
  expect(await stub.recipients([aliasAddress(lid)])).toMatchObject([{ optedOutAt: start }]);
});

test('of people in an address book who have never written the account hears nothing', async () => {
  const { numberId, log, told, settle } = await account();
  const contacts = [{ phoneNumber, lid, name: 'Budi' }];
  await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts }]);
  await settle();
  expect(told).not.toHaveBeenCalled();
  await log.take([received({ from: lid, senderLid: lid }, newUuid())]);
  await settle();
  expect(told.mock.calls).toEqual([[[{ lid, phoneNumber }]]]);
});

test('of people whom somebody has merged, or parted again, the account hears, for either may be on its list', async () => {
  const { numberId, log, told, settle } = await account();
  const contacts = [
    { phoneNumber, name: 'Budi' },
    { lid, name: 'Budi at the network' },
  ];
  await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts }]);
  const [one, other] = (await log.contacts({}, 2, null)).contacts.map(({ contactId }) => contactId);
  const merged = await log.mergeContacts(one ?? '', other ?? '');
  await settle();
  expect(told.mock.calls).toEqual([[[{ lid, phoneNumber }]]]);
  await log.unmergeContacts(merged !== null && 'mergeId' in merged ? merged.mergeId : '');
  await settle();
  expect(told.mock.calls.slice(1)).toEqual([[[{ lid, phoneNumber: null }]]]);
});

test('of somebody who was erased the account keeps no alias, and nothing that passed under it', async () => {
  const { account: stub, numberId, log, write, settle } = await account();
  await write('STOP', start);
  await log.take([
    { kind: 'contacts.listed', numberId, at: start, contacts: [{ phoneNumber, lid, name: 'Budi' }] },
  ]);
  await settle();
  expect(await rowsOf(stub, 'conversations')).toBe(1);
  await stub.forgetRecipient(phoneNumber);
  // That they opted out remains, also for what comes under the alias alone.
  expect(await stub.recipients([aliasAddress(lid)])).toMatchObject([{ optedOutAt: start }]);
  expect(await rowsOf(stub, 'conversations')).toBe(0);
  expect(await rowsOf(stub, 'aliases')).toBe(0);
});

test('who has opted out under an alias and was erased stays out when an address book tells whose it is', async () => {
  const { account: stub, numberId, log, write, settle } = await account();
  await write('STOP', start);
  const [contact] = (await log.contacts({}, 1, null)).contacts;
  await stub.forgetRecipient(aliasAddress(lid));
  await log.eraseContact(contact?.contactId ?? '', 0);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, "contact_erasures WHERE stage = 'done'")) === 1;
  });
  const contacts = [{ phoneNumber, lid, name: 'Budi' }];
  await log.take([{ kind: 'contacts.listed', numberId, at: start, contacts }]);
  await settle();
  expect(await stub.recipients([phoneNumber])).toMatchObject([{ optedOutAt: start }]);
});

test('whoever is erased is found among the aliases by an index, under the alias and under the phone number', async () => {
  const { log } = await account();
  const plan = await runInDurableObject(log, (_, { storage }) =>
    storage.sql
      .exec('EXPLAIN QUERY PLAN DELETE FROM joined_aliases WHERE lid = ?1 OR phone = ?1', lid)
      .toArray()
      .map(({ detail }) => detail),
  );
  expect(plan).not.toContain('SCAN joined_aliases');
});

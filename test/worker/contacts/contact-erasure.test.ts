import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Campaign } from '../../../src/durable/campaign/campaign.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { PhoneNumber } from '../../../src/durable/phone-number/phone-number.ts';
import { readSegment, writeSegment } from '../../../src/worker/archive.ts';
import { received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  type TestAccount,
  writeToNumber,
} from '../front-door.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';
const secret = 'the red umbrella';

async function accountWithPerson() {
  const account = await openAccount();
  const numberId = newUuid();
  const log = logOf(env, account.accountId);
  await log.take([
    received(
      { from: phoneNumber, senderLid: lid, pushName: 'Santoso', content: { type: 'text', text: secret } },
      numberId,
    ),
    received({ from: '4915123456789', content: { type: 'text', text: 'somebody else' } }, numberId),
    received(
      {
        from: phoneNumber,
        senderLid: lid,
        chatType: 'group',
        groupId: '120363041234567890@g.us',
        content: { type: 'text', text: `${secret} too` },
      },
      numberId,
    ),
    sent(
      record({
        to: phoneNumber,
        numberId,
        content: { type: 'text', text: `we sell ${secret}` },
        clientReference: 'Santoso-1',
      }),
    ),
  ]);
  const { body } = await ask('GET', `/v1/contacts?q=${phoneNumber}`, { headers: account.owner });
  return { account, log, contact: body.data[0] };
}

async function eraseNow(account: TestAccount, contactId: string) {
  const begun = await ask('DELETE', `/v1/contacts/${contactId}?erase=true`, { headers: account.owner });
  expect(begun).toMatchObject({ status: 202, body: { status: expect.any(String) } });
  const path = `/v1/contacts/erasures/${begun.body.erasureId}`;
  return eventually(async () => {
    await runDurableObjectAlarm(logOf(env, account.accountId));
    const { body } = await ask('GET', path, { headers: account.owner });
    return body.status === 'finished' ? body : undefined;
  });
}

/** Everything that the log has in its tables, but for words, which are taken out of their index. */
const everythingIn = (log: DurableObjectStub<EventLog>) =>
  runInDurableObject(log, (_, { storage }) =>
    [
      'messages',
      'events',
      'contacts',
      'contact_erasures',
      'contact_merges',
      'dialled_numbers',
      'joined_aliases',
      'conversations',
      'conversation_notes',
    ]
      .map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray()))
      .join('\n'),
  );

test('the numbers that have talked with a person who is erased forget when that was', async () => {
  const { account, contact } = await accountWithPerson();
  const number = env.PHONE_NUMBER.getByName(await addConnectedNumber(account));
  const known = (sql: string, ...values: string[]) =>
    runInDurableObject(number, (_, { storage }) => storage.sql.exec(sql, ...values).toArray());
  await known('INSERT INTO chats (recipient, last_out_at) VALUES (?, 1)', phoneNumber);
  await known('INSERT INTO chats (recipient, last_out_at) VALUES (?, 1)', '4915123456789');
  await eraseNow(account, contact.contactId);
  expect(await known('SELECT recipient FROM chats')).toEqual([{ recipient: '4915123456789' }]);
});

test('the account forgets when a person who is erased last wrote, and keeps that they opted out', async () => {
  const { account, contact } = await accountWithPerson();
  await writeToNumber(account, await addConnectedNumber(account), phoneNumber, 'stop');
  const known = () => env.ACCOUNT.getByName(account.accountId).recipients([phoneNumber]);
  const optedOutAt = expect.any(Number);
  expect(await known()).toMatchObject([{ optedOutAt, lastInboundAt: expect.any(Number) }]);
  await eraseNow(account, contact.contactId);
  expect(await known()).toMatchObject([{ optedOutAt, lastInboundAt: null }]);
});

test('however many numbers and campaigns an account has, each forgets who is erased', async () => {
  const { account, contact } = await accountWithPerson();
  const ids = Array.from({ length: 51 }, () => newUuid()).toSorted();
  const { DB } = env;
  await DB.batch(
    ids.flatMap((id) => [
      DB.prepare(
        "insert into numbers (id, account_id, label, in_pool, created_at) values (?, ?, 'x', 1, 0)",
      ).bind(id, account.accountId),
      DB.prepare("insert into campaigns values (?, ?, 'x', 'finished', '{}', 0)").bind(id, account.accountId),
    ]),
  );
  const asked = [Campaign, PhoneNumber].map((kind) => {
    const heard: string[] = [];
    const forget = vi.spyOn(kind.prototype, 'forgetRecipient').mockImplementation(function (
      this: object,
      address,
    ) {
      const { ctx } = this as unknown as { ctx: DurableObjectState };
      if (address === phoneNumber) heard.push(ctx.id.name ?? '');
      return 1;
    });
    onTestFinished(() => forget.mockRestore());
    return heard;
  });
  const { erased } = await eraseNow(account, contact.contactId);
  expect(asked.map((heard) => heard.toSorted())).toEqual([ids, ids]);
  // A row in each, under the phone number and under the alias.
  expect(erased.campaignRecipients).toBe(2 * ids.length);
});

test('a person who is erased is nowhere any more, and the messages still count', async () => {
  const { account, log, contact } = await accountWithPerson();
  const before = await ask('GET', '/v1/messages', { headers: account.owner });
  const withWords = () => ask('GET', '/v1/messages?q=umbrella', { headers: account.owner });
  expect((await withWords()).body.data).toHaveLength(3);
  const { erased, remains } = await eraseNow(account, contact.contactId);
  expect(erased).toMatchObject({ messages: 3, conversations: 1 });
  expect(erased.events).toBeGreaterThanOrEqual(4);
  expect(remains).toContain('opt_out');
  const left = await everythingIn(log);
  for (const trace of [phoneNumber, lid, secret, 'Santoso']) expect(left).not.toContain(trace);
  expect(left).toContain('somebody else');
  const after = await ask('GET', '/v1/messages', { headers: account.owner });
  const outline = ({ messageId, status }: { messageId: string; status: string }) => ({ messageId, status });
  expect(after.body.data.map(outline)).toEqual(before.body.data.map(outline));
  expect((await withWords()).body.data).toEqual([]);
  const { body: events } = await ask('GET', '/v1/events?limit=100', { headers: account.owner });
  expect(events.data.length).toBeGreaterThan(4);
  const { body: audit } = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.data[0]).toMatchObject({ action: 'contact.erased', target: `contact:${contact.contactId}` });
});

test('files that an erased person has sent are deleted and count no more, and those that they were sent stay', async () => {
  const { account, log, contact } = await accountWithPerson();
  const [theirs, ours] = [newUuid(), newUuid()];
  // The bytes of a file, and what is known about it.
  const keysOf = (mediaId: string) =>
    ['bytes', 'about'].map((part) => `${account.accountId}/${mediaId}/${part}`);
  for (const key of [theirs, ours].flatMap(keysOf)) await env.MEDIA.put(key, 'a picture');
  for (const fileId of [theirs, ours]) {
    const file = { fileId, bytes: 9, expiresAt: Date.now() + 60_000 };
    await env.ACCOUNT.getByName(account.accountId).keepFile(file);
  }
  const picture = (mediaId: string) => ({ type: 'image' as const, media: { mediaId } });
  await log.take([
    received({ from: phoneNumber, content: picture(theirs) }),
    sent(record({ to: phoneNumber, content: picture(ours) })),
  ]);
  const { erased } = await eraseNow(account, contact.contactId);
  expect(erased).toMatchObject({ messages: 5, files: 1 });
  const areThere = async (mediaId: string) => {
    const heads = await Promise.all(keysOf(mediaId).map((key) => env.MEDIA.head(key)));
    return heads.map((head) => head !== null);
  };
  expect([await areThere(theirs), await areThere(ours)]).toEqual([
    [false, false],
    [true, true],
  ]);
  const usage = await ask('GET', '/v1/usage', { headers: account.owner });
  expect(usage.body.storage).toMatchObject({ used: 9 });
});

test('what an erased person has confirmed in a group goes from the archive too, by phone number and by alias', async () => {
  const key = `${newUuid()}/messages`;
  const theirs = [
    { phoneNumber, lid: null },
    { phoneNumber: null, lid },
  ];
  const others = [
    { phoneNumber: '4915123456789', lid: null },
    { phoneNumber: null, lid: '100000000000018' },
  ];
  const row = {
    peer: '120363041234567890@g.us',
    peer_lid: null,
    receipts: JSON.stringify([...theirs, ...others]),
  };
  await writeSegment(env.ARCHIVE, key, JSON.stringify(row));
  const person = { contactId: newUuid(), phoneNumber, lid };
  expect(await exports.PersonEraser.segment('messages', key, person, [])).toEqual({
    changed: 1,
    fileIds: [],
  });
  const left = JSON.parse((await readSegment(env.ARCHIVE, key)) ?? '');
  expect(left).toEqual({ ...row, receipts: JSON.stringify(others) });
});

test('an archived delivery whose receiver has named an erased person stays as it is, and the events beside it go', async () => {
  const key = `${newUuid()}/events`;
  const event = {
    ...{ eventId: `evt_${newUuid()}`, event: 'contact.typing', accountId: newUuid(), occurredAt: '' },
    data: { numberId: newUuid(), phoneNumber, text: secret },
  };
  const delivery = JSON.stringify({ deliveryId: newUuid(), answer: `noted: ${phoneNumber}` });
  await writeSegment(env.ARCHIVE, key, `${JSON.stringify({ firstSeq: 1, bodies: [event] })}\n${delivery}`);
  const person = { contactId: newUuid(), phoneNumber, lid };
  expect(await exports.PersonEraser.segment('events', key, person, [])).toEqual({ changed: 1, fileIds: [] });
  const [events = '', left] = ((await readSegment(env.ARCHIVE, key)) ?? '').split('\n');
  for (const trace of [phoneNumber, secret]) expect(events).not.toContain(trace);
  expect(left).toBe(delivery);
});

test('all rows of the pasts of an erased person are counted, and only once', async () => {
  const keys = [`${newUuid()}/1`, `${newUuid()}/2`];
  for (const [index, key] of keys.entries()) {
    const lines = Array.from({ length: index + 2 }, (_, id) => JSON.stringify({ kind: 'note', row: { id } }));
    await writeSegment(env.ARCHIVE, key, lines.join('\n'));
  }
  expect(await exports.PersonEraser.pasts(keys)).toBe(5);
  expect(await exports.PersonEraser.pasts(keys)).toBe(0);
});

test('a person who writes after they were erased is news, and is kept', async () => {
  const { account, log, contact } = await accountWithPerson();
  await ask('DELETE', `/v1/contacts/${contact.contactId}?erase=true`, { headers: account.owner });
  const at = new Date(Date.now() + 60_000).toISOString();
  await log.take([received({ from: phoneNumber, at, content: { type: 'text', text: 'me again' } })]);
  await eventually(async () => {
    await runDurableObjectAlarm(log);
    return (await everythingIn(log)).includes('"stage":"done"') ? true : undefined;
  });
  const { body } = await ask('GET', `/v1/messages?from=${phoneNumber}`, { headers: account.owner });
  expect(body.data.map(({ text }: { text: string }) => text)).toEqual(['me again']);
});

test('a plain delete leaves the messages, and an agent erases nobody', async () => {
  const { account, contact } = await accountWithPerson();
  const path = `/v1/contacts/${contact.contactId}`;
  const byKey = await ask('DELETE', `${path}?erase=true`, { headers: account.server });
  expect(byKey).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  expect((await ask('DELETE', path, { headers: account.server })).status).toBe(204);
  const { body } = await ask('GET', `/v1/messages?from=${phoneNumber}`, { headers: account.owner });
  expect(body.data.length).toBeGreaterThan(0);
});

test('a person whom the network knows by other digits is erased under those that were dialled too', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const log = logOf(env, account.accountId);
  const [dialled, own] = ['5511987654321', '551187654321'];
  const content = { type: 'text', text: secret } as const;
  await log.take([
    sent(record({ to: dialled, numberId, content })),
    sent(record({ to: own, dialled, numberId, content })),
    received({ from: own, content: { type: 'text', text: secret } }, numberId),
  ]);
  await env.ACCOUNT.getByName(account.accountId).noteChecked([
    { phoneNumber: dialled, onNetwork: true, address: own },
  ]);
  const number = env.PHONE_NUMBER.getByName(numberId);
  await runInDurableObject(number, (_, { storage }) => {
    storage.sql.exec('INSERT INTO chats (recipient, last_out_at) VALUES (?, 1)', dialled);
  });
  const { body } = await ask('GET', `/v1/contacts?q=${own}`, { headers: account.owner });
  const { erased } = await eraseNow(account, body.data[0].contactId);
  expect(erased).toMatchObject({ messages: 3 });
  const left = await everythingIn(log);
  for (const trace of [dialled, own, secret]) expect(left).not.toContain(trace);
  const chats = await runInDurableObject(number, (_, { storage }) =>
    storage.sql.exec('SELECT recipient FROM chats').toArray(),
  );
  expect(chats).toEqual([]);
});

import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { deviceChanged, received } from '../../durable/event-log/event-log-fixture.ts';
import {
  addConnectedNumber,
  ask,
  eventually,
  openAccount,
  type TestAccount,
  writeToNumber,
} from '../front-door.ts';

const lid = '123456789012345';
const text = 'Hello';

const send = (account: TestAccount, json: object, path = 'send') =>
  ask('POST', `/v1/messages/${path}`, { headers: account.server, json });

/** Somebody whose phone number nobody knows has written. */
async function aliasWrote() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const log = logOf(env, account.accountId);
  await log.take([
    received({ from: lid, senderLid: lid, content: { type: 'text', text: 'hola' } }, numberId),
  ]);
  const { body } = await ask('GET', '/v1/contacts', { headers: account.server });
  const contactId: string = body.data[0].contactId;
  const conversationId = (await log.conversationOf({ numberId, lid }))?.conversationId ?? '';
  return { account, numberId, contactId, conversationId };
}

describe('a send that names a contact', () => {
  test('goes to the phone number of the contact, alone, in a batch and tried out', async () => {
    const account = await openAccount();
    await addConnectedNumber(account);
    const to = '628123456789';
    const made = await ask('POST', '/v1/contacts', { headers: account.server, json: { phoneNumber: to } });
    const { contactId } = made.body;
    const sent = await send(account, { contactId, text });
    expect(sent).toMatchObject({ status: 202, body: { to, chatType: 'personal' } });
    expect(sent.body).not.toHaveProperty('contactId');
    expect((await send(account, { contactId, text }, 'send?dryRun=true')).body).toMatchObject({
      accepted: true,
      to,
    });
    const batch = await send(account, { messages: [{ contactId, text }, { text }] }, 'send-batch');
    expect(batch.body.data).toMatchObject([{ to }, { error: { details: [{ path: 'to' }] } }]);
    const again = { 'Idempotency-Key': 'one' };
    const headers = { ...account.server, ...again };
    const first = await ask('POST', '/v1/messages/send', { headers, json: { contactId, text } });
    const repeat = await ask('POST', '/v1/messages/send', { headers, json: { contactId, text } });
    expect(repeat.body).toEqual(first.body);
  });

  test('names exactly one of the two, and a contact of the account', async () => {
    const account = await openAccount();
    await addConnectedNumber(account);
    const stranger = await openAccount();
    const theirs = await ask('POST', '/v1/contacts', {
      headers: stranger.server,
      json: { phoneNumber: '628123456789' },
    });
    const contactId = theirs.body.contactId;
    const refused = (code: string, path: string) => ({ error: { code, details: [{ path }] } });
    expect((await send(account, { text })).body).toMatchObject(refused('VALIDATION_ERROR', 'to'));
    const both = await send(account, { to: '628123456789', contactId, text });
    expect(both).toMatchObject({ status: 400, body: refused('VALIDATION_ERROR', 'contactId') });
    expect(await send(account, { contactId, text })).toMatchObject({
      status: 404,
      body: refused('NOT_FOUND', 'contactId'),
    });
    expect((await send(account, { contactId: 'x', text })).body).toMatchObject(
      refused('VALIDATION_ERROR', 'contactId'),
    );
    const alias = await send(account, { to: `${lid}@lid`, text });
    expect(alias).toMatchObject({ status: 422, body: refused('RECIPIENT_IS_LID', 'to') });
  });

  test.each(['before', 'after'])(
    'is refused where it is a number of the account, known by its alias alone, which tells whose that is %s it has written',
    async (when) => {
      const { account, numberId, contactId } = await aliasWrote();
      const own = '15550000002';
      const log = logOf(env, account.accountId);
      const other = await addConnectedNumber(account, own);
      await log.take([deviceChanged({ numberId: other, phoneNumber: own, revision: 1_000 })]);
      const told = when === 'before' ? '123456789012346' : lid;
      await log.take([
        {
          ...{ kind: 'contacts.listed', numberId: other, at: Date.now() },
          contacts: [{ phoneNumber: own, lid: told }],
        },
      ]);
      if (when === 'before') {
        await log.take([received({ from: told, senderLid: told, pushName: 'Own' }, numberId)]);
      }
      const { body } = await ask('GET', '/v1/contacts', { headers: account.server });
      const known = body.data.find((one: { lid: string }) => one.lid === told);
      const refused = await eventually(async () => {
        const answer = await send(account, { contactId: known.contactId, text }, 'send?dryRun=true');
        return answer.body.accepted === false ? answer.body : undefined;
      });
      expect(refused.reasons).toMatchObject([
        { code: 'RECIPIENT_FILTERED', details: [{ filter: 'ownNumber' }] },
      ]);
      expect((await send(account, { contactId: known.contactId, text })).status).toBe(422);
      expect(known.contactId === contactId).toBe(when === 'after');
    },
  );

  test('goes to an alias where no phone number is known, which nobody is shown', async () => {
    const { account, numberId, contactId } = await aliasWrote();
    const sent = await send(account, { contactId, text });
    expect(sent).toMatchObject({ status: 202, body: { contactId, numberId } });
    expect(sent.body).not.toHaveProperty('to');
    const { messageId } = sent.body;
    const accepted = await env.ACCOUNT.getByName(account.accountId).accepted(messageId);
    expect(accepted ?? { to: `${lid}@lid` }).toMatchObject({ to: `${lid}@lid` });
    const record = await eventually(async () => {
      const { body } = await ask('GET', `/v1/messages/${messageId}`, { headers: account.server });
      return body.messageId === undefined ? null : body;
    });
    expect(record).toMatchObject({ contactId, direction: 'outbound' });
    expect(record).not.toHaveProperty('to');
    const event = await eventually(async () => {
      const { body } = await ask('GET', '/v1/events?events=message.queued', { headers: account.server });
      return body.data.at(-1)?.data;
    });
    expect(event).toMatchObject({ contactId, messageId });
    expect(event).not.toHaveProperty('to');
    expect((await send(account, { contactId, text }, 'send?dryRun=true')).body).toMatchObject({
      accepted: true,
      contactId,
    });
  });
});

test('the id of a contact that became a part of another one is that contact for every call', async () => {
  const { account, numberId, contactId: kept } = await aliasWrote();
  const as = account.owner;
  const phoneNumber = '628123456700';
  const made = await ask('POST', '/v1/contacts', { headers: as, json: { phoneNumber } });
  const { contactId } = made.body;
  await logOf(env, account.accountId).take([received({ from: phoneNumber, senderLid: lid }, numberId)]);
  const call = async (method: string, path: string, json?: object) =>
    (await ask(method, `/v1/${path}`, { headers: as, ...(json && { json }) })).body;
  expect(await call('GET', `contacts/${kept}`)).toMatchObject({ contactId, phoneNumber, lid });
  expect(await call('PATCH', `contacts/${kept}`, { name: 'Budi' })).toMatchObject({
    contactId,
    name: 'Budi',
  });
  expect((await send(account, { contactId: kept, text })).body).toMatchObject({ to: phoneNumber });
  const batch = await send(account, { messages: [{ contactId: kept, text }] }, 'send-batch');
  expect(batch.body.data).toMatchObject([{ to: phoneNumber }]);
  expect(await call('POST', 'opt-outs', { contactId: kept })).toMatchObject({ phoneNumber, contactId });
  await call('DELETE', `opt-outs/${kept}`);
  const audience = { contactIds: [kept, contactId], coldContacts: true };
  const campaign = { name: 'News', message: { text: 'Hi {{name}}' }, audience, numberIds: 'pool' };
  const { campaignId } = await call('POST', 'campaigns', campaign);
  expect(await call('POST', `campaigns/${campaignId}/preview`)).toMatchObject({
    recipients: 1,
    examples: [{ contactId, text: 'Hi Budi' }],
  });
  const erased = await ask('DELETE', `/v1/contacts/${kept}?erase=true`, { headers: as });
  expect(erased.status, erased.text).toBe(202);
  const audit = await call('GET', 'audit-log');
  expect(audit.data[0]).toMatchObject({ action: 'contact.erased', target: `contact:${contactId}` });
  for (const id of [kept, contactId]) {
    expect((await ask('GET', `/v1/contacts/${id}`, { headers: as })).status).toBe(404);
  }
});

test.each([lid, '628123456789012'])(
  'the alias %s is no recipient by its digits alone either',
  async (alias) => {
    const account = await openAccount();
    const numberId = await addConnectedNumber(account);
    const log = logOf(env, account.accountId);
    await writeToNumber(account, numberId, `${alias}@lid`, 'hola');
    await log.take([received({ from: alias, senderLid: alias }, numberId)]);
    const isAlias = {
      code: 'RECIPIENT_IS_LID',
      message: expect.stringContaining('contactId'),
      details: [{ path: 'to' }],
    };
    for (const to of [alias, `${alias}@s.whatsapp.net`]) {
      expect(await send(account, { to, text })).toMatchObject({ status: 422, body: { error: isAlias } });
      const tried = await send(account, { to, text }, 'send?dryRun=true');
      expect(tried.body).toMatchObject({ accepted: false, reasons: [isAlias] });
      const batch = await send(account, { messages: [{ to, text }] }, 'send-batch');
      expect(batch.body.data).toMatchObject([{ error: isAlias }]);
    }
    const { body } = await ask('GET', '/v1/contacts', { headers: account.server });
    const [{ contactId }] = body.data;
    expect(await send(account, { contactId, text })).toMatchObject({ status: 202, body: { contactId } });
    // With the contact its alias is not forgotten.
    await ask('DELETE', `/v1/contacts/${contactId}`, { headers: account.owner });
    expect(await send(account, { to: alias, text })).toMatchObject({ status: 422, body: { error: isAlias } });
  },
);

test('somebody whose phone number nobody knows is answered from the inbox', async () => {
  const { account, contactId, conversationId } = await aliasWrote();
  const answered = await ask('POST', `/v1/conversations/${conversationId}/messages`, {
    headers: account.owner,
    json: { text },
  });
  expect(answered, answered.text).toMatchObject({ status: 202, body: { contactId } });
  const listed = await eventually(async () => {
    const { body } = await ask('GET', `/v1/conversations/${conversationId}/messages`, {
      headers: account.owner,
    });
    return body.data.length > 1 ? body.data : null;
  });
  expect(listed[0]).toMatchObject({ message: { direction: 'outbound', text, contactId } });
});

test('whoever opts out under an alias is not written to', async () => {
  const { account, numberId, contactId } = await aliasWrote();
  await writeToNumber(account, numberId, `${lid}@lid`, 'STOP');
  expect(await send(account, { contactId, text })).toMatchObject({
    status: 422,
    body: { error: { code: 'RECIPIENT_FILTERED', details: [{ filter: 'optOut' }] } },
  });
  const listed = await ask('GET', '/v1/opt-outs', { headers: account.server });
  expect(listed.body.data).toMatchObject([{ phoneNumber: null, contactId, numberId, word: 'STOP' }]);
  expect(listed.text).not.toContain(lid);
  const shown = (path: string) => ask('GET', path, { headers: account.server });
  const optedOutAt = listed.body.data[0].optedOutAt;
  expect((await shown(`/v1/contacts/${contactId}`)).body).toMatchObject({ optedOutAt });
  expect((await shown('/v1/contacts?optedOut=true')).body.data).toMatchObject([{ contactId, optedOutAt }]);
  expect((await shown('/v1/contacts?optedOut=false')).body.data).toEqual([]);
  const removed = await ask('DELETE', `/v1/opt-outs/${contactId}`, { headers: account.owner });
  expect(removed.status, removed.text).toBe(204);
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  expect(audit.body.data[0]).toMatchObject({ action: 'opt_out.removed', target: `opt_out:${contactId}` });
  expect(audit.text).not.toContain(lid);
  expect((await send(account, { contactId, text })).status).toBe(202);
});

test('whom somebody opts out by contact stays out when their phone number becomes known', async () => {
  const { account, numberId, contactId } = await aliasWrote();
  const put = (json: object) => ask('POST', '/v1/opt-outs', { headers: account.owner, json });
  await ask('PATCH', `/v1/contacts/${contactId}`, { headers: account.owner, json: { name: 'Budi' } });
  const added = { phoneNumber: null, contactId, name: 'Budi' };
  expect(await put({ contactId })).toMatchObject({ status: 201, body: added });
  expect(await put({ contactId })).toMatchObject({ status: 200 });
  // What is there already is no change.
  const audit = await ask('GET', '/v1/audit-log', { headers: account.owner });
  const entries = audit.body.data.filter(({ action }: { action: string }) => action === 'opt_out.added');
  expect(entries).toMatchObject([{ target: `opt_out:${contactId}` }]);
  expect(audit.text).not.toContain(lid);
  expect(await put({})).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'phoneNumber' }] } },
  });
  expect(await put({ contactId, phoneNumber: '628123456700' })).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'contactId' }] } },
  });
  expect(await put({ contactId: newUuid() })).toMatchObject({ status: 404 });
  const log = logOf(env, account.accountId);
  const phoneNumber = '628123456700';
  await log.take([received({ from: phoneNumber, senderLid: lid }, numberId)]);
  const listed = await eventually(async () => {
    const { body } = await ask('GET', '/v1/opt-outs', { headers: account.server });
    return body.data[0].word === null && body.data[0].phoneNumber !== null ? body.data : null;
  });
  expect(listed).toMatchObject([{ phoneNumber, contactId, numberId: null }]);
  await eventually(async () =>
    (await send(account, { to: phoneNumber, text })).status === 422 ? true : null,
  );
  // What still goes to the alias is held by the same entry.
  const stub = env.ACCOUNT.getByName(account.accountId);
  expect(await stub.recipients([`${lid}@lid`])).toMatchObject([{ optedOutAt: expect.any(Number) }]);
  expect((await ask('DELETE', `/v1/opt-outs/${phoneNumber}`, { headers: account.owner })).status).toBe(204);
  expect(await stub.recipients([`${lid}@lid`])).toMatchObject([{ optedOutAt: null }]);
});

test('a number filter by country lets nobody through of whom no country is known', async () => {
  const { account, contactId } = await aliasWrote();
  const filters = { allowPrefixes: ['1'], blockPrefixes: [], blockNumbers: [], checkOnNetwork: true };
  const set = await ask('PATCH', '/v1/settings', { headers: account.owner, json: { filters } });
  expect(set.status, set.text).toBe(200);
  expect((await send(account, { contactId, text })).body.error).toMatchObject({ code: 'RECIPIENT_FILTERED' });
});

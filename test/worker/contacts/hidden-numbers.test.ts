import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { aliasAddress } from '../../../src/contract/messages/recipient.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { makeAssistant } from '../assistants/assistant-fixture.ts';
import { runsOver, write } from '../assistants/talking.ts';
import { addConnectedNumber, ask, eventually, openAccount, writeToNumber } from '../front-door.ts';

const lid = '100000000000017';
const phoneNumber = '628123456789';

/** Somebody whose phone number nobody knows has written. */
async function stranger(text = 'the red umbrella') {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const log = logOf(env, account.accountId);
  const say = (words: string, from = lid) => write(account, numberId, from, words, { senderLid: lid });
  await say(text);
  const contact = (await ask('GET', '/v1/contacts', { headers: account.owner })).body.data[0];
  const [conversation] = (await ask('GET', '/v1/conversations', { headers: account.owner })).body.data;
  const request = async (method: string, path: string, json?: object) => {
    const answer = await ask(method, path, { headers: account.owner, ...(json && { json }) });
    expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(300);
    return answer.body;
  };
  return { account, numberId, log, say, request, contact, conversation };
}

test('somebody without a visible number is found, labelled, listed and exported', async () => {
  const { account, request, contact, conversation } = await stranger();
  expect(contact).toMatchObject({
    phoneNumber: null,
    lid,
    pushName: 'Budi',
    lastInboundAt: expect.any(String),
  });
  const { contactId } = contact;
  await request('PATCH', `/v1/contacts/${contactId}`, { name: 'Umbrella man', labels: ['vip'] });
  for (const query of ['q=umbrella', 'q=budi', 'label=vip', `q=${lid}`, `q=${lid}&label=vip`]) {
    expect((await request('GET', `/v1/contacts?${query}`)).data, query).toMatchObject([{ contactId }]);
  }
  for (const query of [`q=${lid}&label=other`, `q=${lid.slice(0, -1)}`]) {
    expect((await request('GET', `/v1/contacts?${query}`)).data, query).toEqual([]);
  }
  const { conversationId } = conversation;
  expect(conversation).toMatchObject({ contact: { contactId } });
  for (const query of ['q=umbrella', 'q=budi']) {
    const { data } = await request('GET', `/v1/conversations?${query}`);
    expect(data, query).toMatchObject([{ conversationId }]);
  }
  expect((await request('GET', '/v1/messages?q=umbrella')).data).toHaveLength(1);
  const exported = await ask('GET', '/v1/contacts/export', { headers: account.server });
  expect(exported.text).toContain('Umbrella man,vip');
  expect(exported.text).toContain(lid);
});

test('an assistant answers somebody without a visible number, and goes on when it shows', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const assistant = await makeAssistant(account, 'echo', {});
  await write(account, numberId, lid, 'hello', { senderLid: lid });
  const [first] = await runsOver(account, assistant, 1);
  expect(first).toMatchObject({ outcome: 'answered' });
  const sent = async () => {
    const { body } = await ask('GET', '/v1/messages?direction=outbound', { headers: account.owner });
    return body.data;
  };
  const [answer] = await eventually(async () => {
    const found = await sent();
    return found.length > 0 ? found : undefined;
  });
  expect(answer).toMatchObject({ contactId: expect.any(String) });
  expect(answer).not.toHaveProperty('to');
  await write(account, numberId, phoneNumber, 'it is me', { senderLid: lid });
  const runs = await runsOver(account, assistant, 2);
  expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(1);
  await eventually(
    async () => (await sent()).some(({ to }: { to?: string }) => to === phoneNumber) || undefined,
  );
});

test('an assistant goes on where two conversations turn out to be with one person', async () => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  await write(account, numberId, lid, 'hello', { senderLid: lid });
  const assistant = await makeAssistant(account, 'echo', { debounceSeconds: 1 });
  await write(account, numberId, phoneNumber, 'what does it cost?');
  await write(account, numberId, lid, 'it is me', { senderLid: lid });
  const [first] = (await ask('GET', '/v1/conversations?sort=newest', { headers: account.owner })).body.data;
  expect(first).toMatchObject({ botState: 'active' });
  const contacts = [{ phoneNumber, lid, name: 'Budi' }];
  await logOf(env, account.accountId).take([{ kind: 'contacts.listed', numberId, at: Date.now(), contacts }]);
  const { data } = (await ask('GET', '/v1/conversations', { headers: account.owner })).body;
  expect(data).toMatchObject([{ botState: 'active', contact: { phoneNumber, lid } }]);
  const answered = await eventually(async () => {
    const runs = await runsOver(account, assistant, 2);
    return runs.find(({ outcome }) => outcome === 'answered');
  });
  expect(answered).toMatchObject({ conversationId: data[0].conversationId });
  expect(answered.question.split('\n').toSorted()).toEqual(['it is me', 'what does it cost?']);
});

test('whoever had no visible number keeps everything when it shows, and nobody is there twice', async () => {
  const { account, say, request, contact, conversation } = await stranger();
  const { contactId } = contact;
  const { conversationId } = conversation;
  await request('PATCH', `/v1/contacts/${contactId}`, { labels: ['vip'], attributes: { city: 'Jakarta' } });
  await request('PATCH', `/v1/conversations/${conversationId}`, { labels: ['shipping'], priority: 'high' });
  await request('POST', `/v1/conversations/${conversationId}/assistant`, { action: 'take_over' });
  await request('POST', `/v1/conversations/${conversationId}/messages`, { note: true, text: 'be kind' });
  await request('POST', '/v1/opt-outs', { contactId });
  await say('it is me', phoneNumber);
  expect((await request('GET', '/v1/contacts')).data).toMatchObject([
    { contactId, phoneNumber, lid, labels: ['vip'], attributes: { city: 'Jakarta' } },
  ]);
  expect((await request('GET', '/v1/conversations')).data).toMatchObject([
    { conversationId, labels: ['shipping'], priority: 'high', botState: 'paused', unreadCount: 2 },
  ]);
  const { data } = await request('GET', `/v1/conversations/${conversationId}/messages`);
  expect(data).toHaveLength(3);
  const refused = await eventually(async () => {
    const json = { to: phoneNumber, text: 'News' };
    const answer = await ask('POST', '/v1/messages/send', { headers: account.server, json });
    return answer.status === 422 ? answer : undefined;
  });
  expect(refused.body.error).toMatchObject({ code: 'RECIPIENT_FILTERED' });
});

test('whoever has opted out and is erased is on the list by their phone number alone, or not at all, and is written to by nobody', async () => {
  const { account, numberId, request, contact } = await stranger();
  const known = { from: phoneNumber, lid: '100000000000018' };
  await write(account, numberId, known.from, 'hello', { senderLid: known.lid });
  const aliases = [lid, known.lid].map(aliasAddress);
  const stub = env.ACCOUNT.getByName(account.accountId);
  await stub.knowAliases([{ lid: known.lid, phoneNumber: known.from }]);
  for (const alias of aliases) await writeToNumber(account, numberId, alias, 'STOP');
  const optOuts = async () => (await request('GET', '/v1/opt-outs')).data;
  const contacts: { contactId: string }[] = (await request('GET', '/v1/contacts')).data;
  expect(await optOuts()).toMatchObject([
    { phoneNumber, contactId: contacts[0]?.contactId },
    { phoneNumber: null, contactId: contact.contactId },
  ]);
  for (const { contactId } of contacts) await request('DELETE', `/v1/contacts/${contactId}?erase=true`);
  expect(await optOuts()).toMatchObject([{ phoneNumber, contactId: null, name: null }]);
  const refused = { optedOutAt: expect.any(Number) };
  expect(await stub.recipients([phoneNumber, ...aliases])).toMatchObject([refused, refused, refused]);
  // They are somebody again once they write, and can be taken off the list.
  await write(account, numberId, lid, 'hello again', { senderLid: lid });
  const again = (await request('GET', '/v1/contacts')).data[0].contactId;
  expect(await optOuts()).toMatchObject([{ phoneNumber }, { phoneNumber: null, contactId: again }]);
  await request('DELETE', `/v1/opt-outs/${again}`);
  expect(await optOuts()).toMatchObject([{ phoneNumber }]);
});

test('somebody without a visible number is erased like everybody else', async () => {
  const { account, numberId, log, request, contact, conversation } = await stranger();
  await writeToNumber(account, numberId, aliasAddress(lid), 'the red umbrella');
  await request('POST', `/v1/conversations/${conversation.conversationId}/messages`, {
    text: 'we sell the red umbrella',
  });
  await eventually(async () => ((await request('GET', '/v1/messages')).data.length === 2 ? true : undefined));
  const begun = await request('DELETE', `/v1/contacts/${contact.contactId}?erase=true`);
  const { erased } = await eventually(async () => {
    await runDurableObjectAlarm(log);
    const erasure = await request('GET', `/v1/contacts/erasures/${begun.erasureId}`);
    return erasure.status === 'finished' ? erasure : undefined;
  });
  expect(erased).toMatchObject({ messages: 2, conversations: 1 });
  const left = async (stub: DurableObjectStub, tables: readonly string[]) =>
    runInDurableObject(stub, (_, { storage }) =>
      tables.map((table) => JSON.stringify(storage.sql.exec(`SELECT * FROM ${table}`).toArray())).join('\n'),
    );
  const inLog = ['messages', 'events', 'contacts', 'conversations', 'joined_aliases', 'automation_people'];
  const everything = [
    await left(log, inLog),
    await left(env.ACCOUNT.getByName(account.accountId), ['conversations', 'aliases', 'recipient_checks']),
    await left(env.PHONE_NUMBER.getByName(numberId), ['chats']),
  ].join('\n');
  for (const trace of [lid, 'umbrella', 'Budi']) expect(everything).not.toContain(trace);
});

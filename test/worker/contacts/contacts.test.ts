import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aliasAddress } from '../../../src/contract/messages/recipient.ts';
import { ContactImports } from '../../../src/durable/event-log/contacts/imports/contact-imports.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { received, record, sent, start } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, writeToNumber } from '../front-door.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';

async function accountWithContact() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  await logOf(env, account.accountId).take([
    received({ from: phoneNumber, senderLid: '100000000000017', pushName: 'Budi' }, numberId),
  ]);
  const { body } = await ask('GET', '/v1/contacts', { headers: account.server });
  return { account, numberId, contact: body.data[0] };
}

test('a contact is shown with what has passed with it: when it wrote last, and that it opted out', async () => {
  const { account, numberId, contact } = await accountWithContact();
  expect(contact).toEqual({
    contactId: expect.any(String),
    phoneNumber,
    lid: '100000000000017',
    name: null,
    pushName: 'Budi',
    labels: [],
    attributes: {},
    timeZone: null,
    country: 'ID',
    consent: null,
    optedOutAt: null,
    firstSeenAt: expect.any(String),
    lastInboundAt: new Date(start).toISOString(),
  });
  await writeToNumber(account, numberId, phoneNumber, 'stop');
  const path = `/v1/contacts/${contact.contactId}`;
  const now = await eventually(async () => {
    const { body } = await ask('GET', path, { headers: account.owner });
    return body.optedOutAt === null ? undefined : body;
  });
  expect(Date.parse(now.lastInboundAt)).toBeGreaterThan(start);
});

test('a contact is named, labelled, found by both, and deleted', async () => {
  const { account, contact } = await accountWithContact();
  const path = `/v1/contacts/${contact.contactId}`;
  const changes = { name: 'Mr Santoso', labels: ['vip', 'vip'], attributes: { city: 'Jakarta', orders: 3 } };
  const changed = await ask('PATCH', path, { headers: account.server, json: changes });
  expect(changed).toMatchObject({ status: 200, body: { ...changes, labels: ['vip'], pushName: 'Budi' } });
  for (const search of ['q=santo', 'label=vip', 'q=628123', 'q=budi&label=vip']) {
    const found = await ask('GET', `/v1/contacts?${search}`, { headers: account.server });
    expect(found.body).toEqual({ data: [changed.body], nextCursor: null });
  }
  expect((await ask('GET', '/v1/contacts?label=none', { headers: account.server })).body.data).toEqual([]);
  expect((await ask('DELETE', path, { headers: account.server })).status).toBe(204);
  expect((await ask('DELETE', path, { headers: account.server })).status).toBe(404);
  expect((await ask('GET', path, { headers: account.server })).status).toBe(404);
});

test('what was said of a contact is taken away again', async () => {
  const { account, contact } = await accountWithContact();
  const path = `/v1/contacts/${contact.contactId}`;
  const change = async (json: object) => (await ask('PATCH', path, { headers: account.server, json })).body;
  const said = { name: 'Mr Santoso', labels: ['vip'], timeZone: 'Asia/Jakarta', consentSource: 'fair' };
  expect(await change(said)).toMatchObject({ name: 'Mr Santoso', timeZone: 'Asia/Jakarta' });
  expect(await change({ name: null, labels: [], timeZone: null, consentSource: null })).toEqual(contact);
});

test.each([
  [{ name: ' ' }, 'name'],
  [{ labels: [''] }, 'labels.0'],
  [{ labels: Array.from({ length: 51 }, (_, index) => `l${index}`) }, 'labels'],
  [{ attributes: { 'no name': 1 } }, 'attributes.no name'],
  [{ attributes: { list: [] } }, 'attributes.list'],
  [{ phoneNumber }, 'phoneNumber'],
])('a change of %j is refused, and names the field', async (json, field) => {
  const { account, contact } = await accountWithContact();
  const path = `/v1/contacts/${contact.contactId}`;
  expect(await ask('PATCH', path, { headers: account.server, json })).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: field }] } },
  });
});

test('a file of contacts tells of each what is shown of it, and when their consent was recorded', async () => {
  const { account, contact } = await accountWithContact();
  const headers = account.owner;
  const before = Date.now();
  const json = {
    ...{ name: 'Mr Santoso', labels: ['vip'], timeZone: 'Asia/Jakarta', consentSource: 'fair' },
    attributes: { city: 'Jakarta' },
  };
  await ask('PATCH', `/v1/contacts/${contact.contactId}`, { headers, json });
  await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber } });
  const { body } = await ask('GET', `/v1/contacts/${contact.contactId}`, { headers });
  expect(body.consent.source).toBe('fair');
  expect(Date.parse(body.consent.at)).toBeGreaterThanOrEqual(before);
  const { text } = await ask('GET', '/v1/contacts/export', { headers });
  const [names = [], cells = []] = text
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(Object.fromEntries(names.map((name, index) => [name, cells[index]]))).toEqual({
    ...{ phoneNumber, name: 'Mr Santoso', labels: 'vip', timeZone: 'Asia/Jakarta', pushName: 'Budi' },
    ...{ country: 'ID', lid, consentSource: 'fair', consentAt: body.consent.at },
    ...{ optedOutAt: body.optedOutAt, firstSeenAt: body.firstSeenAt, lastInboundAt: body.lastInboundAt },
    'attributes.city': 'Jakarta',
  });
});

test('a file of contacts has a column for each attribute by name, also one without a type that the last of very many have', async () => {
  const account = await openAccount();
  const { owner: headers, accountId } = account;
  await runInDurableObject(logOf(env, accountId), (_, { storage }) =>
    storage.sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
       INSERT INTO contacts (contact_id, phone, labels, attributes, first_seen_at)
       SELECT 'c' || i, '49' || i, '[]', '{}', 1 FROM n`,
    ),
  );
  const add = (one: string, attributes: object) =>
    ask('POST', '/v1/contacts', { headers, json: { phoneNumber: one, labels: ['vip'], attributes } });
  await add(phoneNumber, { shoe: 'M' });
  await add('628999000111', { constructor: 'Acme' });
  await ask('DELETE', '/v1/contact-attributes/constructor', { headers });
  const { text } = await ask('GET', '/v1/contacts/export?label=vip', { headers });
  const [names = '', ...lines] = text.trim().split('\r\n');
  expect(names.split(',').slice(-2)).toEqual(['attributes.constructor', 'attributes.shoe']);
  expect(lines.map((line) => line.split(',').slice(-2))).toEqual([
    ['Acme', ''],
    ['', 'M'],
  ]);
});

test("another account's contact is none", async () => {
  const { contact } = await accountWithContact();
  const stranger = await openAccount();
  for (const contactId of [contact.contactId, newUuid()]) {
    const path = `/v1/contacts/${contactId}`;
    for (const method of ['GET', 'DELETE'] as const) {
      expect((await ask(method, path, { headers: stranger.server })).status).toBe(404);
    }
    const json = { name: 'Mine' };
    expect((await ask('PATCH', path, { headers: stranger.server, json })).status).toBe(404);
  }
});

test('a segment keeps its name when it is changed, and has none of another one; the audit log tells by which key', async () => {
  const account = await openAccount();
  const call = (method: string, path: string, json: object) =>
    ask(method, `/v1/segments${path}`, { headers: account.server, json });
  const filter = { labels: ['vip'] };
  const made = await call('POST', '', { name: 'VIPs', filter });
  const other = await call('POST', '', { name: 'Others', filter });
  const changed = await call('PATCH', `/${made.body.segmentId}`, {
    name: 'VIPs',
    filter: { labels: ['vips'] },
  });
  expect(changed).toMatchObject({ status: 200, body: { name: 'VIPs', filter: { labels: ['vips'] } } });
  const taken = await call('PATCH', `/${other.body.segmentId}`, { name: 'VIPs' });
  expect(taken).toMatchObject({ status: 409, body: { error: { details: [{ path: 'name' }] } } });
  const { body } = await ask('GET', '/v1/audit-log?limit=1', { headers: account.owner });
  const by = { actor: `key:${account.apiKeyId}`, actorName: 'server' };
  const target = { target: `segment:${made.body.segmentId}`, targetName: 'VIPs' };
  expect(body.data).toMatchObject([{ ...by, action: 'segment.changed', ...target }]);
});

test('a segment tells when it was made, and when it was changed last', async () => {
  const account = await openAccount();
  const headers = account.server;
  const json = { name: 'VIPs', filter: { labels: ['vip'] } };
  const made = await ask('POST', '/v1/segments', { headers, json });
  expect(made.body.updatedAt).toBe(made.body.createdAt);
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) =>
    storage.sql.exec('UPDATE contact_segments SET created_at = ?, updated_at = ?', start, start),
  );
  const path = `/v1/segments/${made.body.segmentId}`;
  const changed = await ask('PATCH', path, { headers, json: { name: 'Friends' } });
  expect(changed.body.createdAt).toBe(new Date(start).toISOString());
  expect(Date.parse(changed.body.updatedAt)).toBeGreaterThan(start);
  expect((await ask('GET', path, { headers })).body).toEqual(changed.body);
});

test('the audit log tells who took contacts in and out, merged and parted them, and who changed segments and attributes', async () => {
  const account = await openAccount();
  const { owner, server: headers } = account;
  const call = async (method: string, path: string, json: object) => {
    const answer = await ask(method, `/v1${path}`, { headers, json });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const filter = { labels: ['vip'] };
  const { segmentId } = await call('POST', '/segments', { name: 'VIPs', filter });
  await ask('DELETE', `/v1/segments/${segmentId}`, { headers });
  await call('PUT', '/contact-attributes/city', { type: 'text' });
  await ask('DELETE', '/v1/contact-attributes/city', { headers });
  const contacts = [{ phoneNumber }];
  const { importId } = await call('POST', '/contacts/import', { consentSource: 'fair', contacts });
  await logOf(env, account.accountId).take([received({ from: lid, senderLid: lid })]);
  const known = (await ask('GET', '/v1/contacts', { headers })).body.data;
  const [contactId, otherContactId] = known
    .toSorted((one: { phoneNumber: string | null }) => (one.phoneNumber === phoneNumber ? -1 : 1))
    .map((one: { contactId: string }) => one.contactId);
  const { mergeId } = await call('POST', '/contacts/merges', { contactId, otherContactId });
  await ask('DELETE', `/v1/contacts/merges/${mergeId}`, { headers });
  await ask('GET', '/v1/contacts/export', { headers: owner });
  const { body } = await ask('GET', '/v1/audit-log', { headers: owner });
  const told = body.data.map(({ actorName, action, target, targetName }: Record<string, string | null>) =>
    [actorName, action, target, targetName].join(' '),
  );
  expect(told.slice(0, 8)).toEqual([
    `${account.email} contacts.exported account:${account.accountId} `,
    `server contact.unmerged contact_merge:${mergeId} `,
    `server contact.merged contact:${contactId} `,
    `server contacts.imported contact_import:${importId} `,
    'server contact_attribute.deleted contact_attribute:city ',
    'server contact_attribute.declared contact_attribute:city text',
    `server segment.deleted segment:${segmentId} VIPs`,
    `server segment.created segment:${segmentId} VIPs`,
  ]);
});

test('segments are listed a page at a time, the newest first', async () => {
  const { server: headers } = await openAccount();
  const filter = { labels: ['vip'] };
  for (const name of ['A', 'B', 'C']) await ask('POST', '/v1/segments', { headers, json: { name, filter } });
  const page = async (cursor: string) => {
    const { body } = await ask('GET', `/v1/segments?limit=2${cursor}`, { headers });
    const names = body.data.map(({ name }: { name: string }) => name);
    return { names, nextCursor: body.nextCursor };
  };
  const first = await page('');
  expect(first).toEqual({ names: ['C', 'B'], nextCursor: expect.any(String) });
  expect(await page(`&cursor=${first.nextCursor}`)).toEqual({ names: ['A'], nextCursor: null });
});

test('who opted out is listed a page at a time, the most recent first', async () => {
  const { owner: headers } = await openAccount();
  const people = ['628111000001', '628111000002', '628111000003'];
  await ask('POST', '/v1/contacts', { headers, json: { phoneNumber } });
  for (const one of people) {
    const attributes = { last: one.slice(-1) };
    await ask('POST', '/v1/contacts', { headers, json: { phoneNumber: one, attributes } });
    await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber: one } });
  }
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await ask('GET', `/v1/contacts?optedOut=true&limit=1${cursor}`, { headers });
    found.push(...body.data.map((one: { phoneNumber: string }) => one.phoneNumber));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(found).toEqual(people.toReversed());
  const second = JSON.stringify([{ name: 'last', operator: 'equals', value: '2' }]);
  const sifted = await ask('GET', `/v1/contacts?optedOut=true&attributes=${second}`, { headers });
  expect(sifted.body.data).toMatchObject([{ phoneNumber: people[1] }]);
  // A file of them is of nobody else either.
  const exported = async (optedOut: boolean, filter = '') => {
    const { text } = await ask('GET', `/v1/contacts/export?optedOut=${optedOut}${filter}`, { headers });
    const [, ...lines] = text.trim().split('\r\n');
    return lines.map((line) => line.split(',')[0]);
  };
  expect([await exported(true), await exported(false)]).toEqual([people.toReversed(), [phoneNumber]]);
  expect(await exported(true, `&attributes=${second}`)).toEqual([people[1]]);
  expect(await exported(false, '&country=DE')).toEqual([]);
});

test('whoever opted out by two phone numbers of theirs is one contact who opted out', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const [dialled, own] = ['5511987654321', '551187654321'];
  await logOf(env, account.accountId).take([sent(record({ to: own, dialled })), received({ from: own })]);
  for (const one of [dialled, own])
    await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber: one } });
  expect((await ask('GET', '/v1/opt-outs', { headers })).body.data).toHaveLength(2);
  const { body } = await ask('GET', '/v1/contacts?optedOut=true', { headers });
  expect(body.data.map((one: { phoneNumber: string }) => one.phoneNumber)).toEqual([own]);
});

test('whoever opted out by two phone numbers of theirs is on one page of those who opted out', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  const [dialled = '', own = ''] = ['5511987654321', '551187654321'];
  await env.ACCOUNT.getByName(account.accountId).noteChecked([
    { phoneNumber: dialled, onNetwork: true, address: own },
  ]);
  await logOf(env, account.accountId).take([sent(record({ to: own, dialled })), received({ from: own })]);
  for (const one of [dialled, '628111000001', own])
    await ask('POST', '/v1/opt-outs', { headers, json: { phoneNumber: one } });
  const pages = async (path: string) => {
    const found: string[][] = [];
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `${path}limit=1${cursor}`, { headers });
      found.push(body.data.map((one: { phoneNumber: string }) => one.phoneNumber));
      if (body.nextCursor === null) return found;
      cursor = `&cursor=${body.nextCursor}`;
    }
  };
  // They were on it already.
  expect(await pages('/v1/opt-outs?')).toEqual([['628111000001'], [dialled]]);
  expect((await pages('/v1/contacts?optedOut=true&')).flat()).toEqual([own]);
});

test('an attribute is not deleted while an import uses it, and the audit log does not say so', async () => {
  const account = await openAccount();
  const { owner: headers } = account;
  await ask('PUT', '/v1/contact-attributes/city', { headers, json: { type: 'text' } });
  const isRunning = vi.spyOn(ContactImports.prototype, 'isRunning').mockReturnValue(true);
  onTestFinished(() => void isRunning.mockRestore());
  const refused = await ask('DELETE', '/v1/contact-attributes/city', { headers });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
  const { body } = await ask('GET', '/v1/audit-log?limit=1', { headers });
  expect(body.data).toMatchObject([{ action: 'contact_attribute.declared' }]);
});

/** Somebody of whom only the alias is known has written this to a number, which tells the account and its log. */
async function accountWithAlias(...texts: string[]) {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const log = logOf(env, account.accountId);
  const say = async (text: string, at: number) => {
    await writeToNumber(account, numberId, aliasAddress(lid), text, at);
    const wrote = { content: { type: 'text', text }, at: new Date(at).toISOString() } as const;
    await log.take([received({ from: lid, senderLid: lid, ...wrote }, numberId)]);
  };
  for (const [index, text] of texts.entries()) await say(text, start + index * 1000);
  return { account, numberId, log, say };
}

const optOutOf = ({ server: headers }: { server: Record<string, string> }) =>
  eventually(async () => {
    const { body } = await ask('GET', '/v1/opt-outs', { headers });
    const [first] = body.data;
    return first?.phoneNumber ? first : undefined;
  });

test('who opted out while only their alias was known has opted out once their phone number is', async () => {
  const { account, numberId, log } = await accountWithAlias('Hello', 'Stop, please!', 'I mean it');
  const byAlias = await ask('GET', '/v1/opt-outs', { headers: account.server });
  expect(byAlias.body.data).toMatchObject([{ phoneNumber: null, contactId: expect.any(String) }]);
  const shown = await ask('GET', '/v1/contacts', { headers: account.server });
  expect(shown.body.data).toMatchObject([{ lid, optedOutAt: byAlias.body.data[0].optedOutAt }]);
  await log.take([
    received({ from: phoneNumber, senderLid: lid, at: new Date(start + 9000).toISOString() }, numberId),
  ]);
  expect(await optOutOf(account)).toMatchObject({
    phoneNumber,
    numberId,
    optedOutAt: new Date(start + 1000).toISOString(),
  });
  const json = { to: phoneNumber, text: 'News' };
  const send = await ask('POST', '/v1/messages/send', { headers: account.server, json });
  expect(send).toMatchObject({ status: 422, body: { error: { code: 'RECIPIENT_FILTERED' } } });
});

test('so has who is merged by hand with a contact that has a phone number', async () => {
  const { account } = await accountWithAlias('STOP');
  const headers = account.owner;
  const alias = (await ask('GET', '/v1/contacts', { headers })).body.data[0];
  await ask('PATCH', `/v1/contacts/${alias.contactId}`, { headers, json: { name: 'Umbrella man' } });
  const contact = (await ask('POST', '/v1/contacts', { headers, json: { phoneNumber } })).body;
  // Ids are the same in capital letters.
  const json = { contactId: contact.contactId.toUpperCase(), otherContactId: alias.contactId.toUpperCase() };
  const merged = await ask('POST', '/v1/contacts/merges', { headers, json });
  expect(merged.status, merged.text).toBe(201);
  const mergesOf = async (contactId: string) =>
    (await ask('GET', `/v1/contacts/merges?contactId=${contactId}`, { headers })).body.data;
  const [merge] = await mergesOf(contact.contactId);
  const was = { contactId: alias.contactId, name: 'Umbrella man', phoneNumber: null, lid };
  expect(merge).toMatchObject({ mergeId: merged.body.mergeId, other: was, canUndo: true });
  expect(Date.parse(merge.undoUntil) - Date.parse(merge.mergedAt)).toBe(30 * 24 * 3600 * 1000);
  const other = (await ask('POST', '/v1/contacts', { headers, json: { phoneNumber: '628111000009' } })).body;
  expect(await mergesOf(other.contactId)).toEqual([]);
  expect(await optOutOf(account)).toMatchObject({ phoneNumber, word: 'STOP' });
});

test('merges are listed a page at a time, the newest first', async () => {
  const { account, log } = await accountWithAlias('Hello');
  const headers = account.owner;
  await log.take([received({ from: '100000000000018', senderLid: '100000000000018' })]);
  const aliases = (await ask('GET', '/v1/contacts', { headers })).body.data;
  const kept: string[] = [];
  for (const one of ['628111000010', '628111000011']) {
    const json = { phoneNumber: one };
    kept.push((await ask('POST', '/v1/contacts', { headers, json })).body.contactId);
  }
  const merged: string[] = [];
  for (const [index, { contactId: otherContactId }] of aliases.entries()) {
    const contactId = kept[index];
    const { body } = await ask('POST', '/v1/contacts/merges', {
      headers,
      json: { contactId, otherContactId },
    });
    merged.unshift(body.mergeId);
  }
  const page = async (cursor: string) => {
    const { body } = await ask('GET', `/v1/contacts/merges?limit=1${cursor}`, { headers });
    return { ids: body.data.map(({ mergeId }: { mergeId: string }) => mergeId), next: body.nextCursor };
  };
  const first = await page('');
  expect(first).toEqual({ ids: [merged[0]], next: expect.any(String) });
  expect(await page(`&cursor=${first.next}`)).toEqual({ ids: [merged[1]], next: null });
});

test('a merge whose alias somebody else has by now says that it cannot be undone', async () => {
  const { account, numberId, log } = await accountWithAlias('Hello');
  const headers = account.owner;
  const [alias] = (await ask('GET', '/v1/contacts', { headers })).body.data;
  const contact = (await ask('POST', '/v1/contacts', { headers, json: { phoneNumber } })).body;
  const json = { contactId: contact.contactId, otherContactId: alias.contactId };
  const { mergeId } = (await ask('POST', '/v1/contacts/merges', { headers, json })).body;
  await log.take([
    received({ from: phoneNumber, senderLid: '100000000000099' }, numberId),
    received({ from: lid, senderLid: lid }, numberId),
  ]);
  const { body } = await ask('GET', '/v1/contacts/merges', { headers });
  expect(body.data).toMatchObject([{ mergeId, canUndo: false }]);
  const undone = await ask('DELETE', `/v1/contacts/merges/${mergeId}`, { headers });
  expect(undone).toMatchObject({ status: 409, body: { error: { code: 'CONFLICT' } } });
});

test.each(['the phone number', 'the alias'])(
  'a word that is written under the alias of who was parted by hand counts for the phone number no more: %s stayed',
  async (stayed) => {
    const { account, numberId, say } = await accountWithAlias('Hello');
    const headers = account.owner;
    const [alias] = (await ask('GET', '/v1/contacts', { headers })).body.data;
    const contact = (await ask('POST', '/v1/contacts', { headers, json: { phoneNumber } })).body;
    const [kept, other] = stayed === 'the alias' ? [alias, contact] : [contact, alias];
    const json = { contactId: kept.contactId, otherContactId: other.contactId };
    const merged = await ask('POST', '/v1/contacts/merges', { headers, json });
    const known = () =>
      runInDurableObject(env.ACCOUNT.getByName(account.accountId), (_, { storage }) =>
        storage.sql.exec('SELECT phone FROM aliases WHERE lid = ?', lid).toArray(),
      );
    await eventually(async () => (await known()).length === 1);
    const undone = await ask('DELETE', `/v1/contacts/merges/${merged.body.mergeId}`, { headers });
    expect(undone.status).toBe(200);
    await eventually(async () => (await known()).length === 0);
    await say('STOP', start + 5000);
    await writeToNumber(account, numberId, '628999000111', 'STOP');
    const { data } = (await ask('GET', '/v1/opt-outs', { headers: account.server })).body;
    const parted = { phoneNumber: null, contactId: alias.contactId };
    expect(data).toHaveLength(2);
    expect(data).toContainEqual(expect.objectContaining({ phoneNumber: '628999000111' }));
    expect(data).toContainEqual(expect.objectContaining(parted));
  },
);

test('a word that is written under an alias counts at once where its phone number is known', async () => {
  const { account, numberId, log, say } = await accountWithAlias();
  await log.take([received({ from: phoneNumber, senderLid: lid }, numberId)]);
  await say('STOP', start + 5000);
  expect(await optOutOf(account)).toMatchObject({ phoneNumber, word: 'STOP' });
});

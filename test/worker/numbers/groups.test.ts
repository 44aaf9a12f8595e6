import { expect, test } from 'vitest';
import { FakeBridge, phoneNumber } from '../../durable/phone-number/fake-bridge.ts';
import { FakeNetwork, groupOf } from '../../durable/phone-number/fake-network.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';

const own = '15550000041';
const friend = '628123456789';
const groupId = '120363000000000099@g.us';

/** A number that is in one group, on a network that answers. */
async function numberInGroup() {
  const account = await openAccount();
  const made = await ask('POST', '/v1/numbers', { headers: account.owner, json: { label: 'Sales' } });
  const numberId: string = made.body.numberId;
  await phoneNumber(numberId).pair({ method: 'qr' });
  const bridge = await FakeBridge.link(numberId);
  bridge.say({ type: 'link.ready' });
  await bridge.take('session.pair');
  const network = new FakeNetwork(bridge, own, [groupOf(groupId, [own, friend])]);
  await bridge.tell({ type: 'session.connected', phoneNumber: own, at: new Date().toISOString() });
  const path = `/v1/numbers/${numberId}`;
  await eventually(
    async () => (await ask('GET', `${path}/groups`, { headers: account.server })).body.data.length,
  );
  return { account, numberId, bridge, network, path };
}

test('a group is read as it was heard, without asking the network', async () => {
  const { account, path, network, bridge } = await numberInGroup();
  const before = network.asked.length;
  const list = await ask('GET', `${path}/groups`, { headers: account.server });
  const one = await ask('GET', `${path}/groups/${groupId}`, { headers: account.server });
  expect(list.body).toEqual({ data: [one.body], nextCursor: null });
  expect(one.body).toEqual({
    groupId,
    subject: 'Rollout',
    description: null,
    owner: own,
    createdAt: '2026-01-31T08:10:00.000Z',
    isAnnounce: false,
    isLocked: false,
    joinApproval: false,
    participants: [
      { phoneNumber: own, role: 'owner' },
      { phoneNumber: friend, role: 'member' },
    ],
  });
  // Of this owner nobody knows the phone number.
  const owner = { lid: '100000000000017' };
  await bridge.tell({ type: 'groups.state', groups: [groupOf(groupId, [own, friend], { owner })] });
  const told = await ask('GET', `${path}/groups/${groupId}`, { headers: account.server });
  expect(told.body).toEqual({ ...one.body, owner: '100000000000017@lid' });
  expect(network.asked).toHaveLength(before);
});

test('an invite is another one only when it was revoked, and a group is nobody who can be blocked', async () => {
  const { account, path, network } = await numberInGroup();
  const invite = async (method: string) =>
    (await ask(method, `${path}/groups/${groupId}/invite`, { headers: account.server })).body;
  const first = { invite: 'TheFirstInvite', url: 'https://chat.whatsapp.com/TheFirstInvite' };
  expect([await invite('GET'), await invite('GET')]).toEqual([first, first]);
  expect(await invite('DELETE')).toMatchObject({ invite: 'AnotherInvite0' });
  const before = network.asked.length;
  for (const method of ['PUT', 'DELETE']) {
    const blocked = await ask(method, `${path}/blocked/${groupId}`, { headers: account.server });
    expect(blocked).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  }
  expect(network.asked).toHaveLength(before);
});

test('phone numbers come in any usual writing, each once, and are told one by one', async () => {
  const { account, path, network } = await numberInGroup();
  // Of the last one no numbering plan knows: the network tells.
  const participants = ['+62 812-3456-789', friend, '+1 555 000-0077', '9991234567890'];
  const made = await ask('POST', `${path}/groups`, {
    headers: account.server,
    json: { subject: 'New', participants },
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      subject: 'New',
      results: [
        { phoneNumber: friend, ok: true },
        { phoneNumber: '15550000077', ok: true },
        { phoneNumber: '9991234567890', ok: true },
      ],
    },
  });
  expect(network.asked).toContainEqual(
    expect.objectContaining({ participants: [friend, '15550000077', '9991234567890'] }),
  );
});

test('groups are listed page by page, and one is shown that somebody types', async () => {
  const { account, path, network } = await numberInGroup();
  const made = await ask('POST', `${path}/groups`, {
    headers: account.server,
    json: { subject: 'New', participants: [] },
  });
  const page = async (query: string) =>
    (await ask('GET', `${path}/groups?limit=1${query}`, { headers: account.server })).body;
  const first = await page('');
  const second = await page(`&cursor=${first.nextCursor}`);
  const listed = [...first.data, ...second.data].map((one) => one.groupId);
  expect([listed.toSorted(), second.nextCursor]).toEqual([[groupId, made.body.groupId].toSorted(), null]);
  const typing = { headers: account.server, json: { state: 'typing' } };
  expect((await ask('POST', `${path}/chats/${groupId}/typing`, typing)).status).toBe(204);
  expect(network.asked).toContainEqual({ verb: 'chats.typing', chat: groupId, state: 'typing' });
});

test('a description is taken away with null, and why somebody could not be added is told', async () => {
  const { account, path, network, bridge } = await numberInGroup();
  const call = (method: string, more: string, json: object) =>
    ask(method, `${path}/groups/${groupId}${more}`, { headers: account.server, json });
  expect((await call('PATCH', '', { description: null })).status).toBe(200);
  expect(network.asked).toContainEqual({ verb: 'groups.change', groupId, description: '' });
  const outcomes = [{ phoneNumber: '15550000077', ok: false, code: '403' }];
  bridge.onQuery = ({ queryId }) =>
    bridge.say({
      type: 'query.result',
      queryId,
      answer: { group: groupOf(groupId, [own, friend]), outcomes },
    });
  const added = await call('POST', '/participants', { action: 'add', participants: ['15550000077'] });
  expect(added).toMatchObject({ status: 200, body: { groupId, results: outcomes } });
});

test('a number does not remove itself from a group: nobody else is removed either, and leaving is its own call', async () => {
  const { account, path, network } = await numberInGroup();
  const headers = account.server;
  const before = network.asked.length;
  const json = { action: 'remove', participants: [friend, `+${own}`] };
  expect(await ask('POST', `${path}/groups/${groupId}/participants`, { headers, json })).toMatchObject({
    status: 400,
    body: {
      error: {
        code: 'VALIDATION_ERROR',
        details: [{ path: 'participants', message: expect.stringContaining('DELETE') }],
      },
    },
  });
  expect(network.asked).toHaveLength(before);
  const demotion = { action: 'demote', participants: [own] };
  const demoted = await ask('POST', `${path}/groups/${groupId}/participants`, { headers, json: demotion });
  expect(demoted.status).toBe(200);
  expect((await ask('DELETE', `${path}/groups/${groupId}`, { headers })).status).toBe(204);
});

test('an invite is taken as a code or as the address that people share', async () => {
  const { account, path, network } = await numberInGroup();
  for (const invite of [
    'AbCdEf012345',
    'https://chat.whatsapp.com/AbCdEf012345?mode=x',
    'chat.whatsapp.com/x',
  ]) {
    await ask('POST', `${path}/groups/join`, { headers: account.server, json: { invite } });
  }
  const joins = network.asked.filter(({ verb }) => verb === 'groups.join');
  expect(joins).toEqual([
    { verb: 'groups.join', invite: 'AbCdEf012345' },
    { verb: 'groups.join', invite: 'AbCdEf012345' },
  ]);
});

test.each([
  ['POST', 'groups', { participants: [] }, 'subject'],
  ['POST', 'groups', { subject: 'x'.repeat(101), participants: [] }, 'subject'],
  ['POST', 'groups', { subject: ' ', participants: [] }, 'subject'],
  ['POST', 'groups', { subject: 'ok', participants: ['nobody'] }, 'participants.0'],
  ['PATCH', `groups/${groupId}`, { isAnnounced: true }, 'isAnnounced'],
  ['PATCH', `groups/${groupId}`, { description: 'x'.repeat(2049) }, 'description'],
  ['POST', `groups/${groupId}/participants`, { action: 'ban', participants: [friend] }, 'action'],
  ['POST', `groups/${groupId}/participants`, { action: 'add', participants: [] }, 'participants'],
  ['POST', `groups/${groupId}/join-requests`, { action: 'approve' }, 'participants'],
  ['POST', 'groups/join', { invite: 'no invite' }, 'invite'],
  ['POST', 'contacts/check', { phoneNumbers: [] }, 'phoneNumbers'],
  ['POST', 'contacts/check', { phoneNumbers: Array.from({ length: 51 }, () => friend) }, 'phoneNumbers'],
  ['POST', `chats/${friend}/typing`, { state: 'singing' }, 'state'],
] as const)('%s %s refuses what does not fit, and names it', async (method, path, json, field) => {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const answer = await ask(method, `/v1/numbers/${numberId}/${path}`, { headers: account.server, json });
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code: 'VALIDATION_ERROR', details: [{ path: field }] } },
  });
});

const reads = (account: TestAccount, numberId: string, path: string) =>
  ask('GET', `/v1/numbers/${numberId}/${path}`, { headers: account.server });

test('what is not there, or not of this account, is not found; a number that is not connected cannot ask', async () => {
  const { account, numberId } = await numberInGroup();
  const stranger = await openAccount();
  expect((await reads(stranger, numberId, 'groups')).status).toBe(404);
  expect((await reads(stranger, numberId, `groups/${groupId}`)).status).toBe(404);
  expect((await reads(account, numberId, 'groups/120363000000000001@g.us')).status).toBe(404);
  expect((await reads(account, numberId, 'groups/no-group')).status).toBe(404);
  expect((await reads(account, numberId, 'groups/120363000000000001@g.us/invite')).status).toBe(404);
  expect((await reads(account, numberId, 'chats/nobody/picture')).status).toBe(404);
  const idle = await addConnectedNumber(stranger);
  const asked = await ask('POST', `/v1/numbers/${idle}/groups`, {
    headers: stranger.server,
    json: { subject: 'New', participants: [] },
  });
  expect(asked).toMatchObject({ status: 503, body: { error: { code: 'SENDER_UNAVAILABLE' } } });
});

test('a limit of the network is answered 429 with the time to wait', async () => {
  const { account, path, bridge } = await numberInGroup();
  bridge.onQuery = ({ queryId, query }) =>
    bridge.say({ type: 'query.failed', queryId, verb: query.verb, failure: { reason: 'rate_limited' } });
  const json = { phoneNumbers: [friend] };
  const limited = await ask('POST', `${path}/contacts/check`, { headers: account.server, json });
  expect(limited).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
  expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(0);
});

test('a profile picture is a JPEG, and can be taken away', async () => {
  const { account, path, network } = await numberInGroup();
  const png = btoa('\x89PNG\r\n\x1a\n');
  const refused = await ask('PATCH', `${path}/profile`, { headers: account.owner, json: { picture: png } });
  expect(refused).toMatchObject({ status: 415, body: { error: { code: 'UNSUPPORTED_MEDIA_TYPE' } } });
  for (const picture of ['', ' ', 'data:image/jpeg;base64,'])
    expect(
      await ask('PATCH', `${path}/profile`, { headers: account.owner, json: { picture } }),
    ).toMatchObject({
      status: 415,
    });
  const blank = await ask('PATCH', `${path}/profile`, { headers: account.owner, json: { name: ' ' } });
  expect(blank).toMatchObject({ status: 400, body: { error: { details: [{ path: 'name' }] } } });
  const jpeg = btoa('\xff\xd8\xff\xe0');
  const taken = await ask('PATCH', `${path}/profile`, { headers: account.owner, json: { picture: jpeg } });
  expect(taken.status).toBe(200);
  await ask('PATCH', `${path}/profile`, { headers: account.owner, json: { picture: null } });
  const changes = network.asked.filter(({ verb }) => verb === 'profile.change');
  expect(changes.at(-1)).toEqual({ verb: 'profile.change', picture: null });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { admin, adminOk, arrivals } from './stage/admin-client.ts';
import { LinkedClient } from './stage/linked-client.ts';
import { freshPhone, type RunningSimulator, runSimulator } from './stage/running-simulator.ts';
import { until } from './stage/until.ts';

let simulator: RunningSimulator;
let client: LinkedClient;
const own = freshPhone();
const jid = (phone: string) => `${phone}@s.whatsapp.net`;
const newGroup = async (subject: string, members: string[]): Promise<string> => {
  const { id } = await adminOk(simulator.adminUrl, 'POST', 'groups', { subject, members });
  return String(id);
};

beforeAll(async () => {
  simulator = await runSimulator();
  client = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, own);
});

afterAll(async () => {
  await client.disconnect();
  await simulator.close();
});

test('a client makes a group, and what it sends there arrives once, decrypted, and is delivered', async () => {
  const [first, second] = [freshPhone(), freshPhone()];
  const { id: group } = await client.socket.groupCreate('Friends', [jid(first), jid(second)]);
  const id = await client.send(group, 'hello, friends');
  await until(() => client.receiptsOf(id).filter((type) => type === 'delivered').length === 2, 'receipts');
  expect(await arrivals(simulator.adminUrl, group)).toEqual([
    { id, from: own, to: group, text: 'hello, friends', count: 1, at: expect.any(String) },
  ]);
  await until(() => client.receiptsOf(id).includes('sender'), 'the receipt of the own phone');
});

test('a phone writes to a group, and the client reads who wrote it', async () => {
  const phone = freshPhone();
  const group = await newGroup('Readers', [own, phone]);
  await until(() => client.groups.includes(group), 'the news of the group');
  const { id } = await adminOk(simulator.adminUrl, 'POST', `phones/${phone}/messages`, {
    to: group,
    text: 'from a member',
  });
  await until(() => client.texts().includes('from a member'), 'the text');
  const key = client.messages.find((message) => message.key.id === id)?.key;
  expect(key).toMatchObject({ remoteJid: group, participantAlt: jid(phone) });
});

test('a repeated message to a group counts as a second arrival', async () => {
  const group = await newGroup('Echo', [own, freshPhone()]);
  const id = await client.send(group, 'again');
  await client.send(group, 'again', id);
  await until(async () => (await arrivals(simulator.adminUrl, group))[0]?.count === 2, 'the count');
});

test('who is added reads what comes later, and who is removed no more', async () => {
  const [staying, joining] = [freshPhone(), freshPhone()];
  const other = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, joining);
  const { id: group } = await client.socket.groupCreate('Guests', [jid(staying)]);
  await client.send(group, 'before');
  const [added] = await client.socket.groupParticipantsUpdate(group, [jid(joining)], 'add');
  expect(added?.status).toBe('200');
  await until(() => other.groups.includes(group), 'the news of the group');
  await client.send(group, 'welcome');
  await until(() => other.texts().includes('welcome'), 'the text');
  await client.socket.groupParticipantsUpdate(group, [jid(joining)], 'remove');
  const { participants } = await client.socket.groupMetadata(group);
  expect(participants.map((one) => one.phoneNumber)).toEqual([jid(own), jid(staying)]);
  await client.send(group, 'farewell');
  await until(async () => (await arrivals(simulator.adminUrl, group)).length === 3, 'all arrivals');
  await expect(other.socket.groupMetadata(group)).rejects.toThrow('forbidden');
  expect(other.texts()).toEqual(['welcome']);
  await other.disconnect();
});

test('who is in a group already is not added again: they stay an admin, and nobody is told', async () => {
  const [admin, joining] = [freshPhone(), freshPhone()];
  const other = await new LinkedClient(simulator.socketUrl).pair(simulator.adminUrl, admin);
  const added: string[][] = [];
  other.socket.ev.on('group-participants.update', ({ action, participants }) => {
    if (action === 'add') added.push(participants.map(({ phoneNumber }) => phoneNumber ?? ''));
  });
  const { id: group } = await client.socket.groupCreate('Admins', [jid(admin)]);
  await client.socket.groupParticipantsUpdate(group, [jid(admin)], 'promote');
  const repeated = await client.socket.groupParticipantsUpdate(group, [jid(admin)], 'add');
  expect(repeated.map(({ status }) => status)).toEqual(['409']);
  const mixed = await client.socket.groupParticipantsUpdate(group, [jid(admin), jid(joining)], 'add');
  expect(mixed.map(({ status }) => status)).toEqual(['409', '200']);
  await until(() => added.length > 0, 'the news of who came');
  expect(added).toEqual([[jid(joining)]]);
  const { participants } = await client.socket.groupMetadata(group);
  expect(participants).toContainEqual(expect.objectContaining({ phoneNumber: jid(admin), admin: 'admin' }));
  await other.disconnect();
});

test('a new subject is told to the members, and stays', async () => {
  const group = await newGroup('Old name', [own, freshPhone()]);
  await client.socket.groupUpdateSubject(group, 'New name');
  expect((await client.socket.groupMetadata(group)).subject).toBe('New name');
  expect((await client.socket.groupFetchAllParticipating())[group]?.subject).toBe('New name');
});

test('a member that leaves is no member any more', async () => {
  const group = await newGroup('Leavers', [freshPhone(), own]);
  await client.socket.groupLeave(group);
  await expect(client.socket.groupMetadata(group)).rejects.toThrow('forbidden');
});

test('a message of somebody who is no member is refused', async () => {
  const group = await newGroup('Closed', [freshPhone()]);
  const { status, body } = await admin(simulator.adminUrl, 'POST', `phones/${freshPhone()}/messages`, {
    to: group,
    text: 'let me in',
  });
  expect(status).toBe(403);
  expect(body.error).toMatchObject({ message: 'The phone is no member of the group.' });
});

test('a phone that lost the sender key asks again, and no other member counts the answer twice', async () => {
  const [reader, joined] = [freshPhone(), freshPhone()];
  const group = await newGroup('Latecomers', [own, reader]);
  await client.send(group, 'the first');
  await until(async () => (await arrivals(simulator.adminUrl, group)).length === 1, 'the first message');
  // The client's memory of who has its key says that the newcomer has it; it has not.
  await adminOk(simulator.adminUrl, 'PATCH', `groups/${encodeURIComponent(group)}`, { add: [joined] });
  const { lid } = await adminOk(simulator.adminUrl, 'GET', `phones/${joined}`);
  const { [group]: memory } = await client.credentials.keys.get('sender-key-memory', [group]);
  await client.credentials.keys.set({
    'sender-key-memory': { [group]: { ...memory, [`${lid}@lid`]: true } },
  });
  const id = await client.send(group, 'the second');
  await until(() => client.receiptsOf(id).includes('retry'), 'the request');
  await until(() => {
    const delivered = client.receipts.filter((one) => one.id === id && one.type === 'delivered');
    return delivered.some((one) => one.participant === `${lid}@lid`);
  }, 'the receipt of the newcomer');
  const rows = await arrivals(simulator.adminUrl, group);
  expect(rows.map(({ text, count }) => ({ text, count }))).toEqual([
    { text: 'the first', count: 1 },
    { text: 'the second', count: 1 },
  ]);
});

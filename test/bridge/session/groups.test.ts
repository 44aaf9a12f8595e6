import { beforeAll, expect, test } from 'vitest';
import type { NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import type {
  NetworkQuery,
  QueryAnswer,
  QueryOf,
  QueryVerb,
} from '../../../src/contract/bridge/network-queries.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

interface AdminGroup {
  id: string;
  subject: string;
  members: string[];
  description: string | null;
  isAnnounce: boolean;
  isLocked: boolean;
  joinApproval: boolean;
  invite: string;
}
type Notice = Extract<NumberFact, { type: 'group.notice' }>;

const stage = BridgeStage.open();
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function outcomeOf(query: NetworkQuery) {
  const queryId = number.ask(query);
  await stage.edge.until(`${query.verb} is answered`, () => number.answers.has(queryId));
  return number.answers.get(queryId);
}

async function ask<Verb extends QueryVerb>(query: QueryOf<Verb>): Promise<QueryAnswer<Verb>> {
  const outcome = await outcomeOf(query as NetworkQuery);
  if (!outcome || 'failure' in outcome) throw new Error(`no answer: ${JSON.stringify(outcome)}`);
  return outcome.answer as QueryAnswer<Verb>;
}

async function groupAtNetwork(groupId: string): Promise<AdminGroup> {
  const { data } = await stage.admin<{ data: AdminGroup[] }>('GET', 'groups');
  const found = data.find(({ id }) => id === groupId);
  if (!found) throw new Error('there is no such group');
  return found;
}

const makeGroup = (members: string[]) =>
  stage.admin<AdminGroup>('POST', 'groups', { subject: 'Neighbours', members });

function changesOf(groupId: string): Notice['changes'] {
  const notices = number.factsOf('group.notice').filter((notice) => notice.groupId === groupId);
  return notices.flatMap(({ changes }) => changes);
}

async function noticeOf(groupId: string, kind: string): Promise<Notice['changes'][number]> {
  const found = () => changesOf(groupId).findLast((change) => change.kind === kind);
  await stage.edge.until(`a notice of ${kind}`, found);
  return found() as Notice['changes'][number];
}

test('a group is made with its members, who are named by phone number and alias', async () => {
  const [one, two] = [newPhone(), newPhone()];
  const { group, outcomes } = await ask({
    verb: 'groups.create',
    subject: 'Launch',
    participants: [one, two],
  });
  expect(outcomes).toEqual([
    { phoneNumber: one, ok: true },
    { phoneNumber: two, ok: true },
  ]);
  expect(group).toMatchObject({
    subject: 'Launch',
    description: null,
    isAnnounce: false,
    owner: { phoneNumber: phone },
  });
  expect(group.participants).toHaveLength(3);
  expect(group.participants).toContainEqual({ phoneNumber: one, lid: expect.any(String), role: 'member' });
  expect(group.participants).toContainEqual({ phoneNumber: phone, lid: expect.any(String), role: 'owner' });
  expect((await groupAtNetwork(group.groupId)).members.sort()).toEqual([phone, one, two].sort());
});

test('subject, description and settings of a group are changed at the network', async () => {
  const { group } = await ask({ verb: 'groups.create', subject: 'Before', participants: [newPhone()] });
  const changed = await ask({
    verb: 'groups.change',
    groupId: group.groupId,
    subject: 'After',
    description: 'What it is about',
    isAnnounce: true,
    isLocked: true,
    joinApproval: true,
  });
  const wanted = {
    subject: 'After',
    description: 'What it is about',
    isAnnounce: true,
    isLocked: true,
    joinApproval: true,
  };
  expect(changed.group).toMatchObject(wanted);
  expect(await groupAtNetwork(group.groupId)).toMatchObject(wanted);
  const back = await ask({
    verb: 'groups.change',
    groupId: group.groupId,
    description: '',
    isAnnounce: false,
  });
  expect(back.group).toMatchObject({ description: null, isAnnounce: false, isLocked: true });
});

test('members are added, promoted, demoted and removed, each with an outcome of their own', async () => {
  const [member, late, stranger] = [newPhone(), newPhone(), newPhone()];
  const { group } = await ask({ verb: 'groups.create', subject: 'Team', participants: [member] });
  const { groupId } = group;
  const change = (action: 'add' | 'remove' | 'promote' | 'demote', ...participants: string[]) =>
    ask({ verb: 'groups.participants', groupId, action, participants });
  expect((await change('add', late)).outcomes).toEqual([{ phoneNumber: late, ok: true }]);
  const promoted = await change('promote', late);
  expect(promoted.group.participants).toContainEqual(
    expect.objectContaining({ phoneNumber: late, role: 'admin' }),
  );
  const demoted = await change('demote', late);
  expect(demoted.group.participants).toContainEqual(
    expect.objectContaining({ phoneNumber: late, role: 'member' }),
  );
  const removed = await change('remove', late, stranger);
  expect(removed.outcomes).toEqual([
    { phoneNumber: late, ok: true },
    { phoneNumber: stranger, ok: false, code: '404' },
  ]);
  expect((await groupAtNetwork(groupId)).members).not.toContain(late);
});

test('an invite lets the number in, and a renewed one ends the one before', async () => {
  const host = newPhone();
  const { id, invite } = await makeGroup([host]);
  const { group, groupId } = await ask({ verb: 'groups.join', invite });
  expect(groupId).toBe(id);
  expect(group?.participants).toContainEqual(expect.objectContaining({ phoneNumber: phone }));
  const own = await ask({ verb: 'groups.create', subject: 'Own', participants: [] });
  const first = await ask({ verb: 'groups.invite', groupId: own.group.groupId, renew: false });
  const second = await ask({ verb: 'groups.invite', groupId: own.group.groupId, renew: true });
  expect(second.invite).not.toBe(first.invite);
  expect(await outcomeOf({ verb: 'groups.join', invite: first.invite })).toEqual({
    failure: { reason: 'refused', code: '410' },
  });
});

test('who wants to join a group that asks its admins is listed, let in, and told of', async () => {
  const [guest, other] = [newPhone(), newPhone()];
  const { group } = await ask({ verb: 'groups.create', subject: 'Closed', participants: [] });
  const { groupId } = group;
  await ask({ verb: 'groups.change', groupId, joinApproval: true });
  const { invite } = await groupAtNetwork(groupId);
  for (const one of [guest, other]) {
    await stage.admin('POST', `phones/${one}/join`, { invite });
    await stage.edge.until('the request is told', () =>
      changesOf(groupId).some(
        (change) =>
          change.kind === 'join_request' &&
          change.action === 'created' &&
          change.participants[0]?.phoneNumber === one,
      ),
    );
  }
  const waiting = await ask({ verb: 'groups.requests', groupId });
  expect(waiting.participants.map(({ phoneNumber }) => phoneNumber).sort()).toEqual([guest, other].sort());
  const decided = await ask({ verb: 'groups.decide', groupId, action: 'approve', participants: [guest] });
  expect(decided.outcomes).toEqual([{ phoneNumber: guest, ok: true }]);
  await ask({ verb: 'groups.decide', groupId, action: 'reject', participants: [other] });
  expect((await ask({ verb: 'groups.requests', groupId })).participants).toEqual([]);
  expect((await groupAtNetwork(groupId)).members.sort()).toEqual([phone, guest].sort());
});

test('a number that has to wait for an admin is told so', async () => {
  const { id, invite } = await makeGroup([newPhone()]);
  await stage.admin('PATCH', `groups/${encodeURIComponent(id)}`, { joinApproval: true });
  expect(await ask({ verb: 'groups.join', invite })).toEqual({ groupId: id, group: null });
});

test('what others do in a group is told as it happens', async () => {
  const [host, late] = [newPhone(), newPhone()];
  const { id } = await makeGroup([host, phone]);
  expect(await noticeOf(id, 'group')).toMatchObject({ group: { groupId: id, subject: 'Neighbours' } });
  const path = `groups/${encodeURIComponent(id)}`;
  await stage.admin('PATCH', path, { subject: 'Good neighbours' });
  expect(await noticeOf(id, 'settings')).toMatchObject({ settings: { subject: 'Good neighbours' } });
  await stage.admin('PATCH', path, { add: [late] });
  expect(await noticeOf(id, 'participants')).toMatchObject({
    action: 'add',
    participants: [{ phoneNumber: late }],
  });
});

test('a sync tells all groups, and where it ends', async () => {
  const { id } = await makeGroup([newPhone(), phone]);
  const before = number.factsOf('groups.synced').length;
  await ask({ verb: 'groups.sync' });
  await stage.edge.until('the sync ends', () => number.factsOf('groups.synced').length > before);
  const told = number.factsOf('groups.state').flatMap(({ groups }) => groups);
  expect(told).toContainEqual(expect.objectContaining({ groupId: id, subject: 'Neighbours' }));
  expect(number.factsOf('groups.synced').at(-1)?.groupIds).toContain(id);
});

test('a number that is no admin is refused with the code of the network, and one that left is out', async () => {
  const { id } = await makeGroup([newPhone(), phone]);
  const refused = { failure: { reason: 'refused', code: '403' } };
  expect(await outcomeOf({ verb: 'groups.invite', groupId: id, renew: false })).toEqual(refused);
  const participants = [newPhone()];
  expect(await outcomeOf({ verb: 'groups.participants', groupId: id, action: 'add', participants })).toEqual(
    refused,
  );
  await ask({ verb: 'groups.leave', groupId: id });
  expect((await groupAtNetwork(id)).members).not.toContain(phone);
});

test('of a change that only an admin may make in part, nothing is made', async () => {
  const { id } = await makeGroup([newPhone(), phone]);
  const both = { subject: 'Renamed', isAnnounce: true };
  expect(await outcomeOf({ verb: 'groups.change', groupId: id, ...both })).toEqual({
    failure: { reason: 'refused', code: '403' },
  });
  expect(await groupAtNetwork(id)).toMatchObject({ subject: 'Neighbours', isAnnounce: false });
  const { group } = await ask({ verb: 'groups.change', groupId: id, subject: 'Renamed' });
  expect(group.subject).toBe('Renamed');
});

test('name, line and picture of the number are set and read', async () => {
  const jpeg = Buffer.from('ffd8ffe000104a464946', 'hex').toString('base64');
  await ask({ verb: 'profile.change', name: 'Example Ltd', about: 'Nine to five', picture: jpeg });
  expect(await ask({ verb: 'profile.get' })).toEqual({
    name: 'Example Ltd',
    about: 'Nine to five',
    pictureUrl: expect.stringContaining(phone),
  });
  await ask({ verb: 'profile.change', picture: null, about: '' });
  expect(await ask({ verb: 'profile.get' })).toEqual({ name: 'Example Ltd', about: null, pictureUrl: null });
  expect(await ask({ verb: 'contacts.picture', contact: newPhone() })).toEqual({ url: null });
});

test('somebody is blocked, listed by phone number and alias, and unblocked', async () => {
  const nuisance = newPhone();
  await ask({ verb: 'contacts.block', phoneNumber: nuisance, blocked: true });
  const { contacts } = await ask({ verb: 'contacts.blocked' });
  expect(contacts).toEqual([{ phoneNumber: nuisance, lid: expect.any(String) }]);
  await ask({ verb: 'contacts.block', phoneNumber: nuisance, blocked: false });
  expect(await ask({ verb: 'contacts.blocked' })).toEqual({ contacts: [] });
});

test('a chat sees that its messages were read, when the edge says so', async () => {
  const chat = newPhone();
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${chat}/messages`, {
    to: phone,
    text: 'hi',
  });
  await stage.edge.until('it comes in', () => number.inbound().some(({ from }) => from === chat));
  const target = { providerMessageId: id, isOwn: false, author: chat };
  await ask({ verb: 'chats.read', chat, messages: [target] });
  const { data } = await stage.admin<{ data: { kind: string; chat: string; what: string }[] }>(
    'GET',
    `phones/${phone}/activity`,
  );
  expect(data).toContainEqual(expect.objectContaining({ kind: 'read', chat, what: id }));
});

test('a chat sees that somebody types, records, or has stopped', async () => {
  const chat = newPhone();
  for (const state of ['typing', 'recording', 'paused'] as const)
    await ask({ verb: 'chats.typing', chat, state });
  const { data } = await stage.admin<{ data: { kind: string; chat: string; what: string }[] }>(
    'GET',
    `phones/${phone}/activity`,
  );
  const typing = data.filter(({ kind }) => kind === 'typing').map(({ chat: seen, what }) => [seen, what]);
  expect(typing).toEqual([
    [chat, 'composing'],
    [chat, 'recording'],
    [chat, 'paused'],
  ]);
});

test.each(['pn', 'lid'] as const)(
  'the edge hears when the other side of a watched chat types (%s), and of no other',
  async (addressing) => {
    const [chat, other] = [newPhone(), newPhone()];
    for (const one of [chat, other]) await stage.admin('PATCH', `phones/${one}`, { addressing });
    await ask({ verb: 'chats.watch', chat });
    await ask({ verb: 'chats.watch', chat });
    const type = (from: string, state: string) =>
      stage.admin<{ told: number }>('POST', `phones/${from}/typing`, { to: phone, state });
    expect(await type(other, 'typing')).toEqual({ told: 0 });
    for (const state of ['typing', 'recording', 'paused'])
      expect(await type(chat, state)).toEqual({ told: 1 });
    await stage.edge.until('it is told', () => number.typing.length >= 3);
    const who = addressing === 'pn' ? { phoneNumber: chat } : { lid: expect.any(String) };
    expect(number.typing.splice(0)).toMatchObject(
      ['typing', 'recording', 'paused'].map((state) => ({ ...who, state })),
    );
  },
);

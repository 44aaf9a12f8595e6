import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import type { Group, GroupChange } from '../../../src/contract/numbers/group.ts';
import { loggedEvents } from '../event-log/logged-events.ts';
import { until } from '../until.ts';
import { connectedNumber, FakeBridge, phoneNumber } from './fake-bridge.ts';
import { FakeNetwork, groupOf } from './fake-network.ts';

const own = '628123456789';
const friend = '628555000001';
const other = '628555000002';
const groupId = '120363000000000042@g.us';
const at = '2026-01-31T09:30:00.000Z';

afterEach(() => {
  vi.restoreAllMocks();
});

type Connected = Awaited<ReturnType<typeof connectedNumber>>;

/** A number whose first sync has found these groups. */
async function syncedNumber(...groups: Group[]): Promise<Connected> {
  const connected = await connectedNumber(own);
  await connected.bridge.take('query');
  await sync(connected, ...groups);
  return connected;
}

async function sync({ bridge }: Connected, ...groups: Group[]): Promise<void> {
  if (groups.length > 0) await bridge.tell({ type: 'groups.state', groups });
  await bridge.tell({ type: 'groups.synced', groupIds: groups.map((group) => group.groupId), at });
}

let notices = 0;
function notice(...changes: GroupChange[]): Extract<NumberFact, { type: 'group.notice' }> {
  notices += 1;
  return { type: 'group.notice', noticeId: `notice-${notices}`, groupId, at, changes };
}

const added = (...phoneNumbers: string[]): GroupChange => ({
  kind: 'participants',
  action: 'add',
  participants: phoneNumbers.map((one) => ({ phoneNumber: one })),
});
const removed = (...phoneNumbers: string[]): GroupChange =>
  ({ ...added(...phoneNumbers), action: 'remove' }) as GroupChange;

async function groupEvents({ accountId }: Connected) {
  const events = await loggedEvents(accountId);
  return events.filter(({ event }) => event.startsWith('group.')).map(({ event, data }) => ({ event, data }));
}

const membersOf = (group: Group | null) => group?.participants.map((one) => one.phoneNumber ?? one.lid);

describe('what somebody takes back of another member, in a group that is not known yet,', () => {
  const wrote = (providerMessageId: string): NumberFact => ({
    type: 'inbound',
    items: [
      {
        ...{ providerMessageId, at, chatType: 'group', groupId, from: friend, pushName: 'Friend' },
        content: { type: 'text', text: 'hello' },
      },
    ],
  });
  const takenBack = (providerMessageId: string, from: string): NumberFact => ({
    type: 'changes',
    items: [
      {
        ...{ change: 'deleted', chatType: 'group', chat: groupId, at, from },
        target: { providerMessageId, isOwn: false, author: friend },
      },
    ],
  });
  const group: Group = {
    ...groupOf(groupId, [own, friend]),
    participants: [
      { phoneNumber: own, role: 'member' },
      { phoneNumber: friend, role: 'member' },
      { phoneNumber: other, role: 'admin' },
    ],
  };
  const deletedIn = async ({ accountId }: Connected) =>
    (await loggedEvents(accountId)).filter(({ event }) => event === 'message.deleted');

  test('counts where the network says that they are an admin of it, and not before', async () => {
    const connected = await connectedNumber(own);
    const { bridge, numberId } = connected;
    await bridge.take('query');
    for (const fact of [wrote('one'), wrote('two')]) await bridge.tell(fact);
    for (const fact of [takenBack('one', other), takenBack('two', own)]) await bridge.tell(fact);
    expect(await deletedIn(connected)).toEqual([]);
    await evictDurableObject(phoneNumber(numberId));
    await sync(connected, group);
    await until(async () => (await deletedIn(connected)).length > 0);
    expect(await deletedIn(connected)).toMatchObject([{ data: { providerMessageId: 'one' } }]);
  });

  test('does not wait in a group whose admins are known, and counts for nothing there later', async () => {
    const member = { phoneNumber: other, role: 'member' as const };
    const connected = await syncedNumber({
      ...group,
      participants: [...group.participants.slice(0, 2), member],
    });
    const { bridge } = connected;
    for (const fact of [wrote('one'), wrote('two'), takenBack('one', other)]) await bridge.tell(fact);
    await sync(connected, group);
    await bridge.tell(takenBack('two', friend));
    await until(async () => (await deletedIn(connected)).length > 0);
    expect(await deletedIn(connected)).toMatchObject([{ data: { providerMessageId: 'two' } }]);
  });
});

describe('the groups of a number', () => {
  test('are asked for after a pairing, and come without events, for they were there before', async () => {
    const connected = await connectedNumber(own);
    expect(await connected.bridge.take('query')).toMatchObject({ query: { verb: 'groups.sync' } });
    await sync(connected, groupOf(groupId, [own, friend]));
    const { groups } = await phoneNumber(connected.numberId).groups(50, null);
    expect(groups.map((group) => group.groupId)).toEqual([groupId]);
    await connected.bridge.tell(notice({ kind: 'settings', settings: { subject: 'Renamed' } }));
    await until(async () => (await groupEvents(connected)).length > 0);
    expect(await groupEvents(connected)).toEqual([
      {
        event: 'group.updated',
        data: { numberId: connected.numberId, groupId, subject: 'Renamed', changes: { subject: 'Renamed' } },
      },
    ]);
  });

  test('follow the notices of the network, each of which counts once, also after an eviction', async () => {
    const connected = await syncedNumber(groupOf(groupId, [own, friend]));
    const joins = notice(added(other));
    const leaves = notice(removed(other));
    for (const fact of [joins, leaves, joins, leaves]) await connected.bridge.tell(fact);
    await evictDurableObject(phoneNumber(connected.numberId));
    for (const fact of [joins, leaves]) await connected.bridge.tell(fact);
    expect(membersOf(await phoneNumber(connected.numberId).group(groupId))).toEqual([own, friend]);
    await until(async () => (await groupEvents(connected)).length > 1);
    const told = (await groupEvents(connected)).map(({ data }) => data);
    expect(told).toMatchObject([
      { action: 'add', participants: [{ phoneNumber: other, role: 'member' }] },
      { action: 'remove', participants: [{ phoneNumber: other }] },
    ]);
  });

  test('tell what a later sync finds changed: who came, who went, who became admin, and which are over', async () => {
    const second = '120363000000000043@g.us';
    const before = groupOf(groupId, [own, friend]);
    const connected = await syncedNumber(before, groupOf(second, [friend, own]));
    const after: Group = {
      ...before,
      isAnnounce: true,
      participants: [
        { phoneNumber: own, role: 'owner' },
        { phoneNumber: other, role: 'admin' },
      ],
    };
    await sync(connected, after);
    await until(async () => (await groupEvents(connected)).length > 3);
    expect((await groupEvents(connected)).map(({ event, data }) => ({ event, ...data }))).toMatchObject([
      { event: 'group.updated', groupId, changes: { isAnnounce: true } },
      { event: 'group.participants', groupId, action: 'add', participants: [{ phoneNumber: other }] },
      { event: 'group.participants', groupId, action: 'remove', participants: [{ phoneNumber: friend }] },
      {
        event: 'group.participants',
        groupId: second,
        action: 'remove',
        participants: [{ phoneNumber: own }],
      },
    ]);
    expect(await phoneNumber(connected.numberId).group(second)).toBeNull();
  });

  test('know somebody by alias and phone number as one', async () => {
    const lid = '100000000000017';
    const group = groupOf(groupId, [own]);
    const connected = await syncedNumber({
      ...group,
      participants: [...group.participants, { phoneNumber: friend, lid, role: 'member' }],
    });
    await connected.bridge.tell(notice({ kind: 'participants', action: 'promote', participants: [{ lid }] }));
    expect((await phoneNumber(connected.numberId).group(groupId))?.participants).toContainEqual({
      phoneNumber: friend,
      lid,
      role: 'admin',
    });
  });

  test('gain one that the number is brought into, and lose one that it is put out of', async () => {
    const connected = await syncedNumber();
    await connected.bridge.tell(notice({ kind: 'group', group: groupOf(groupId, [friend, own]) }));
    expect(membersOf(await phoneNumber(connected.numberId).group(groupId))).toEqual([friend, own]);
    await connected.bridge.tell(notice(removed(own)));
    expect(await phoneNumber(connected.numberId).group(groupId)).toBeNull();
    await until(async () => (await groupEvents(connected)).length > 1);
    expect((await groupEvents(connected)).map(({ event }) => event)).toEqual([
      'group.created',
      'group.participants',
    ]);
  });

  test('are asked for anew when a part of one comes that is not known', async () => {
    const connected = await syncedNumber();
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 300_000);
    await connected.bridge.tell(notice(added(friend)));
    await runDurableObjectAlarm(phoneNumber(connected.numberId));
    expect(await connected.bridge.take('query')).toMatchObject({ query: { verb: 'groups.sync' } });
  });

  test('tell who wants to join, and change nothing by that', async () => {
    const connected = await syncedNumber(groupOf(groupId, [own]));
    const participants = [{ phoneNumber: friend, lid: '100000000000017' }];
    await connected.bridge.tell(notice({ kind: 'join_request', action: 'created', participants }));
    await until(async () => (await groupEvents(connected)).length > 0);
    expect(await groupEvents(connected)).toMatchObject([
      { event: 'group.join_request', data: { groupId, action: 'created', participants } },
    ]);
  });

  test('come in pages that end early where groups have very many members', async () => {
    const many = Array.from({ length: 6_000 }, (_, index) => `62855${String(index).padStart(7, '0')}`);
    const ids = ['120363000000000051@g.us', '120363000000000052@g.us', '120363000000000053@g.us'];
    const connected = await connectedNumber(own);
    for (const id of ids) await connected.bridge.tell({ type: 'groups.state', groups: [groupOf(id, many)] });
    const first = await phoneNumber(connected.numberId).groups(50, null);
    expect(first.groups.map((group) => group.groupId)).toEqual([ids[2]]);
    expect(first.hasMore).toBe(true);
    const last = await phoneNumber(connected.numberId).groups(50, ids[1] ?? '');
    expect(last).toMatchObject({ groups: [{ groupId: ids[0] }], hasMore: false });
  });

  test('of another phone are none of this one: a new pairing begins anew', async () => {
    const { numberId, bridge } = await syncedNumber(groupOf(groupId, [own]));
    await bridge.tell({ type: 'session.ended', reason: 'logged_out_by_phone', at });
    await phoneNumber(numberId).pair({ method: 'qr' });
    const next = await FakeBridge.link(numberId, 2);
    next.say({ type: 'link.ready' });
    await next.take('session.pair');
    await next.tell({ type: 'session.connected', phoneNumber: '628777000111', at: new Date().toISOString() });
    expect((await phoneNumber(numberId).groups(50, null)).groups).toEqual([]);
  });
});

describe('a question to the network', () => {
  test('that makes or changes a group is followed by what has become of it, told once', async () => {
    const connected = await connectedNumber(own);
    const { numberId, bridge } = connected;
    await bridge.take('query');
    await sync(connected);
    new FakeNetwork(bridge, own);
    const number = phoneNumber(numberId);
    const made = await number.askNetwork({
      verb: 'groups.create',
      subject: 'Launch',
      participants: [friend],
    });
    if (!made.ok) throw new Error(made.message);
    const { group } = made.answer as { group: Group };
    expect(await number.group(group.groupId)).toMatchObject({ subject: 'Launch' });
    await number.askNetwork({ verb: 'groups.change', groupId: group.groupId, isLocked: true });
    const told: NumberFact = {
      ...notice({ kind: 'settings', settings: { isLocked: true } }),
      groupId: group.groupId,
    };
    await bridge.tell(told);
    await number.askNetwork({ verb: 'groups.leave', groupId: group.groupId });
    expect(await number.group(group.groupId)).toBeNull();
    await until(async () => (await groupEvents(connected)).length > 2);
    expect((await groupEvents(connected)).map(({ event }) => event)).toEqual([
      'group.created',
      'group.updated',
      'group.participants',
    ]);
  });

  test('that the network limits is not asked again for a while, also after an eviction, and others are', async () => {
    const { numberId, bridge } = await connectedNumber(own);
    await bridge.take('query');
    const number = phoneNumber(numberId);
    const first = number.askNetwork({ verb: 'profile.get' });
    const { queryId } = await bridge.take('query');
    bridge.say({ type: 'query.failed', queryId, verb: 'profile.get', failure: { reason: 'rate_limited' } });
    expect(await first).toMatchObject({ ok: false, code: 'RATE_LIMITED', retryAfterSeconds: 30 });
    await evictDurableObject(number);
    expect(await phoneNumber(numberId).askNetwork({ verb: 'profile.get' })).toMatchObject({
      ok: false,
      code: 'RATE_LIMITED',
    });
    expect(bridge.heard.filter(({ type }) => type === 'query')).toEqual([]);
    const blocked = phoneNumber(numberId).askNetwork({ verb: 'contacts.blocked' });
    const second = await bridge.take('query');
    bridge.say({ type: 'query.result', queryId: second.queryId, answer: { contacts: [] } });
    expect(await blocked).toEqual({ ok: true, answer: { contacts: [] } });
  });

  test.each([
    ['not_connected', undefined, 'SENDER_UNAVAILABLE'],
    ['no_answer', undefined, 'SENDER_UNAVAILABLE'],
    ['refused', '403', 'CONFLICT'],
    ['refused', '404', 'NOT_FOUND'],
    ['refused', '410', 'NOT_FOUND'],
    ['refused', '406', 'CONFLICT'],
  ] as const)('that ends as %s (%s) is refused with %s', async (reason, code, expected) => {
    const { numberId, bridge } = await connectedNumber(own);
    await bridge.take('query');
    const asked = phoneNumber(numberId).askNetwork({ verb: 'profile.get' });
    const { queryId } = await bridge.take('query');
    const failure = { reason, ...(code !== undefined && { code }) };
    bridge.say({ type: 'query.failed', queryId, verb: 'profile.get', failure });
    expect(await asked).toMatchObject({ ok: false, code: expected });
  });

  test('whose answer is none of its verb counts as not answered', async () => {
    const { numberId, bridge } = await connectedNumber(own);
    await bridge.take('query');
    const asked = phoneNumber(numberId).askNetwork({ verb: 'contacts.blocked' });
    const { queryId } = await bridge.take('query');
    bridge.say({ type: 'query.result', queryId, answer: { groups: [] } });
    expect(await asked).toMatchObject({ ok: false, code: 'SENDER_UNAVAILABLE' });
  });
});

test('what a member wrote can be taken back by an admin of the group, by either address, and by no other member', async () => {
  const lid = '100000000000021';
  const group = groupOf(groupId, [own, friend, other]);
  const participants = group.participants.map((one) => (one.phoneNumber === other ? { ...one, lid } : one));
  const connected = await syncedNumber({ ...group, participants });
  const { bridge, accountId } = connected;
  const ids = ['G1', 'G2'];
  await bridge.tell({
    type: 'inbound',
    items: ids.map((providerMessageId) => ({
      ...{ providerMessageId, at, chatType: 'group', groupId, from: friend, pushName: 'Budi' },
      content: { type: 'text', text: 'hello' },
    })),
  });
  const takeBack = (providerMessageId: string, doer: { from: string; fromLid?: string }) => {
    const target = { providerMessageId, isOwn: false, author: friend };
    const change = { change: 'deleted', chatType: 'group', chat: groupId, at, target, ...doer } as const;
    return bridge.tell({ type: 'changes', items: [change] });
  };
  const deleted = async () =>
    (await loggedEvents(accountId)).flatMap(({ event, data }) =>
      event === 'message.deleted' && 'providerMessageId' in data ? data.providerMessageId : [],
    );
  await takeBack('G1', { from: other, fromLid: lid });
  expect(await deleted()).toEqual([]);
  const promoted = { ...added(other), action: 'promote' } as GroupChange;
  await bridge.tell(notice(promoted));
  await takeBack('G1', { from: lid, fromLid: lid });
  expect(await deleted()).toEqual(['G1']);
  await takeBack('G2', { from: own });
  expect(await deleted()).toEqual(['G1', 'G2']);
});

import { expect, test } from 'vitest';
import type { MessageChange } from '../../../../src/contract/messages/changes.ts';
import type { Group, GroupChange } from '../../../../src/contract/numbers/group.ts';
import { GroupSync } from '../../../../src/durable/phone-number/groups/group-queries.ts';
import { GroupRows } from '../../../../src/durable/phone-number/groups/group-rows.ts';
import { Groups, HeldDeletions } from '../../../../src/durable/phone-number/groups/groups.ts';
import { NumberState } from '../../../../src/durable/phone-number/number-state.ts';
import { newNumberSql as newSql } from './number-sql.ts';

const now = Date.UTC(2026, 4, 10, 12);
const dayMs = 86_400_000;
const groupId = '120363000000000042@g.us';
const group: Group = {
  groupId,
  subject: 'Sales',
  description: null,
  owner: null,
  createdAt: null,
  isAnnounce: false,
  isLocked: false,
  joinApproval: false,
  participants: [],
};

/** The groups of a number, and what was told of them. */
function knownGroups() {
  const sql = newSql();
  const told: unknown[] = [];
  const parts = {
    ...{ rows: new GroupRows(sql), state: new NumberState(sql) },
    device: { known: { numberId: 'number', phoneNumber: '628123456789' } },
    outbox: { add: (facts: object[]) => told.push(...facts) },
  };
  const groups = new Groups(parts as unknown as ConstructorParameters<typeof Groups>[0]);
  return { groups, told };
}

const deletionOf = (id: number): MessageChange => ({
  change: 'deleted',
  chatType: 'group',
  chat: groupId,
  from: '628555000002',
  at: new Date(now).toISOString(),
  target: { providerMessageId: `message-${id}`, isOwn: false, author: '628555000001' },
});
const syncedWith = (...groupIds: string[]) => ({
  ...{ type: 'groups.synced' as const, groupIds, at: new Date(now).toISOString() },
});
const noticeOf = (groupId: string, ...changes: GroupChange[]) => ({
  ...{ type: 'group.notice' as const, groupId, at: new Date(now).toISOString(), noticeId: 'N1', changes },
});
const targetsOf = (changes: readonly MessageChange[]) =>
  changes.map(({ target }) => target.providerMessageId);

test('of many notices about a group the last ones are known again', () => {
  const rows = new GroupRows(newSql());
  const notices = Array.from({ length: 100 }, (_, index) => `notice-${index}`);
  rows.put(group, notices);
  const kept = rows.find(groupId)?.notices ?? [];
  expect(kept).toEqual(notices.slice(-kept.length));
  expect(kept.length).toBeGreaterThan(10);
});

test('who wants to join is told once, also where the notice comes again behind others and behind a sync', () => {
  const { groups, told } = knownGroups();
  groups.apply({ type: 'groups.synced', groupIds: [], at: new Date(now).toISOString() }, now);
  groups.put(group, now);
  const asks = (noticeId: string, phoneNumber: string) => ({
    ...{ type: 'group.notice' as const, groupId, at: new Date(now).toISOString(), noticeId },
    changes: [{ kind: 'join_request' as const, action: 'created' as const, participants: [{ phoneNumber }] }],
  });
  const [first, second] = [asks('N1', '628555000001'), asks('N2', '628555000002')];
  for (const notice of [first, second, first]) groups.apply(notice, now);
  groups.apply({ type: 'groups.state', groups: [{ ...group, subject: 'Other' }] }, now);
  groups.apply(second, now);
  expect(told.slice(1)).toMatchObject([
    { news: [{ event: 'group.join_request', participants: [{ phoneNumber: '628555000001' }] }] },
    { news: [{ event: 'group.join_request', participants: [{ phoneNumber: '628555000002' }] }] },
    { news: [{ event: 'group.updated' }] },
  ]);
});

test('of many deletions that wait for the admins of their groups the last ones are kept, oldest first, and taken once', () => {
  const held = new HeldDeletions(new NumberState(newSql()));
  for (let id = 0; id < 60; id += 1) held.hold(deletionOf(id), now);
  const all = Array.from({ length: 60 }, (_, id) => `message-${id}`);
  expect(targetsOf(held.takeAll(now))).toEqual(all.slice(-50));
  expect(held.takeAll(now)).toEqual([]);
});

test('a deletion that is told again waits once, and none waits longer than phones let an admin take something back', () => {
  const held = new HeldDeletions(new NumberState(newSql()));
  for (const id of [1, 2, 1]) held.hold(deletionOf(id), now);
  held.hold(deletionOf(3), now + dayMs);
  expect(targetsOf(held.takeAll(now + 2 * dayMs))).toEqual(['message-3']);
});

test('a group that was missing when all were asked for is asked for again after an hour, and not before', () => {
  const { groups, told } = knownGroups();
  expect(groups.isStale).toBe(true);
  const syncedAt = now - 3_600_000;
  groups.apply({ type: 'groups.synced', groupIds: [], at: new Date(syncedAt).toISOString() }, syncedAt);
  groups.holdDeletion(deletionOf(1), now);
  expect(groups.isStale).toBe(false);
  groups.holdDeletion(deletionOf(2), now + 1);
  expect(groups.isStale).toBe(true);
  groups.apply({ type: 'groups.synced', groupIds: [], at: new Date(now).toISOString() }, now + 2);
  expect([groups.isStale, told]).toEqual([false, []]);
});

test('groups that a number got into while all were asked for stay, though the answer does not name them', () => {
  const { groups } = knownGroups();
  const [made, joined, left] = ['1', '2', '3'].map((start) => ({ ...group, groupId: `${start}${groupId}` }));
  if (!made || !joined || !left) throw new Error('there are three');
  groups.apply({ type: 'groups.state', groups: [group, left] }, now);
  groups.noteAsked();
  groups.put(made, now);
  groups.apply(noticeOf(joined.groupId, { kind: 'group', group: joined }), now);
  groups.apply(syncedWith(groupId), now);
  const listed = () => groups.page(10, null).groups.map(({ groupId: id }) => id);
  expect(listed().toSorted()).toEqual([groupId, made.groupId, joined.groupId].toSorted());
  expect(groups.isStale).toBe(false);
  // The next answer knows them.
  groups.noteAsked();
  groups.apply(syncedWith(groupId), now);
  expect(listed()).toEqual([groupId]);
});

test('a group that a number left while all were asked for does not come back with an answer from before', () => {
  const { groups, told } = knownGroups();
  const unknown = { ...group, groupId: `1${groupId}` };
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  groups.apply(syncedWith(groupId), now);
  groups.noteAsked();
  groups.left(groupId, now);
  groups.apply(
    noticeOf(unknown.groupId, {
      ...{ kind: 'participants', action: 'remove' },
      participants: [{ phoneNumber: '628123456789' }],
    }),
    now,
  );
  groups.apply({ type: 'groups.state', groups: [group, unknown] }, now);
  groups.apply(syncedWith(groupId, unknown.groupId), now);
  expect(groups.page(10, null).groups).toEqual([]);
  expect(told).toMatchObject([{ news: [{ event: 'group.participants', action: 'remove' }] }]);
  expect(groups.isStale).toBe(false);
});

test('what changed in a group while all were asked for is not undone by an answer from before, and all are asked for once more', () => {
  const { groups, told } = knownGroups();
  const person = { phoneNumber: '628555000001' };
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  groups.apply(syncedWith(groupId), now);
  groups.noteAsked();
  groups.apply(noticeOf(groupId, { kind: 'participants', action: 'add', participants: [person] }), now);
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  groups.apply(syncedWith(groupId), now);
  expect(groups.find(groupId)?.participants).toEqual([{ ...person, role: 'member' }]);
  expect(told).toMatchObject([{ news: [{ event: 'group.participants', action: 'add' }] }]);
  // What was missed before that may still be missing.
  expect(groups.isStale).toBe(true);
  groups.noteAsked();
  groups.apply({ type: 'groups.state', groups: [{ ...group, subject: 'Sales team' }] }, now);
  groups.apply(syncedWith(groupId), now);
  expect([groups.find(groupId)?.subject, groups.isStale]).toEqual(['Sales team', false]);
});

test('a group of which a part was told while all were asked for is asked for once more, where the answer does not have it', () => {
  const { groups } = knownGroups();
  groups.noteAsked();
  groups.apply(noticeOf(groupId, { kind: 'settings', settings: { subject: 'Sales' } }), now);
  groups.apply(syncedWith(), now);
  expect(groups.isStale).toBe(true);
  groups.noteAsked();
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  groups.apply(syncedWith(groupId), now);
  expect([groups.find(groupId)?.subject, groups.isStale]).toEqual(['Sales', false]);
});

test('what an admin of a group not known yet took back counts once the group is known; what somebody took back of their own needs no admin', () => {
  const { groups, told } = knownGroups();
  const [others, own] = [deletionOf(1), deletionOf(2)];
  const another = deletionOf(3);
  for (const deletion of [others, another]) groups.holdDeletion(deletion, now);
  groups.holdDeletion({ ...own, target: { ...own.target, isOwn: false, author: own.from } }, now);
  const admin = { phoneNumber: others.from, role: 'admin' as const };
  groups.apply({ type: 'groups.state', groups: [{ ...group, participants: [admin] }] }, now);
  groups.apply({ type: 'groups.synced', groupIds: [groupId], at: new Date(now).toISOString() }, now);
  expect(told).toMatchObject(
    [others, another].map((change) => ({ kind: 'message.changed', change, isByAdmin: true })),
  );
});

test('of another phone all groups were there before, as of the first one; that it leaves one is told, whatever its members are called', () => {
  const { groups, told } = knownGroups();
  groups.apply({ type: 'groups.synced', groupIds: [], at: new Date(now).toISOString() }, now);
  groups.notePaired(true);
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  expect(told).toEqual([]);
  groups.left(groupId, now);
  const participants = [{ phoneNumber: '628123456789', role: 'member' }];
  expect(told).toMatchObject([
    { kind: 'group.changed', news: [{ event: 'group.participants', action: 'remove', participants }] },
  ]);
});

test('a number that is removed under its alias is in the group no more', () => {
  const { groups, told } = knownGroups();
  const own = { phoneNumber: '628123456789', lid: '100000000000017', role: 'member' as const };
  const other = { phoneNumber: '628555000001', lid: '100000000000018', role: 'admin' as const };
  groups.apply({ type: 'groups.state', groups: [{ ...group, participants: [own, other] }] }, now);
  const removed = (lid: string) => [
    { kind: 'participants' as const, action: 'remove' as const, participants: [{ lid }] },
  ];
  const notice = { type: 'group.notice' as const, groupId, at: new Date(now).toISOString() };
  groups.apply({ ...notice, noticeId: 'N1', changes: removed(other.lid) }, now);
  expect(groups.find(groupId)?.participants).toEqual([own]);
  groups.apply({ ...notice, noticeId: 'N2', changes: removed(own.lid) }, now);
  expect(groups.find(groupId)).toBeNull();
  const news = { event: 'group.participants', action: 'remove' };
  expect(told).toMatchObject([
    { news: [{ ...news, participants: [other] }] },
    { news: [{ ...news, participants: [own] }] },
  ]);
});

test('a page of groups has one at least, however many members it has', () => {
  const rows = new GroupRows(newSql());
  const participants = Array.from({ length: 10_001 }, (_, index) => ({
    phoneNumber: `62855${index}`,
    role: 'member' as const,
  }));
  for (const id of ['1@g.us', '2@g.us']) rows.put({ ...group, groupId: id, participants }, []);
  const pageBehind = (before: string | null) => {
    const { groups, hasMore } = rows.page(5, before);
    return [groups.map((one) => one.groupId), hasMore];
  };
  expect([pageBehind(null), pageBehind('2@g.us')]).toEqual([
    [['2@g.us'], true],
    [['1@g.us'], false],
  ]);
});

test('groups of which nothing has come are asked for again after two minutes, or when the network allows it again', () => {
  const asked: object[] = [];
  let heldUntil: number | null = null;
  const parts = {
    ...{ groups: { isStale: true, noteAsked() {} }, state: new NumberState(newSql()), link: { ready: {} } },
    queries: { heldUntil: () => heldUntil, tell: (query: object) => asked.push(query) },
    device: { current: { state: 'connected' } },
  };
  const sync = new GroupSync(parts as unknown as ConstructorParameters<typeof GroupSync>[0]);
  expect(sync.dueAt()).toBe(0);
  sync.run(now);
  expect([asked, sync.dueAt()]).toEqual([[{ verb: 'groups.sync' }], now + 120_000]);
  heldUntil = now + 900_000;
  expect(sync.dueAt()).toBe(heldUntil);
  parts.device.current.state = 'disconnected';
  expect(sync.dueAt()).toBeNull();
});

test('groups that somebody asks for are not asked for once more at once, and what is heard of meanwhile is newer than the answer', async () => {
  const { groups } = knownGroups();
  const renamed = (subject: string): Group => ({ ...group, subject });
  groups.apply({ type: 'groups.state', groups: [group] }, now);
  groups.apply(syncedWith(groupId), now);
  groups.noteMissed();
  const ask = async () => {
    groups.put(renamed('Heard of meanwhile'), now);
    groups.apply({ type: 'groups.state', groups: [renamed('As it was before')] }, now);
    return { ok: true, answer: {} };
  };
  const parts = {
    ...{ groups, state: new NumberState(newSql()), link: { ready: {} } },
    queries: { heldUntil: () => null, ask },
    device: { current: { state: 'connected' } },
  };
  const sync = new GroupSync(parts as unknown as ConstructorParameters<typeof GroupSync>[0]);
  const before = Date.now();
  await sync.ask();
  expect(groups.find(groupId)).toEqual(renamed('Heard of meanwhile'));
  expect(sync.dueAt()).toBeGreaterThanOrEqual(before + 120_000);
});

import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { GivingOut } from '../../../src/durable/event-log/conversations/assignment/assignment.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { countOf, received, takeAll } from '../../durable/event-log/event-log-fixture.ts';
import { until } from '../../durable/until.ts';
import { type Follower, follow, stopFollowing } from '../events/live-follower.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

let account: TestAccount;
let numberId: string;
let ada: Follower;
let bob: Follower;
let teamId: string;

const asOwner = (method: string, path: string, json?: object) =>
  ask(method, `/v1/${path}`, { headers: account.owner, ...(json && { json }) });

async function agent(): Promise<Follower> {
  const { userId, email, password } = await addMember(account, 'agent');
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  return { userId, headers: { Authorization: `Bearer ${body.token}` } };
}

beforeEach(async () => {
  account = await openAccount();
  numberId = await addConnectedNumber(account);
  [ada, bob] = [await agent(), await agent()];
  const memberIds = [ada.userId, bob.userId];
  const team = await asOwner('POST', 'teams', { name: 'Desk', memberIds, autoAssign: true });
  teamId = team.body.teamId;
  await asOwner('PATCH', `numbers/${numberId}`, { teamIds: [teamId] });
});

afterEach(() => stopFollowing());

let customers = 628555100000;
/** Somebody new writes; the conversation that comes of it. */
async function newConversation() {
  const from = String(customers++);
  await logOf(env, account.accountId).take([received({ from }, numberId)]);
  return ofCustomer(from);
}
async function ofCustomer(phoneNumber: string) {
  const found = await logOf(env, account.accountId).conversationOf({ numberId, phoneNumber });
  if (found === null) throw new Error('there is no such conversation');
  return found;
}
const assigneeOf = async (conversationId: string) =>
  (await asOwner('GET', `conversations/${conversationId}`)).body.assigneeId;
const change = (conversationId: string, json: object) =>
  asOwner('PATCH', `conversations/${conversationId}`, json);

/** Somebody opens the inbox, and is seen to be there. */
async function comes(person: Follower): Promise<void> {
  const next = await follow(person);
  await next(({ online }, event) => event === 'presence' && online.includes(person.userId));
}

test('what comes to a number of one team goes to its people in turn, and its history says so', async () => {
  await comes(ada);
  await comes(bob);
  const found = [await newConversation(), await newConversation(), await newConversation()];
  const [first, second] = found.map(({ assigneeId }) => assigneeId);
  expect(found.every((one) => one.teamId === teamId)).toBe(true);
  expect(new Set([first, second])).toEqual(new Set([ada.userId, bob.userId]));
  expect(found[2]?.assigneeId).toBe(first);
  const activity = await asOwner('GET', `conversations/${found[0]?.conversationId}/activity`);
  expect(activity.body.data).toMatchObject([
    { actor: { kind: 'system' }, action: 'assignee', from: null, to: first },
  ]);
  const events = await asOwner('GET', 'events?events=conversation.updated');
  expect(events.body.data[0].data).toMatchObject({ assigneeId: first, changes: { assigneeId: first } });
});

test('whoever is not there gets none; what waits is theirs when they come', async () => {
  const waiting = await newConversation();
  expect(waiting).toMatchObject({ teamId, assigneeId: null });
  await comes(bob);
  await until(async () => (await assigneeOf(waiting.conversationId)) === bob.userId);
  expect((await newConversation()).assigneeId).toBe(bob.userId);
});

test('nobody is given more than the cap, and who has done with one gets the next', async () => {
  await asOwner('PATCH', `teams/${teamId}`, { capPerAgent: 1 });
  await comes(ada);
  const [first, second, third] = [await newConversation(), await newConversation(), await newConversation()];
  expect([first, second, third].map(({ assigneeId }) => assigneeId)).toEqual([ada.userId, null, null]);
  await change(first.conversationId, { status: 'resolved' });
  expect(await assigneeOf(second.conversationId)).toBe(ada.userId);
  expect(await assigneeOf(third.conversationId)).toBe(null);
  // What waits for something else takes no room.
  await change(second.conversationId, { status: 'pending' });
  expect(await assigneeOf(third.conversationId)).toBe(ada.userId);
  const fourth = await newConversation();
  expect(fourth.assigneeId).toBe(null);
  // More room at once, for the person who is there.
  await asOwner('PATCH', `teams/${teamId}`, { capPerAgent: 5 });
  expect(await assigneeOf(fourth.conversationId)).toBe(ada.userId);
});

test('what somebody gives back stays with the team, and what a person or another team has is not taken', async () => {
  const other = (await asOwner('POST', 'teams', { name: 'By hand', memberIds: [bob.userId] })).body.teamId;
  await comes(ada);
  const { conversationId } = await newConversation();
  await change(conversationId, { assigneeId: null });
  expect(await assigneeOf(conversationId)).toBe(null);
  await change(conversationId, { teamId: other });
  expect(await assigneeOf(conversationId)).toBe(null);
  await change(conversationId, { teamId });
  expect(await assigneeOf(conversationId)).toBe(ada.userId);
  await comes(bob);
  await change(conversationId, { assigneeId: bob.userId });
  expect(await assigneeOf(conversationId)).toBe(bob.userId);
});

test('a number of several teams leaves the choice; who has left the account, or may not see it, gets nothing', async () => {
  const other = (await asOwner('POST', 'teams', { name: 'Night', memberIds: [], autoAssign: true })).body
    .teamId;
  await asOwner('PATCH', `numbers/${numberId}`, { teamIds: [teamId, other] });
  await comes(ada);
  const { conversationId, teamId: chosen } = await newConversation();
  expect(chosen).toBe(null);
  await asOwner('PATCH', `numbers/${numberId}`, { teamIds: [other] });
  await change(conversationId, { teamId });
  expect(await assigneeOf(conversationId)).toBe(null);
  await asOwner('PATCH', `numbers/${numberId}`, { teamIds: null });
  expect(await assigneeOf(conversationId)).toBe(ada.userId);
  await comes(bob);
  expect((await asOwner('DELETE', `auth/members/${ada.userId}`)).status).toBe(204);
  const later = await newConversation();
  await change(later.conversationId, { teamId });
  expect(await assigneeOf(later.conversationId)).toBe(bob.userId);
});

test('what somebody had who leaves the account is nobody’s, or goes to who is there of its team; its history says so', async () => {
  await comes(ada);
  const [first, done] = [await newConversation(), await newConversation()];
  await change(done.conversationId, { status: 'resolved', teamId: null });
  expect([await assigneeOf(first.conversationId), await assigneeOf(done.conversationId)]).toEqual([
    ada.userId,
    ada.userId,
  ]);
  expect((await asOwner('DELETE', `auth/members/${ada.userId}`)).status).toBe(204);
  expect([await assigneeOf(first.conversationId), await assigneeOf(done.conversationId)]).toEqual([
    null,
    null,
  ]);
  const { body } = await asOwner('GET', `conversations/${done.conversationId}/activity`);
  expect(body.data[0]).toMatchObject({
    actor: { kind: 'system' },
    action: 'assignee',
    from: ada.userId,
    to: null,
  });
  const events = await asOwner('GET', 'events?events=conversation.updated');
  expect(events.body.data.at(-1).data).toMatchObject({ changes: { assigneeId: null } });
  // Still there, as far as the inbox knows, and given nothing.
  await stopFollowing(ada);
  const another = await newConversation();
  await comes(bob);
  expect(await assigneeOf(another.conversationId)).toBe(bob.userId);
  expect(await assigneeOf(first.conversationId)).toBe(bob.userId);
});

test('what somebody had who leaves is freed slice by slice, also where the log is cut off in between', async () => {
  const log = logOf(env, account.accountId);
  const people = Array.from({ length: 130 }, (_, place) => String(628_666_000_000 + place));
  await takeAll(
    log,
    people.map((from) => received({ from }, numberId)),
  );
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec('UPDATE conversations SET assignee_id = ?', ada.userId),
  );
  const left = () => countOf(log, `conversations WHERE assignee_id = '${ada.userId}'`);
  await env.DB.prepare('DELETE FROM memberships WHERE user_id = ?').bind(ada.userId).run();
  await log.refresh();
  await abortAllDurableObjects();
  expect(await left()).toBeGreaterThan(0);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await left()) === 0;
  });
  expect(await countOf(log, "log_state WHERE name = 'people.gone'")).toBe(0);
  const events = await asOwner('GET', 'events?events=conversation.updated&limit=200');
  expect(events.body.data).toHaveLength(130);
});

test('teams stand by their names in the report', async () => {
  await comes(ada);
  await asOwner('PATCH', 'settings', { support: { reports: true } });
  await newConversation();
  const { body } = await asOwner('GET', 'reports/support?by=team&since=2026-01-01T00:00:00Z');
  expect(body.groups).toMatchObject([{ key: teamId, name: 'Desk', opened: 1 }]);
});

test('all that waits goes to who comes, slice by slice, also where the log is cut off in between; not what an assistant answers', async () => {
  const log = logOf(env, account.accountId);
  const people = Array.from({ length: 190 }, (_, place) => String(628_777_000_000 + place));
  await takeAll(
    log,
    people.map((from) => received({ from }, numberId)),
  );
  // Those that have been silent for longest.
  const answered = 60;
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec(
      `UPDATE conversations SET bot_state = 'active' WHERE conversation_id IN
         (SELECT conversation_id FROM conversations ORDER BY last_message LIMIT ?)`,
      answered,
    ),
  );
  const given = () => countOf(log, `conversations WHERE assignee_id = '${ada.userId}'`);
  const told = vi.spyOn(GivingOut.prototype, 'run').mockImplementation(() => {
    throw new Error('killed');
  });
  await comes(ada);
  const atFirst = await given();
  expect(atFirst).toBeGreaterThan(0);
  expect(atFirst).toBeLessThan(people.length - answered);
  told.mockRestore();
  await abortAllDurableObjects();
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await given()) === people.length - answered;
  });
  expect(await countOf(log, "log_state WHERE name = 'teams.giving_out'")).toBe(0);
});

test('of those that wait whoever has one less gets one', async () => {
  await comes(ada);
  const [first, second, third] = [await newConversation(), await newConversation(), await newConversation()];
  await runInDurableObject(logOf(env, account.accountId), (_, { storage }) =>
    storage.sql.exec(
      'UPDATE conversations SET assignee_id = NULL WHERE conversation_id <> ?',
      third.conversationId,
    ),
  );
  await change(third.conversationId, { status: 'resolved' });
  expect([await assigneeOf(first.conversationId), await assigneeOf(second.conversationId)]).toEqual([
    ada.userId,
    null,
  ]);
});

import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { MediaStore } from '../../../src/worker/features/media/store/media-store.ts';
import { received } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { png } from '../media/media-samples.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

let account: TestAccount;
let agent: { headers: Record<string, string>; userId: string };

beforeAll(async () => {
  account = await openAccount();
  const { userId, email, password } = await addMember(account, 'agent');
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  agent = { userId, headers: { Authorization: `Bearer ${body.token}` } };
});

const asOwner = (method: string, path: string, json?: object) =>
  ask(method, `/v1/${path}`, { headers: account.owner, ...(json && { json }) });
const asAgent = (method: string, path: string, json?: object) =>
  ask(method, `/v1/${path}`, { headers: agent.headers, ...(json && { json }) });

test('a team has people of the account, and administrators alone change it', async () => {
  const stranger = await openAccount();
  const me = (await ask('GET', '/v1/auth/me', { headers: stranger.owner })).body.user.id;
  const refused = await asOwner('POST', 'teams', { name: 'Refunds', memberIds: [agent.userId, me] });
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'memberIds.1' }] } } });
  const { status, body } = await asOwner('POST', 'teams', { name: 'Refunds', memberIds: [agent.userId] });
  expect({ status, body }).toMatchObject({
    status: 201,
    body: { name: 'Refunds', memberIds: [agent.userId], autoAssign: false, capPerAgent: null },
  });
  const path = `teams/${body.teamId}`;
  expect(await asAgent('GET', path)).toMatchObject({ status: 200, body });
  expect((await asAgent('PATCH', path, { name: 'Mine' })).status).toBe(403);
  expect((await asAgent('DELETE', path)).status).toBe(403);
  expect((await asOwner('PATCH', path, { capPerAgent: 5 })).body).toMatchObject({ capPerAgent: 5 });
  expect((await asOwner('PATCH', path, { memberIds: [me] })).status).toBe(400);
  expect((await ask('GET', `/v1/${path}`, { headers: stranger.owner })).status).toBe(404);
});

test('labels and shortcuts are there once', async () => {
  const label = { name: 'Urgent', color: '#d1242f' };
  expect((await asOwner('POST', 'labels', label)).status).toBe(201);
  const again = await asOwner('POST', 'labels', { ...label, name: 'urgent' });
  expect(again).toMatchObject({ status: 400, body: { error: { details: [{ path: 'name' }] } } });
  const reply = { shortcut: 'hi', text: 'Hi {{contact.name}}!' };
  const made = await asOwner('POST', 'canned-replies', reply);
  expect(made).toMatchObject({ status: 201, body: { ...reply, teamId: null } });
  const same = await asOwner('POST', 'canned-replies', { ...reply, shortcut: 'HI' });
  expect(same).toMatchObject({ status: 400, body: { error: { details: [{ path: 'shortcut' }] } } });
  const renamed = await asOwner('PATCH', `canned-replies/${made.body.cannedReplyId}`, { shortcut: 'Hi' });
  expect(renamed).toMatchObject({ status: 200, body: { shortcut: 'Hi' } });
  expect((await asAgent('GET', 'canned-replies')).body.data).toEqual([renamed.body]);
});

test('an account has 200 labels at most, and the names of all of them are taken', async () => {
  const { accountId, owner: headers } = await openAccount();
  const add = (name: string) => ask('POST', '/v1/labels', { headers, json: { name, color: '#d1242f' } });
  const insert = env.DB.prepare(
    'insert into labels (id, account_id, definition, created_at) values (?, ?, ?, 0)',
  );
  const definition = (index: number) =>
    JSON.stringify({ name: `Label ${index}`, color: '#d1242f', description: null });
  const rows = Array.from({ length: 199 }, (_, index) =>
    insert.bind(newUuid(), accountId, definition(index)),
  );
  await env.DB.batch(rows);
  expect(await add('label 0')).toMatchObject({ status: 400 });
  expect((await add('The last one')).status).toBe(201);
  expect(await add('One more')).toMatchObject({
    status: 409,
    body: { error: { code: 'CONFLICT', message: 'An account can have at most 200 of these.' } },
  });
  expect((await asOwner('POST', 'labels', { name: 'One more', color: '#d1242f' })).status).toBe(201);
});

test('a label keeps its name, and a reply is for a team of the account or for all', async () => {
  const { body: label } = await asOwner('POST', 'labels', { name: 'Later', color: '#d1242f' });
  const changed = await asOwner('PATCH', `labels/${label.labelId}`, { description: 'Not today.' });
  expect(changed).toMatchObject({ status: 200, body: { name: 'Later', description: 'Not today.' } });
  expect((await asOwner('PATCH', `labels/${label.labelId}`, { name: 'Sooner' })).status).toBe(400);
  const reply = { shortcut: 'later', text: 'Later.' };
  for (const text of [' ', '\0 later']) {
    const refused = await asOwner('POST', 'canned-replies', { ...reply, text });
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'text' }] } } });
  }
  const refused = await asOwner('POST', 'canned-replies', { ...reply, teamId: newUuid() });
  expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: 'teamId' }] } } });
  const { teamId } = (await asOwner('POST', 'teams', { name: 'Late shift' })).body;
  expect((await asOwner('POST', 'canned-replies', { ...reply, teamId })).status).toBe(201);
});

describe('a number that is limited to a team', () => {
  test('is not there for agents of others, in any way', async () => {
    const numberId = await addConnectedNumber(account, '15550000031');
    const other = await asOwner('POST', 'teams', { name: 'Others' });
    const log = logOf(env, account.accountId);
    const text = `walrus ${crypto.randomUUID().slice(0, 8)}`;
    await log.take([received({ from: '628555000111', content: { type: 'text', text } }, numberId)]);
    const { messages } = await log.messages({ numberId }, 1, null);
    const messageId = messages[0]?.messageId;
    const found = await log.conversationOf({ numberId, phoneNumber: '628555000111' });
    const path = `conversations/${found?.conversationId}`;
    const open = await addConnectedNumber(account, '15550000032');
    await log.take([received({ from: '628555000112', content: { type: 'text', text } }, open)]);
    const theirs = await log.conversationOf({ numberId: open, phoneNumber: '628555000112' });
    const mediaId = crypto.randomUUID();
    const file = { mediaId, body: new Blob([png(8, 8)]).stream(), bytesKnown: null, typeNamed: 'image/png' };
    await new MediaStore(env, account.accountId).store({ ...file, numberId }, Date.now());
    const image = { type: 'image', image: { mediaId } };
    const sees = async () => [
      (await asAgent('GET', path)).status === 200,
      (await asAgent('GET', `${path}/messages`)).status === 200,
      (await asAgent('POST', `${path}/read`)).status === 204,
      (await asAgent('GET', `conversations?numberId=${numberId}`)).body.data.length === 1,
      (await asAgent('GET', `conversations/search?q=${encodeURIComponent(text)}`)).body.data.length === 2,
      (await asAgent('GET', 'conversations/counts')).body.open === 2,
      (await asAgent('GET', `messages/${messageId}`)).status === 200,
      (await asAgent('PUT', `messages/${messageId}/reaction`, { emoji: '👍' })).status !== 404,
      (await asAgent('GET', `media/${mediaId}`)).status === 200,
      (await asAgent('POST', `conversations/${theirs?.conversationId}/messages`, image)).status === 202,
      (await asAgent('GET', 'conversations/people')).body.numbers.some(
        (one: { numberId: string }) => one.numberId === numberId,
      ),
      (await asAgent('POST', 'conversations', { numberId, to: '628555000111' })).status === 200,
    ];
    const everything = Array(12).fill(true);
    expect(await sees()).toEqual(everything);
    const unknown = await asOwner('PATCH', `numbers/${numberId}`, { teamIds: [crypto.randomUUID()] });
    expect(unknown).toMatchObject({ status: 400, body: { error: { details: [{ path: 'teamIds.0' }] } } });
    const teamIds = [other.body.teamId];
    const second = { teamIds: [...teamIds, crypto.randomUUID()] };
    expect(await asOwner('PATCH', `numbers/${numberId}`, second)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'teamIds.1' }] } },
    });
    expect((await asOwner('PATCH', `numbers/${numberId}`, { teamIds })).body).toMatchObject({ teamIds });
    expect(await sees()).toEqual(everything.map(() => false));
    expect((await asOwner('GET', path)).status).toBe(200);
    await asOwner('PATCH', `auth/members/${agent.userId}`, { role: 'admin' });
    expect((await asAgent('GET', path)).status).toBe(200);
    await asOwner('PATCH', `auth/members/${agent.userId}`, { role: 'agent' });
    expect((await asAgent('GET', path)).status).toBe(404);
    expect((await asOwner('DELETE', `teams/${other.body.teamId}`)).status).toBe(409);
    await asOwner('PATCH', `teams/${other.body.teamId}`, { memberIds: [agent.userId] });
    expect(await sees()).toEqual(everything);
    const { teamId } = (await asOwner('POST', 'teams', { name: 'More others' })).body;
    await asOwner('PATCH', `numbers/${numberId}`, { teamIds: [...teamIds, teamId] });
    expect((await asAgent('GET', path)).status).toBe(200);
    await asOwner('PATCH', path, { teamId: other.body.teamId });
    await asOwner('PATCH', `numbers/${numberId}`, { teamIds: null });
    expect((await asOwner('DELETE', `teams/${other.body.teamId}`)).status).toBe(204);
    expect((await asOwner('GET', path)).body).toMatchObject({ teamId: null });
  });
});

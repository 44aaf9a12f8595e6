import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { failed, received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

let account: TestAccount;
let numberId: string;
let agent: { headers: Record<string, string>; userId: string };
let lastPhone = 628_000_000_000;
const minute = 60_000;

beforeAll(async () => {
  account = await openAccount();
  numberId = await addConnectedNumber(account);
  const { userId, email, password } = await addMember(account, 'agent');
  const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
  agent = { userId, headers: { Authorization: `Bearer ${body.token}` } };
});

const newPhone = () => {
  lastPhone += 7;
  return `${lastPhone}`;
};
const call = (method: string, path = '', json?: object, headers = agent.headers) =>
  ask(method, `/v1/conversations${path}`, { headers, ...(json && { json }) });

/** Somebody writes; their conversation. */
async function wrote(from: string, text = 'hello', at = Date.now()): Promise<string> {
  const log = logOf(env, account.accountId);
  const message = { at: new Date(at).toISOString(), content: { type: 'text', text } as const };
  await log.take([received({ from, pushName: `Person ${from}`, ...message }, numberId)]);
  return (await log.conversationOf({ numberId, phoneNumber: from }))?.conversationId ?? '';
}

const listed = async (search: string) =>
  (await call('GET', `?${search}`)).body.data.map((one: { conversationId: string }) => one.conversationId);

describe('the list of conversations', () => {
  test('shows an agent who wrote, what, and that they wait', async () => {
    const from = newPhone();
    const conversationId = await wrote(from, 'Where is my order?');
    const { status, body } = await call('GET', `/${conversationId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      conversationId,
      numberId,
      contact: { phoneNumber: from, pushName: `Person ${from}` },
      group: null,
      status: 'open',
      unreadCount: 1,
      lastMessage: { direction: 'inbound', status: 'received', text: 'Where is my order?' },
      waitingSince: expect.any(String),
    });
    expect((await call('GET', '?limit=1')).body.data).toEqual([body]);
  });

  test('shows what an API key has sent last, and its status', async () => {
    const to = newPhone();
    const conversationId = await wrote(to, 'hi', Date.now() - minute);
    const message = record({ numberId, to, queuedAt: Date.now() });
    await logOf(env, account.accountId).take([sent(message)]);
    const { body } = await call('GET', `/${conversationId}`);
    expect(body.lastMessage).toMatchObject({ messageId: message.messageId, status: 'sent', origin: null });
    expect(body.waitingSince).not.toBeNull();
  });

  test('is narrowed by each filter, and by several', async () => {
    const [one, other] = [await wrote(newPhone()), await wrote(newPhone())];
    const label = crypto.randomUUID().slice(0, 8);
    const changes = { assigneeId: agent.userId, labels: [label], priority: 'urgent', status: 'pending' };
    expect((await call('PATCH', `/${one}`, changes)).body).toMatchObject(changes);
    for (const search of [
      'assignee=me',
      `assignee=${agent.userId}&status=pending`,
      `label=${label}`,
      `label=${label}&priority=urgent&numberId=${numberId}&waiting=true`,
      'status=pending,snoozed&team=none',
    ]) {
      const found = await listed(search);
      expect(found, search).toContain(one);
      expect(found, search).not.toContain(other);
    }
    expect(await listed(`label=${label}&status=open`)).toEqual([]);
    expect(await listed(`label=${label}&assignee=none`)).toEqual([]);
    expect(await listed('assignee=none&status=open')).toContain(other);
    expect(await listed('waiting=false')).not.toContain(one);
    const counts = await call('GET', '/counts', undefined, account.owner);
    const waiting = await listed('waiting=true&status=open,pending&limit=100');
    expect(counts.body).toMatchObject({ pending: 1, mine: 0, waiting: waiting.length });
  });

  test('is found by beginnings of names, and by the phone number', async () => {
    const from = newPhone();
    const conversationId = await wrote(from);
    for (const q of [`person ${from.slice(0, 9)}`, from.slice(0, 11), `PERS ${from}`]) {
      expect(await listed(`q=${encodeURIComponent(q)}`), q).toContain(conversationId);
    }
    expect(await listed(`q=${from}x`)).toEqual([]);
    expect(await listed(`q=${from}&sort=waiting`)).toEqual([conversationId]);
    await call('PATCH', `/${conversationId}`, { status: 'resolved' });
    expect(await listed(`q=${from}&sort=waiting`)).toEqual([]);
    expect(await listed(`q=${from}`)).toEqual([conversationId]);
  });

  test('names people as the account calls them, else as the phone book of its number does', async () => {
    const from = newPhone();
    const path = `/${await wrote(from)}`;
    const contacts = [{ phoneNumber: from, name: 'Budi of the book' }];
    await logOf(env, account.accountId).take([
      { kind: 'contacts.listed', numberId, at: Date.now(), contacts },
    ]);
    const { contact } = (await call('GET', path)).body;
    expect(contact).toMatchObject({ name: 'Budi of the book', pushName: `Person ${from}` });
    const json = { name: 'Mr Santoso' };
    await ask('PATCH', `/v1/contacts/${contact.contactId}`, { headers: account.owner, json });
    expect((await call('GET', path)).body.contact).toMatchObject(json);
  });

  test('comes page by page, newest first, or who has waited longest first', async () => {
    const ages = [30, 90, 60].map((minutes) => minutes * minute);
    const ids = await Promise.all(ages.map((age) => wrote(newPhone(), 'hi', Date.now() - age)));
    const pages = async (search: string) => {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await call('GET', `?limit=2&${search}${cursor}`);
        expect(body.data.length).toBeLessThanOrEqual(2);
        found.push(...body.data.map((one: { conversationId: string }) => one.conversationId));
        if (body.nextCursor === null) return found.filter((id) => ids.includes(id));
        cursor = `&cursor=${body.nextCursor}`;
      }
    };
    const [first = '', second = '', third = ''] = ids;
    expect(await pages('sort=newest')).toEqual([first, third, second]);
    expect(await pages('sort=waiting')).toEqual([second, third, first]);
    expect(await pages('q=person')).toEqual([first, third, second]);
    expect((await call('GET', '?cursor=AAAA')).status).toBe(400);
  });
});

describe('in a conversation', () => {
  test('messages and notes stand in order, page by page, and what is newer behind a cursor', async () => {
    const from = newPhone();
    const conversationId = await wrote(from, 'one', Date.now() - minute);
    const note = await call('POST', `/${conversationId}/messages`, { note: true, text: 'Who is it? @Bob' });
    expect(note).toMatchObject({
      status: 201,
      body: { text: 'Who is it? @Bob', author: { userId: agent.userId, name: 'Bob' } },
    });
    await wrote(from, 'two', Date.now() + 1_000);
    const path = `/${conversationId}/messages`;
    const { body } = await call('GET', path);
    const textOf = (item: {
      kind: 'message' | 'note';
      message?: { text: string };
      note?: { text: string };
    }) => (item.message ?? item.note)?.text;
    expect(body.data.map(textOf)).toEqual(['two', 'Who is it? @Bob', 'one']);
    const first = await call('GET', `${path}?limit=2`);
    const rest = await call('GET', `${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect([...first.body.data, ...rest.body.data]).toEqual(body.data);
    expect(rest.body.nextCursor).toBeNull();
    const newer = await call('GET', `${path}?after=${body.data[1].cursor}`);
    expect(newer.body.data).toEqual([body.data[0]]);
    const behind = async (place: number) =>
      (await call('GET', `${path}?after=${body.data[place].cursor}`)).body.data;
    expect([await behind(0), await behind(2)]).toEqual([[], body.data.slice(0, 2)]);
    const before = new Date(Date.now() - minute / 2).toISOString();
    const earlier = await call('GET', `${path}?until=${before}`);
    expect(earlier.body.data).toEqual([body.data[2]]);
    const upwards = await call('GET', `${path}?order=oldest&limit=2`);
    const upper = await call('GET', `${path}?order=oldest&limit=2&cursor=${upwards.body.nextCursor}`);
    expect([...upwards.body.data, ...upper.body.data]).toEqual(body.data.toReversed());
    expect(upper.body.nextCursor).toBeNull();
    const between = await call('GET', `${path}?order=oldest&after=${body.data[1].cursor}`);
    expect(between.body.data).toEqual([body.data[0]]);
    const untilThen = await call('GET', `${path}?order=oldest&until=${before}`);
    expect(untilThen.body).toEqual({ data: [body.data[2]], nextCursor: null });
    expect((await call('GET', `${path}?order=newest`)).body).toEqual(body);
    // A note never leaves.
    const messages = await ask('GET', '/v1/messages?q=who', { headers: account.server });
    expect(messages.body.data).toEqual([]);
  });

  test('the answer of a person goes through its number, once, and ends the wait', async () => {
    const from = newPhone();
    const conversationId = await wrote(from);
    const answer = () =>
      ask('POST', `/v1/conversations/${conversationId}/messages`, {
        headers: { ...agent.headers, 'Idempotency-Key': 'first' },
        json: { text: 'It leaves tomorrow.' },
      });
    const first = await answer();
    expect(first).toMatchObject({ status: 202, body: { numberId, to: from, status: 'queued' } });
    const again = await answer();
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    const shown = await eventually(async () => {
      const { body } = await call('GET', `/${conversationId}`);
      return body.waitingSince === null && body;
    });
    expect(shown).toMatchObject({
      unreadCount: 0,
      lastMessage: {
        messageId: first.body.messageId,
        origin: { kind: 'person', userId: agent.userId },
      },
    });
    for (const [field, json] of [
      ['to', { to: from, text: 'hi' }],
      ['senderHint', { senderHint: numberId, text: 'hi' }],
      ['text', { note: true, text: ' ' }],
      ['sendAt', { note: true, text: 'hi', sendAt: new Date().toISOString() }],
    ] as const) {
      const refused = await call('POST', `/${conversationId}/messages`, json);
      expect(refused, field).toMatchObject({ status: 400, body: { error: { details: [{ path: field }] } } });
    }
  });

  test('what is to be sent later is listed, and can be cancelled until it leaves', async () => {
    const conversationId = await wrote(newPhone());
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    const send = (text: string, sendAt: string) =>
      call('POST', `/${conversationId}/messages`, { text, sendAt });
    const [later, sooner] = [await send('later', at(2 * minute)), await send('sooner', at(minute))];
    const path = `/${conversationId}/scheduled`;
    await eventually(async () => (await call('GET', path)).body.data.length === 2);
    expect((await call('GET', path)).body.data.map(({ text }: { text: string }) => text)).toEqual([
      'sooner',
      'later',
    ]);
    expect((await call('DELETE', `${path}/${later.body.messageId}`)).status).toBe(204);
    await eventually(async () => (await call('GET', path)).body.data.length === 1);
    const stranger = await wrote(newPhone());
    expect((await call('DELETE', `/${stranger}/scheduled/${sooner.body.messageId}`)).status).toBe(404);
    const cancelled = await ask('GET', `/v1/messages/${later.body.messageId}`, { headers: account.owner });
    expect(cancelled.body).toMatchObject({ status: 'failed', errorCode: 'cancelled' });
    expect((await call('GET', `/${conversationId}`)).body.waitingSince).not.toBeNull();
  });

  test('what was cancelled can be cancelled again; what has left or failed cannot, and the answer says which', async () => {
    const to = newPhone();
    const conversationId = await wrote(to);
    const cancel = (messageId: string) => call('DELETE', `/${conversationId}/scheduled/${messageId}`);
    const sendAt = new Date(Date.now() + minute).toISOString();
    const { body } = await call('POST', `/${conversationId}/messages`, { text: 'hello', sendAt });
    await eventually(async () => (await call('GET', `/${conversationId}/scheduled`)).body.data.length === 1);
    expect(await cancel(body.messageId)).toMatchObject({ status: 204 });
    await eventually(async () => (await call('GET', `/${conversationId}/scheduled`)).body.data.length === 0);
    expect(await cancel(body.messageId)).toMatchObject({ status: 204 });

    const [left, unsent] = [record({ numberId, to }), record({ numberId, to })];
    await logOf(env, account.accountId).take([sent(left), failed(unsent)]);
    const refused = (message: string) => ({ status: 409, body: { error: { code: 'CONFLICT', message } } });
    expect(await cancel(left.messageId)).toMatchObject(
      refused('The message has already been sent, or is about to be.'),
    );
    expect(await cancel(unsent.messageId)).toMatchObject(refused('The message has already failed.'));
  });

  test('a key of an answer is of whoever gives it, in that conversation alone', async () => {
    const [one, other] = [await wrote(newPhone()), await wrote(newPhone())];
    const answer = (conversationId: string, headers: Record<string, string>) =>
      ask('POST', `/v1/conversations/${conversationId}/messages`, {
        headers: { ...headers, 'Idempotency-Key': 'mine' },
        json: { text: 'It leaves tomorrow.' },
      });
    const answers = [
      await answer(one, agent.headers),
      await answer(one, account.owner),
      await answer(other, agent.headers),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(new Set(answers.map(({ body }) => body.messageId)).size).toBe(3);
    const note = (headers: Record<string, string>) =>
      ask('POST', `/v1/conversations/${one}/messages`, {
        headers: { ...headers, 'Idempotency-Key': 'a note of mine' },
        json: { note: true, text: 'They call back.' },
      });
    const notes = [await note(agent.headers), await note(account.owner)];
    expect(notes.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(notes.map(({ body }) => body.noteId)).size).toBe(2);
  });

  test('an answer in a group goes to the group', async () => {
    const groupId = '120363000000000077@g.us';
    const { body: begun } = await call('POST', '', { numberId, to: groupId });
    const { status, body } = await call('POST', `/${begun.conversationId}/messages`, { text: 'Hello, all.' });
    expect(status).toBe(202);
    const shown = await ask('GET', `/v1/messages/${body.messageId}`, { headers: account.server });
    expect(shown.body).toMatchObject({ chatType: 'group', to: groupId });
  });

  test('a note under a key is added once, and the key means that note alone', async () => {
    const conversationId = await wrote(newPhone());
    const key = crypto.randomUUID();
    const add = (text: string) =>
      ask('POST', `/v1/conversations/${conversationId}/messages`, {
        headers: { ...agent.headers, 'Idempotency-Key': key },
        json: { note: true, text },
      });
    const once = 'Once, @Bob';
    const [first, again, other] = [await add(once), await add(once), await add('Twice')];
    expect(first).toMatchObject({ status: 201, body: { text: once, mentions: [agent.userId] } });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
    const { body } = await call('GET', `/${conversationId}/messages`);
    expect(body.data.filter(({ kind }: { kind: string }) => kind === 'note')).toHaveLength(1);
  });

  test('who is named in a note finds it until they have read it', async () => {
    const conversationId = await wrote(newPhone());
    await call('POST', `/${conversationId}/messages`, { note: true, text: 'Ask @Bob' }, account.owner);
    expect(await listed('mentioned=me')).toContain(conversationId);
    expect((await call('POST', `/${conversationId}/read`)).status).toBe(204);
    expect(await listed('mentioned=me')).not.toContain(conversationId);
    expect((await call('GET', `/${conversationId}`)).body).toMatchObject({
      unreadCount: 0,
      waitingSince: expect.any(String),
    });
  });

  test('it is told who did what', async () => {
    const conversationId = await wrote(newPhone());
    await call('PATCH', `/${conversationId}`, { status: 'resolved', labels: ['done'] });
    const { body } = await call('GET', `/${conversationId}/activity`);
    const actor = { kind: 'person', id: agent.userId, name: 'Bob' };
    expect(body.data).toMatchObject([
      { actor, action: 'labels', from: [], to: ['done'] },
      { actor, action: 'status', from: 'open', to: 'resolved' },
    ]);
    const newest = await call('GET', `/${conversationId}/activity?limit=1`);
    const path = `/${conversationId}/activity?cursor=${newest.body.nextCursor}`;
    expect([...newest.body.data, ...(await call('GET', path)).body.data]).toEqual(body.data);
  });

  test('it sleeps until a time to come, and refuses what makes no sense', async () => {
    const conversationId = await wrote(newPhone());
    const snoozedUntil = new Date(Date.now() + minute).toISOString();
    const changed = await call('PATCH', `/${conversationId}`, { snoozedUntil });
    expect(changed.body).toMatchObject({ status: 'snoozed', snoozedUntil });
    for (const [field, json] of [
      ['snoozedUntil', { snoozedUntil: '2020-01-01T00:00:00Z' }],
      ['snoozedUntil', { snoozedUntil, status: 'open' }],
      ['assigneeId', { assigneeId: crypto.randomUUID() }],
      ['status', { status: 'closed' }],
    ] as const) {
      const refused = await call('PATCH', `/${conversationId}`, json);
      expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ path: field }] } } });
    }
  });
});

test('a person begins a conversation, which is theirs; a second time it is the same', async () => {
  const to = newPhone();
  const begun = await call('POST', '', { numberId, to: `+${to}` });
  expect(begun).toMatchObject({
    status: 201,
    body: { status: 'open', assigneeId: agent.userId, contact: { phoneNumber: to }, lastMessage: null },
  });
  expect(await call('POST', '', { numberId, to })).toMatchObject({
    status: 200,
    body: { conversationId: begun.body.conversationId },
  });
  const other = await call('POST', '', { numberId: crypto.randomUUID(), to });
  expect(other).toMatchObject({ status: 400, body: { error: { details: [{ path: 'numberId' }] } } });
});

test('nobody begins a conversation with a number of the account, as nothing can be sent to it', async () => {
  const own = '15550000043';
  await addConnectedNumber(account, own);
  const refused = await call('POST', '', { numberId, to: `+${own}` });
  const headers = account.server;
  const sent = await ask('POST', '/v1/messages/send', { headers, json: { to: own, text: 'hi' } });
  expect(refused.status).toBe(422);
  expect(refused.body.error).toMatchObject({
    code: 'RECIPIENT_FILTERED',
    details: [{ path: 'to', filter: 'ownNumber' }],
  });
  expect(refused.body.error).toEqual({ ...sent.body.error, requestId: expect.any(String) });
});

test('a message is found by its words, with its conversation', async () => {
  const conversationId = await wrote(newPhone(), 'zebra crossing');
  await eventually(async () => (await call('GET', '/search?q=zebra')).body.data.length > 0);
  expect((await call('GET', '/search?q=crossing+zebra')).body.data).toMatchObject([
    { conversationId, message: { text: 'zebra crossing', direction: 'inbound' } },
  ]);
  const later = await wrote(newPhone(), 'another zebra');
  const found = (search: string) => call('GET', `/search?q=zebra&limit=1${search}`);
  await eventually(async () => (await found('')).body.data[0]?.conversationId === later);
  const { nextCursor } = (await found('')).body;
  expect((await found(`&cursor=${nextCursor}`)).body.data).toMatchObject([{ conversationId }]);
  expect((await found(`&numberId=${numberId}`)).body.data).toHaveLength(1);
  expect((await found(`&numberId=${crypto.randomUUID()}`)).body.data).toEqual([]);
  // What is for another team is not there, and what is there stands with its own conversation all the same.
  const hidden = await addConnectedNumber(account, '15550000041');
  const team = await ask('POST', '/v1/teams', { headers: account.owner, json: { name: 'Others' } });
  const teamIds = [team.body.teamId];
  await ask('PATCH', `/v1/numbers/${hidden}`, { headers: account.owner, json: { teamIds } });
  const newest = { at: new Date().toISOString(), content: { type: 'text', text: 'a hidden zebra' } } as const;
  await logOf(env, account.accountId).take([received({ from: newPhone(), ...newest }, hidden)]);
  const all = (headers?: Record<string, string>) => call('GET', '/search?q=zebra', undefined, headers);
  await eventually(async () => (await all(account.owner)).body.data.length === 3);
  expect((await all()).body.data).toMatchObject([{ conversationId: later }, { conversationId }]);
});

test("another account's conversation is as one that does not exist", async () => {
  const conversationId = await wrote(newPhone());
  const stranger = await openAccount();
  for (const [method, path, json] of [
    ['GET', ''],
    ['PATCH', '', { status: 'resolved' }],
    ['GET', '/messages'],
    ['POST', '/messages', { text: 'hi' }],
    ['POST', '/messages', { note: true, text: 'hi' }],
    ['GET', '/scheduled'],
    ['GET', '/activity'],
    ['POST', '/read'],
    ['POST', '/typing', { state: 'typing' }],
  ] as const) {
    const answer = await call(method, `/${conversationId}${path}`, json, stranger.owner);
    expect(answer.status, `${method} ${path}`).toBe(404);
  }
});

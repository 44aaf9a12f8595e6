import { evictDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { isStillSignedIn } from '../../../src/worker/auth/checks/token-check.ts';
import { shownWithEventSchema } from '../../../src/worker/features/conversations/records.ts';
import { type LiveEvents, LiveReader } from '../../../src/worker/features/events/live-reader.ts';
import { queued, received, record, sent } from '../../durable/event-log/event-log-fixture.ts';
import { type Follower, follow, stopFollowing } from '../events/live-follower.ts';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

let account: TestAccount;
let numberId: string;
let people: Follower[];

beforeEach(async () => {
  account = await openAccount();
  numberId = await addConnectedNumber(account);
  people = [];
  for (const _ of ['first', 'second']) {
    const { userId, email, password } = await addMember(account, 'agent');
    const { body } = await ask('POST', '/v1/auth/login', { json: { email, password } });
    people.push({ userId, headers: { Authorization: `Bearer ${body.token}` } });
  }
});

afterEach(stopFollowing);

const [first, second] = [() => people[0] as Follower, () => people[1] as Follower];

const wrote = (from: string, to = numberId, text = 'hello there') =>
  logOf(env, account.accountId).take([received({ from, content: { type: 'text', text } }, to)]);
const conversationWith = async (phoneNumber: string) =>
  (await logOf(env, account.accountId).conversationOf({ numberId, phoneNumber }))?.conversationId ?? '';
const view = (conversationId: string, { headers }: Follower, state: string) =>
  ask('POST', `/v1/conversations/${conversationId}/viewing`, { headers, json: { state } });

test('an agent hears of messages as they come, and who looks at what, also after an eviction', async () => {
  await wrote('628555000222');
  const conversationId = await conversationWith('628555000222');
  const next = await follow(first());
  const nobody = await next((_, event) => event === 'presence');
  expect(nobody).toEqual({ conversations: [], online: [first().userId] });
  await wrote('628555000222');
  expect(await next(({ event }) => event === 'message.received')).toMatchObject({
    data: { from: '628555000222', numberId },
  });
  await view(conversationId, second(), 'viewing');
  const seen = await next((_, event) => event === 'presence');
  const bob = { userId: second().userId, name: 'Bob', until: expect.any(String) };
  expect(seen.conversations).toEqual([
    { conversationId, people: [{ ...bob, state: 'viewing' }], lockedBy: null },
  ]);
  await evictDurableObject(logOf(env, account.accountId));
  const answer = await view(conversationId, first(), 'typing');
  expect(answer.body.conversations[0]).toMatchObject({
    people: [
      { ...bob, state: 'viewing' },
      { userId: first().userId, state: 'typing' },
    ],
    lockedBy: first().userId,
  });
  // Whoever comes second does not take it over.
  expect((await view(conversationId, second(), 'typing')).body.conversations[0].lockedBy).toBe(
    first().userId,
  );
  expect((await view(conversationId, first(), 'left')).body.conversations[0]).toMatchObject({
    people: [{ userId: second().userId }],
    lockedBy: second().userId,
  });
});

/** What the stream tells next of a kind of event. */
const heardOf = (next: Awaited<ReturnType<typeof follow>>, name: string) =>
  next(({ event }: { event?: string }) => event === name);
const answered = async (path: string, { headers }: Follower) =>
  (await ask('GET', `/v1/conversations${path}`, { headers })).body;

test('a message comes with what the chat, the list and the counts answer after it, so that nobody has to ask', async () => {
  const next = await follow(first());
  await wrote('628555000226');
  const { shown } = await heardOf(next, 'message.received');
  expect(shownWithEventSchema.strict().parse(shown)).toEqual(shown);
  const { conversationId } = shown.conversation;
  const [list, chat, counts] = await Promise.all([
    answered('', first()),
    answered(`/${conversationId}/messages`, first()),
    answered('/counts', first()),
  ]);
  expect(shown.conversation).toEqual(list.data[0]);
  expect(shown.item).toEqual(chat.data[0]);
  expect(shown.counts).toEqual(counts);
  expect(counts).toMatchObject({ open: 1, waiting: 1 });
});

test('what somebody does to a conversation comes with it as it is now', async () => {
  await wrote('628555000227');
  const conversationId = await conversationWith('628555000227');
  const next = await follow(first());
  const { body } = await ask('PATCH', `/v1/conversations/${conversationId}`, {
    headers: second().headers,
    json: { status: 'resolved', labels: ['refund'] },
  });
  const { shown } = await heardOf(next, 'conversation.updated');
  expect(shown).toEqual({ conversation: body, counts: await answered('/counts', first()) });
});

test('an answer for later comes with its conversation when it has left: nobody waits any more', async () => {
  const to = '628555000231';
  await wrote(to);
  const next = await follow(first());
  const now = Date.now();
  const origin = { kind: 'person', userId: second().userId } as const;
  const later = record({ numberId, to, origin, queuedAt: now - 2000, sendAt: now - 1000 });
  await logOf(env, account.accountId).take([queued(later), sent(later, now)]);
  const { shown } = await heardOf(next, 'message.sent');
  const conversationId = await conversationWith(to);
  expect(shown.conversation).toMatchObject({ conversationId, waitingSince: null });
});

test('the inbox is told of the name that a contact is given', async () => {
  await wrote('628555000232');
  const { contact } = await answered(`/${await conversationWith('628555000232')}`, first());
  const next = await follow(first());
  await ask('PATCH', `/v1/contacts/${contact.contactId}`, {
    headers: account.owner,
    json: { name: 'Ada Lovelace' },
  });
  expect(await heardOf(next, 'contact.updated')).toMatchObject({
    data: { contactId: contact.contactId, name: 'Ada Lovelace' },
  });
});

test('a word by which people opt out is told as one', async () => {
  const next = await follow(first());
  await wrote('628555000228', numberId, 'Stop!');
  expect((await heardOf(next, 'message.received')).shown.isOptOutWord).toBe(true);
  await wrote('628555000228');
  expect((await heardOf(next, 'message.received')).shown).not.toHaveProperty('isOptOutWord');
});

test('what is too much for a frame is not told, and can be asked for', async () => {
  const next = await follow(first());
  const text = 'many words '.repeat(30_000);
  await wrote('628555000229', numberId, text);
  const long = await heardOf(next, 'message.received');
  expect(long).not.toHaveProperty('shown');
  expect(long.data.text).toBe(text);
});

test('events that are read behind a place are as they happened: what they have changed may have changed again', async () => {
  await wrote('628555000230');
  const next = await follow(first(), '/v1/conversations/live');
  const one = await heardOf(next, 'message.received');
  expect(one).not.toHaveProperty('shown');
  // A browser that lost its stream says by itself how far it had come; the address is the one that it began with.
  await wrote('628555000230', numberId, 'and another thing');
  const headers = { ...second().headers, 'Last-Event-ID': one.cursor };
  const later = await follow({ headers }, '/v1/conversations/live?after=now');
  expect((await heardOf(later, 'message.received')).data.text).toBe('and another thing');
});

test('whoever follows events alone is told no more than webhooks are', async () => {
  const next = await follow({ headers: account.owner }, '/v1/events/live?after=now');
  await wrote('628555000231');
  expect(await heardOf(next, 'message.received')).not.toHaveProperty('shown');
});

test('a note reaches those who follow conversations, though no event tells of it, and is told once under its key', async () => {
  await wrote('628555000223');
  const conversationId = await conversationWith('628555000223');
  // The stream is open, and nothing of it has been read yet.
  const next = await follow(first());
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const note = () =>
    ask('POST', `/v1/conversations/${conversationId}/messages`, {
      headers: { ...second().headers, ...key },
      json: { note: true, text: 'They called before' },
    });
  await note();
  const told = await next(({ conversations }, event) => event === 'presence' && conversations.length > 0);
  const { data } = await answered(`/${conversationId}/messages`, first());
  const [item] = data.filter(({ kind }: { kind: string }) => kind === 'note');
  expect(item.note).toMatchObject({ text: 'They called before', author: { name: 'Bob' } });
  expect(told.conversations).toEqual([{ conversationId, people: [], lockedBy: null, hasNote: true, item }]);
  await note();
  await view(conversationId, second(), 'viewing');
  const after = await next(({ conversations }, event) => event === 'presence' && conversations.length > 0);
  expect(after.conversations[0]).toMatchObject({ people: [{ userId: second().userId }] });
  expect(after.conversations[0]).not.toHaveProperty('hasNote');
});

test('of a number that is for another team an agent hears nothing', async () => {
  const team = await ask('POST', '/v1/teams', { headers: account.owner, json: { name: 'Others' } });
  const hidden = await addConnectedNumber(account, '15550000041');
  const limited = await ask('PATCH', `/v1/numbers/${hidden}`, {
    headers: account.owner,
    json: { teamIds: [team.body.teamId] },
  });
  expect(limited.status).toBe(200);
  const next = await follow(first());
  await wrote('628555000333', hidden);
  await wrote('628555000444');
  const heard = await next(({ event }) => event === 'message.received');
  expect(heard.data).toMatchObject({ numberId, from: '628555000444' });
  expect(heard.shown).toMatchObject({ conversation: { numberId }, item: { message: { numberId } } });
  expect(heard.shown.counts).toMatchObject({ open: 1, waiting: 1 });
});

test('an agent from whom a number is hidden hears no more from then on, and one who still sees it goes on', async () => {
  const [limited, staying] = [await follow(first()), await follow(second())];
  const { owner: headers } = account;
  const json = { name: 'Others', memberIds: [second().userId] };
  const { teamId } = (await ask('POST', '/v1/teams', { headers, json })).body;
  const from = (phoneNumber: string) => (told: { event?: string; data?: { from?: string } }) =>
    told.event === 'message.received' && told.data?.from === phoneNumber;
  await wrote('628555000775');
  await Promise.all([limited(from('628555000775')), staying(from('628555000775'))]);
  const ended = expect(limited(() => false)).rejects.toThrow('the stream has ended');
  const heard = staying(from('628555000776'));
  const patched = await ask('PATCH', `/v1/numbers/${numberId}`, { headers, json: { teamIds: [teamId] } });
  expect(patched.status).toBe(200);
  await ended;
  await wrote('628555000776');
  await heard;
});

test('an agent who is taken out of the team of a number hears no more from then on', async () => {
  const { owner: headers } = account;
  const json = { name: 'Ours', memberIds: [first().userId] };
  const { teamId } = (await ask('POST', '/v1/teams', { headers, json })).body;
  await ask('PATCH', `/v1/numbers/${numberId}`, { headers, json: { teamIds: [teamId] } });
  const next = await follow(first());
  const ended = expect(next(() => false)).rejects.toThrow('the stream has ended');
  await ask('PATCH', `/v1/teams/${teamId}`, { headers, json: { memberIds: [] } });
  await ended;
});

test('an agent who is signed out hears no more about a minute later, and one who is not goes on', async () => {
  const [gone, staying] = [await follow(first()), await follow(second())];
  const from = (phoneNumber: string) => (told: { event?: string; data?: { from?: string } }) =>
    told.event === 'message.received' && told.data?.from === phoneNumber;
  await wrote('628555000665');
  await Promise.all([gone(from('628555000665')), staying(from('628555000665'))]);
  // Both read on, as clients do: the log lets go of whoever leaves something unread for a minute.
  const heard = staying(from('628555000666'));
  const heardNext = heard.then(() => staying(from('628555000667')));
  const ended = expect(gone(() => false)).rejects.toThrow('the stream has ended');
  await env.DB.prepare('update sessions set ended_at = 1 where user_id = ?').bind(first().userId).run();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  onTestFinished(() => void vi.useRealTimers());
  // What a stream waits for still comes; then it asks.
  await wrote('628555000666');
  await heard;
  await wrote('628555000667');
  await Promise.all([heardNext, ended]);
});

test('whoever gets another role, is removed or is signed out hears no more from then on, and everybody else goes on', async () => {
  const admin = await addMember(account, 'admin');
  const { body } = await ask('POST', '/v1/auth/login', {
    json: { email: admin.email, password: admin.password },
  });
  const demoted = { userId: admin.userId, headers: { Authorization: `Bearer ${body.token}` } };
  const staying = await follow({ headers: account.owner });
  const stream = '/v1/events/live?after=now&alerts=true';
  const streams = [await follow(first()), await follow(second()), await follow(demoted, stream)];
  const ended = streams.map((next) => expect(next(() => false)).rejects.toThrow('the stream has ended'));
  const member = ({ userId }: Follower) => `/v1/auth/members/${userId}`;
  const [session] = (await ask('GET', '/v1/auth/sessions', { headers: second().headers })).body.data;
  const headers = account.owner;
  await ask('DELETE', member(first()), { headers });
  await ask('DELETE', `/v1/auth/sessions/${session.id}`, { headers: second().headers });
  await ask('PATCH', member(demoted), { headers, json: { role: 'agent' } });
  await Promise.all(ended);
  await wrote('628555000668');
  await heardOf(staying, 'message.received');
});

test('a stream goes on only for who is still of the account, as what they were when it was opened', async () => {
  const { accountId, email } = account;
  const [session] = (await ask('GET', '/v1/auth/sessions', { headers: account.owner })).body.data;
  const { id: userId } = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body.user;
  const person = { kind: 'user', accountId, userId, email, role: 'owner', confirmedAt: null } as const;
  // By a token of ours, and by one of an identity provider.
  const goesOn = () =>
    Promise.all([session.id, null].map((sessionId) => isStillSignedIn(env, { ...person, sessionId })));
  expect(await goesOn()).toEqual([true, true]);
  const move = (change: string, ...values: string[]) =>
    env.DB.prepare(`update memberships set ${change} where user_id = ?`)
      .bind(...values, userId)
      .run();
  await move("role = 'agent'");
  expect(await goesOn()).toEqual([false, false]);
  await move("role = 'owner', account_id = ?", (await openAccount()).accountId);
  expect(await goesOn()).toEqual([false, false]);
});

test('of however many numbers an agent may hear nothing, the others are told as they come', async () => {
  const [hidden, seen] = [newUuid(), numberId];
  const hiddenNumberIds = [hidden, ...Array.from({ length: 2_000 }, newUuid)];
  const filter = { events: null, numberId: null, hiddenNumberIds };
  const request = { after: 'now', limit: 100, filter };
  const reader = await LiveReader.open(
    env,
    account.accountId,
    request,
    { isGood: async () => true },
    {
      viewerId: newUuid(),
    },
  );
  if ('ok' in reader) throw new Error('the log does not take it');
  const heard = async (isIt: (told: LiveEvents) => boolean) => {
    for (;;) {
      const told = await reader.next();
      if (told === null) throw new Error('the stream has ended');
      if (told !== 'silence' && isIt(told)) return told;
    }
  };
  for (const to of [hidden, seen]) await wrote('628555000555', to);
  const { events } = await heard((told) => told.events.length > 0);
  expect(events.map(({ data }) => 'numberId' in data && data.numberId)).not.toContain(hidden);
  await view(await conversationWith('628555000555'), second(), 'viewing');
  const { presence } = await heard(
    (told) => told.presence !== undefined && told.presence.conversations.length > 0,
  );
  expect(presence?.conversations).toMatchObject([{ numberId: seen }]);
  reader.close();
});

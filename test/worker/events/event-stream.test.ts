import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { encodeCursor } from '../../../src/durable/event-log/feed/cursor.ts';
import type { StreamEvent } from '../../../src/durable/event-log/feed/event-reader.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import {
  acceptMessages,
  messageOf,
  queuedMessage,
  receivedMessage,
  tell,
} from '../../durable/event-log/stream-facts.ts';
import { until } from '../../durable/until.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';

const closing: (() => unknown)[] = [];

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) await close();
});

interface Page {
  data: StreamEvent[];
  nextCursor: string;
  hasMore: boolean;
}

async function read(account: TestAccount, query = ''): Promise<Page> {
  const { status, body, text } = await ask<Page>('GET', `/v1/events${query}`, { headers: account.server });
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return body;
}

const refused = (account: TestAccount, query: string) =>
  ask('GET', `/v1/events${query}`, { headers: account.server });

/** The request of somebody who stays. */
const open = (account: TestAccount, query: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(
    new Request(`https://gateway.test/v1/events/live${query}`, {
      headers: { ...account.server, ...headers },
    }),
  );

/** Server-sent events, taken from the stream as they are asked for. */
async function openStream(account: TestAccount, query = '', headers: Record<string, string> = {}) {
  const response = await open(account, query, headers);
  expect(response.headers.get('Content-Type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  closing.push(() => reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  let text = '';
  const blocks: string[] = [];
  /** The next block of lines; null at the end. */
  const block = async (): Promise<string | null> => {
    while (blocks.length === 0) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      blocks.push(...parts);
    }
    return blocks.shift() ?? null;
  };
  const events = async (count: number): Promise<StreamEvent[]> => {
    const found: StreamEvent[] = [];
    while (found.length < count) {
      const lines = (await block())?.split('\n');
      if (lines === undefined) throw new Error('the stream has ended');
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
      const data = field('data');
      if (data === undefined) continue;
      const event = JSON.parse(data) as StreamEvent;
      expect(field('id')).toBe(event.cursor);
      found.push(event);
    }
    return found;
  };
  return { block, events, messageIds: async (count: number) => (await events(count)).map(messageOf), reader };
}

async function openSocket(account: TestAccount, query = '') {
  const { webSocket: socket, status } = await open(account, query, { Upgrade: 'websocket' });
  if (socket === null) throw new Error(`answered ${status}`);
  const events: StreamEvent[] = [];
  let closeCode: number | null = null;
  socket.addEventListener('message', ({ data }) => {
    events.push(JSON.parse(String(data)));
  });
  socket.addEventListener('close', ({ code }) => {
    closeCode = code;
  });
  socket.accept();
  closing.push(() => socket.close());
  const messageIds = async (count: number) => {
    await until(() => events.length >= count);
    return events.map(messageOf);
  };
  return { socket, events, messageIds, closeCode: () => closeCode };
}

const heartbeatMs = 15_000;
const stalledMs = 60_000;

/** What is to happen after so long happens soon. */
function hasten(waitMs: number): void {
  const { setTimeout } = globalThis;
  const soon = (run: () => void, ms?: number) => setTimeout(run, ms === waitMs ? 100 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(soon as typeof setTimeout);
}

/** How many wait at the account's log. */
const readersAt = ({ accountId }: TestAccount) =>
  runInDurableObject(
    env.EVENT_LOG.getByName(accountId),
    (_, ctx) => ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  );

/** Everything that happened so far is no longer kept. */
async function forgetEvents({ accountId }: TestAccount): Promise<void> {
  const log = env.EVENT_LOG.getByName(accountId);
  await runInDurableObject(log, (_, { storage: { sql } }) => {
    const head = sql.exec(
      'SELECT first_seq + count - 1 AS seq, at FROM events ORDER BY first_seq DESC LIMIT 1',
    );
    sql.exec("INSERT INTO log_state (name, json) VALUES ('events.head', ?)", JSON.stringify(head.one()));
    sql.exec('DELETE FROM events');
  });
  await evictDurableObject(log);
}

describe('reading', () => {
  test('pages follow each other without a gap, oldest first, each event with its cursor', async () => {
    const account = await openAccount();
    const told = await acceptMessages(account.accountId, 25);
    const found: StreamEvent[] = [];
    let page = await read(account, '?limit=10');
    expect(page.data).toHaveLength(10);
    for (;;) {
      found.push(...page.data);
      if (!page.hasMore) break;
      page = await read(account, `?limit=10&after=${page.nextCursor}`);
    }
    expect(found.map(messageOf)).toEqual(told);
    const [first] = found;
    expect(Object.keys(first ?? {})).toEqual(['cursor', 'id', 'event', 'timestamp', 'data']);
    expect(first).toMatchObject({ id: expect.stringMatching(/^evt_/), event: 'message.queued' });
    const rest = await read(account, `?after=${found[3]?.cursor}`);
    expect(rest.data).toEqual(found.slice(4));
  });

  test('begins with what happens from now on where that is asked for', async () => {
    const account = await openAccount();
    await acceptMessages(account.accountId, 3);
    const now = await read(account, '?after=now');
    expect(now).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
    const told = await acceptMessages(account.accountId, 2);
    expect((await read(account, `?after=${now.nextCursor}`)).data.map(messageOf)).toEqual(told);
  });

  test('a filter lets through the events and the number that it names', async () => {
    const account = await openAccount();
    const [mine, other] = [queuedMessage(newUuid()), queuedMessage(newUuid())];
    const { numberId } = mine.message;
    await tell(account.accountId, [
      mine,
      other,
      { kind: 'message.sent', message: mine.message, at: Date.now() },
      { kind: 'message.sent', message: other.message, at: Date.now() },
    ]);
    const names = async (query: string) => (await read(account, query)).data.map(({ event }) => event);
    expect(await names('?events=message.sent')).toEqual(['message.sent', 'message.sent']);
    expect(await names(`?numberId=${numberId}`)).toEqual(['message.queued', 'message.sent']);
    expect(await names(`?numberId=${numberId.toUpperCase()}&events=message.sent,message.read`)).toEqual([
      'message.sent',
    ]);
    expect(await names('?events=message.read')).toEqual([]);
  });

  test.for([
    ['limit', '?limit=0'],
    ['limit', '?limit=1001'],
    ['wait', '?wait=31'],
    ['wait', '?wait=-1'],
    ['events', '?events=message.lost'],
    ['events', '?events='],
    ['numberId', '?numberId=1'],
    ['cursor', '?cursor=abc'],
    ['after', '?after=abc'],
    ['after', '?after='],
    ['after', `?after=${'x'.repeat(200)}`],
    ['after', '?after=now&after=now'],
  ])('what does not fit is refused, and %s is named: %s', async ([path = '', query = '']) => {
    const account = await openAccount();
    const { status, body } = await refused(account, query);
    expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
    expect(body.error.details[0].path.split('.')[0]).toBe(path);
  });

  test('a cursor beyond the newest event is none', async () => {
    const account = await openAccount();
    await acceptMessages(account.accountId, 1);
    const { nextCursor } = await read(account);
    const [generation = ''] = atob(nextCursor).split('.');
    const { status, body } = await refused(account, `?after=${encodeCursor({ generation, seq: 2 })}`);
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ path: 'after' }] });
  });

  test('a cursor that is older than what is kept is told the oldest one that works', async () => {
    const account = await openAccount();
    await acceptMessages(account.accountId, 3);
    const { data } = await read(account);
    await forgetEvents(account);
    const kept = await acceptMessages(account.accountId, 2);
    const { status, body } = await refused(account, `?after=${data[0]?.cursor}`);
    expect(status).toBe(410);
    expect(body.error.code).toBe('CURSOR_EXPIRED');
    const { oldest } = body.error.details[0];
    expect((await read(account, `?after=${oldest}`)).data.map(messageOf)).toEqual(kept);
    // What lies right before the oldest one is still good.
    expect((await read(account, `?after=${data[2]?.cursor}`)).data.map(messageOf)).toEqual(kept);
  });

  test("another account's events are out of reach, and its cursors are none of this one's", async () => {
    const [account, stranger] = [await openAccount(), await openAccount('Stranger')];
    await acceptMessages(account.accountId, 2);
    const [first] = (await read(account)).data;
    expect((await read(stranger)).data).toEqual([]);
    expect(
      (await read(stranger, `?numberId=${first && 'numberId' in first.data && first.data.numberId}`)).data,
    ).toEqual([]);
    const { status, body } = await refused(stranger, `?after=${first?.cursor}`);
    expect({ status, code: body.error.code }).toEqual({ status: 410, code: 'CURSOR_EXPIRED' });
  });

  test('nobody reads without a credential', async () => {
    for (const path of ['/v1/events', '/v1/events/live']) {
      expect((await ask('GET', path)).status).toBe(401);
      expect((await ask('GET', path, { headers: { Upgrade: 'websocket' } })).status).toBe(401);
      expect((await ask('GET', path, { headers: { 'X-API-Key': 'sk_live_no' } })).status).toBe(401);
    }
  });
});

describe('waiting', () => {
  test('ends as soon as there is an event', async () => {
    const account = await openAccount();
    const { nextCursor } = await read(account, '?after=now');
    const waiting = read(account, `?after=${nextCursor}&wait=30`);
    await until(async () => (await readersAt(account)) === 1);
    const told = await acceptMessages(account.accountId, 1);
    const page = await waiting;
    expect(page.data.map(messageOf)).toEqual(told);
    expect(page).toMatchObject({ nextCursor: page.data[0]?.cursor, hasMore: false });
    await until(async () => (await readersAt(account)) === 0);
  });

  test('answers at once where there is something already', async () => {
    const account = await openAccount();
    const told = await acceptMessages(account.accountId, 3);
    const page = await read(account, '?wait=30&limit=2');
    expect(page.data.map(messageOf)).toEqual(told.slice(0, 2));
    expect(page.hasMore).toBe(true);
  });

  test('ends with nothing where nothing happens, and goes on without a gap', async () => {
    const account = await openAccount();
    const { nextCursor } = await read(account, '?after=now');
    const empty = await read(account, `?after=${nextCursor}&wait=1`);
    expect(empty).toEqual({ data: [], nextCursor, hasMore: false });
    const told = await acceptMessages(account.accountId, 1);
    expect((await read(account, `?after=${empty.nextCursor}`)).data.map(messageOf)).toEqual(told);
  });

  test('is for what the filter names, and takes no more than the page holds', async () => {
    const account = await openAccount();
    const numberId = newUuid();
    const waiting = read(account, `?after=now&wait=30&limit=2&numberId=${numberId}`);
    await until(async () => (await readersAt(account)) === 1);
    await acceptMessages(account.accountId, 5);
    const told = await acceptMessages(account.accountId, 4, numberId);
    const page = await waiting;
    expect(page.data.map(messageOf)).toEqual(told.slice(0, 2));
    expect(page.hasMore).toBe(true);
    const rest = await read(account, `?after=${page.nextCursor}&numberId=${numberId}`);
    expect(rest.data.map(messageOf)).toEqual(told.slice(2));
  });
});

describe('server-sent events', () => {
  test('bring what there is, and then what happens', async () => {
    const account = await openAccount();
    const before = await acceptMessages(account.accountId, 3);
    const stream = await openStream(account);
    expect(await stream.messageIds(3)).toEqual(before);
    const after = await acceptMessages(account.accountId, 2);
    expect(await stream.messageIds(2)).toEqual(after);
  });

  test('carry the same events as the pages', async () => {
    const account = await openAccount();
    await acceptMessages(account.accountId, 2);
    expect(await (await openStream(account)).events(2)).toEqual((await read(account)).data);
  });

  test('go on behind Last-Event-ID, which is newer than the URL', async () => {
    const account = await openAccount();
    const told = await acceptMessages(account.accountId, 4);
    const { data } = await read(account);
    const url = `?after=${data[0]?.cursor}`;
    expect(await (await openStream(account, url)).messageIds(3)).toEqual(told.slice(1));
    const resumed = await openStream(account, url, { 'Last-Event-ID': data[2]?.cursor ?? '' });
    expect(await resumed.messageIds(1)).toEqual(told.slice(3));
  });

  test('bring only what the filter names', async () => {
    const account = await openAccount();
    const numberId = newUuid();
    const stream = await openStream(account, `?after=now&events=message.queued&numberId=${numberId}`);
    await stream.block();
    await acceptMessages(account.accountId, 2);
    const told = await acceptMessages(account.accountId, 2, numberId);
    expect(await stream.messageIds(2)).toEqual(told);
  });

  test('wait for a client that reads slowly, and lose nothing of 3,000 events', async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    const told = await acceptMessages(account.accountId, 1);
    expect(await stream.messageIds(1)).toEqual(told);
    await until(async () => (await readersAt(account)) === 1);
    // Nobody reads meanwhile.
    const rest = await acceptMessages(account.accountId, 3_000);
    expect(await stream.messageIds(3_000)).toEqual(rest);
  });

  test('lose and repeat nothing when the log is evicted midway', async () => {
    const account = await openAccount();
    const log = env.EVENT_LOG.getByName(account.accountId);
    const stream = await openStream(account);
    const told: string[] = [];
    const found: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      told.push(...(await acceptMessages(account.accountId, 150)));
      found.push(...(await stream.messageIds(100)));
      await evictDurableObject(log);
    }
    found.push(...(await stream.messageIds(150)));
    expect(found).toEqual(told);
  });

  test('tell at once where they begin, and now and then that all is well', async () => {
    const account = await openAccount();
    hasten(heartbeatMs);
    const stream = await openStream(account, '?after=now');
    expect(await stream.block()).toBe(':');
    // So that whoever is cut off before the first event misses none.
    const { nextCursor } = await read(account, '?after=now');
    expect(await stream.block()).toBe(`id: ${nextCursor}`);
    expect(await stream.block()).toBe(':');
    vi.restoreAllMocks();
    const told = await acceptMessages(account.accountId, 1);
    expect(await stream.messageIds(1)).toEqual(told);
  });

  test('end after a while, and can be taken up again where they ended', async () => {
    const account = await openAccount();
    hasten(heartbeatMs);
    const stream = await openStream(account, '?after=now');
    for (const _ of ['open', 'id']) await stream.block();
    const before = await acceptMessages(account.accountId, 1);
    const [event] = await stream.events(1);
    expect([event].map((it) => it && messageOf(it))).toEqual(before);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    // One may have been on its way.
    const last = await stream.block();
    if (last !== null) expect([last, await stream.block()]).toEqual([':', null]);
    await until(async () => (await readersAt(account)) === 0);
    vi.useRealTimers();
    const told = await acceptMessages(account.accountId, 1);
    expect(await (await openStream(account, `?after=${event?.cursor}`)).messageIds(1)).toEqual(told);
  });

  test('end at the log too when the client reads nothing for a minute', async () => {
    const account = await openAccount();
    hasten(stalledMs);
    const stream = await openStream(account, '?after=now');
    await acceptMessages(account.accountId, 1);
    const [event] = await stream.events(1);
    const unread = await acceptMessages(account.accountId, 2);
    await until(async () => (await readersAt(account)) === 0);
    vi.restoreAllMocks();
    expect(await (await openStream(account, `?after=${event?.cursor}`)).messageIds(2)).toEqual(unread);
  });

  test('end at the log too when the client hangs up, and that is no fault', async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    await acceptMessages(account.accountId, 1);
    await stream.events(1);
    const faults = vi.spyOn(console, 'error');
    const next = stream.block().catch(() => null);
    await until(async () => (await readersAt(account)) === 1);
    await stream.reader.cancel();
    await next;
    await until(async () => (await readersAt(account)) === 0);
    expect(faults).not.toHaveBeenCalled();
  });

  test('refuse a cursor that is none, or too old, before they begin', async () => {
    const account = await openAccount();
    await acceptMessages(account.accountId, 2);
    const { data } = await read(account);
    await forgetEvents(account);
    const expired = await open(account, `?after=${data[0]?.cursor}`);
    expect({ status: expired.status, body: await expired.json() }).toMatchObject({
      status: 410,
      body: { error: { code: 'CURSOR_EXPIRED', details: [{ oldest: data[1]?.cursor }] } },
    });
    expect((await open(account, '', { 'Last-Event-ID': 'nonsense' })).status).toBe(400);
    expect((await open(account, '?limit=5')).status).toBe(400);
  });
});

describe('a WebSocket', () => {
  test('has an event in each frame, and goes on behind a cursor', async () => {
    const account = await openAccount();
    const before = await acceptMessages(account.accountId, 3);
    const first = await openSocket(account);
    expect(await first.messageIds(3)).toEqual(before);
    expect(first.events).toEqual((await read(account)).data);
    first.socket.close();
    const meanwhile = await acceptMessages(account.accountId, 2);
    const second = await openSocket(account, `?after=${first.events.at(-1)?.cursor}`);
    const after = await acceptMessages(account.accountId, 1);
    expect(await second.messageIds(3)).toEqual([...meanwhile, ...after]);
  });

  test('ends at the log too when the client closes it', async () => {
    const account = await openAccount();
    const { socket } = await openSocket(account, '?after=now');
    await until(async () => (await readersAt(account)) === 1);
    socket.close();
    await until(async () => (await readersAt(account)) === 0);
  });

  test('ends when it has carried more than a slow client may leave unread, and goes on where it was', async () => {
    const account = await openAccount();
    const numberId = newUuid();
    const texts = Array.from({ length: 160 }, (_, index) =>
      receivedMessage(numberId, index, 'x'.repeat(65_000)),
    );
    await tell(account.accountId, texts);
    const found: string[] = [];
    let after = '';
    let rounds = 0;
    for (; found.length < texts.length && rounds < 5; rounds += 1) {
      const stream = await openSocket(account, after);
      const names = () =>
        stream.events.flatMap(({ data }) => ('pushName' in data && 'text' in data ? data.pushName : []));
      await until(() => found.length + names().length === texts.length || stream.closeCode() === 1012);
      found.push(...names());
      after = `?after=${stream.events.at(-1)?.cursor}`;
    }
    expect(rounds).toBeGreaterThan(1);
    expect(found).toEqual(texts.map(({ message }) => message.pushName));
  });

  test('is refused as any other request is', async () => {
    const account = await openAccount();
    const upgrade = { Upgrade: 'websocket' };
    expect((await open(account, '?after=nonsense', upgrade)).status).toBe(400);
    expect((await open({ ...account, server: { 'X-API-Key': 'no' } }, '', upgrade)).status).toBe(401);
  });
});

describe('a credential that ends while a stream is open', () => {
  const inAMinute = () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
  const revoke = ({ owner: headers, apiKeyId }: TestAccount) =>
    ask('DELETE', `/v1/auth/api-keys/${apiKeyId}`, { headers });

  test('ends server-sent events about a minute later, and not before', async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    await stream.block();
    expect(await revoke(account)).toMatchObject({ status: 204 });
    const told = await acceptMessages(account.accountId, 1);
    expect(await stream.messageIds(1)).toEqual(told);
    inAMinute();
    // What the stream waits for still comes; then it asks, and ends.
    await acceptMessages(account.accountId, 1);
    await until(async () => (await stream.block()) === null);
  });

  test('is asked for before something is passed on that was waited for', async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    await stream.block();
    await revoke(account);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    await acceptMessages(account.accountId, 1);
    const blocks: string[] = [];
    for (let block = await stream.block(); block !== null; block = await stream.block()) blocks.push(block);
    expect(blocks.join()).not.toContain('message.queued');
  });

  test('has nothing of what a read has waited for, and the next read is refused', async () => {
    const account = await openAccount();
    const { nextCursor } = await read(account, '?after=now');
    const waiting = read(account, `?after=${nextCursor}&wait=30`);
    await until(async () => (await readersAt(account)) === 1);
    await revoke(account);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6_000 });
    await acceptMessages(account.accountId, 1);
    expect(await waiting).toEqual({ data: [], nextCursor, hasMore: false });
    expect(await refused(account, `?after=${nextCursor}`)).toMatchObject({ status: 401 });
  });

  test('ends a WebSocket too, and its reader at the log', async () => {
    const account = await openAccount();
    const socket = await openSocket(account, '?after=now');
    await until(async () => (await readersAt(account)) === 1);
    await revoke(account);
    inAMinute();
    await acceptMessages(account.accountId, 1);
    await until(() => socket.closeCode() !== null);
    await until(async () => (await readersAt(account)) === 0);
  });

  test("ends a key's stream with the scope that it was opened by", async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    await stream.block();
    await ask('PATCH', `/v1/auth/api-keys/${account.apiKeyId}`, {
      headers: account.owner,
      json: { scopes: ['messages:read'] },
    });
    inAMinute();
    await acceptMessages(account.accountId, 1);
    await until(async () => (await stream.block()) === null);
  });

  test("ends a person's stream with their session", async () => {
    const account = await openAccount();
    const person = { ...account, server: account.owner as unknown as TestAccount['server'] };
    const stream = await openStream(person, '?after=now');
    await stream.block();
    await env.DB.prepare('update sessions set ended_at = 1 where account_id = ?')
      .bind(account.accountId)
      .run();
    inAMinute();
    await acceptMessages(account.accountId, 1);
    await until(async () => (await stream.block()) === null);
  });

  test("ends an administrator's stream when they become an agent, who may not open one", async () => {
    const account = await openAccount();
    const person = { ...account, server: account.owner as unknown as TestAccount['server'] };
    const stream = await openStream(person, '?after=now');
    await stream.block();
    await env.DB.prepare("update memberships set role = 'agent' where account_id = ?")
      .bind(account.accountId)
      .run();
    inAMinute();
    await acceptMessages(account.accountId, 1);
    await until(async () => (await stream.block()) === null);
    expect((await open(person, '?after=now')).status).toBe(403);
  });

  test('goes on while the credential is good', async () => {
    const account = await openAccount();
    const stream = await openStream(account, '?after=now');
    await stream.block();
    inAMinute();
    const first = await acceptMessages(account.accountId, 1);
    expect(await stream.messageIds(1)).toEqual(first);
    const second = await acceptMessages(account.accountId, 1);
    expect(await stream.messageIds(1)).toEqual(second);
  });
});

test('the stream is read backwards too: the newest first, then what was before, each once, up to the oldest', async () => {
  const account = await openAccount();
  await acceptMessages(account.accountId, 7);
  const all = (await read(account)).data;
  const newest = await read(account, '?before=now&limit=3');
  expect(newest.data).toEqual(all.slice(-3));
  expect(newest.hasMore).toBe(true);
  const older = await read(account, `?before=${newest.nextCursor}&limit=100`);
  expect(older.data).toEqual(all.slice(0, -3));
  expect(older.hasMore).toBe(false);
  // There is one more.
  const butOne = await read(account, `?before=now&limit=${all.length - 1}`);
  expect(butOne.hasMore).toBe(true);
  expect(await read(account, `?before=${butOne.nextCursor}`)).toMatchObject({
    data: [all[0]],
    hasMore: false,
  });
  const one = await read(account, `?before=${all[2]?.cursor}&limit=1`);
  expect(one.data).toEqual([all[2]]);
  expect((await refused(account, '?before=now&after=now')).status).toBe(400);
  expect((await refused(account, '?before=now&wait=5')).status).toBe(400);
  expect(await refused(account, '?before=nonsense')).toMatchObject({
    status: 400,
    body: { error: { details: [{ path: 'before' }] } },
  });
});

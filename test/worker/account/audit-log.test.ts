import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { sweep } from '../../../src/worker/sweep.ts';
import { doorWith, refreshCookieOf } from '../configured-door.ts';
import { ask, eventually, openAccount, type TestAccount } from '../front-door.ts';
import { addMember } from '../openapi/openapi-arrangements.ts';

interface Entry {
  id: string;
  previousHash: string;
  hash: string;
  action: string;
  targetName: string;
}

const verify = async ({ owner }: TestAccount) =>
  (await ask('GET', '/v1/audit-log/verify', { headers: owner })).body;
const entriesOf = async ({ owner }: TestAccount): Promise<Entry[]> =>
  (await ask('GET', '/v1/audit-log?limit=200', { headers: owner })).body.data;
const makeKey = ({ owner }: TestAccount, name: string) =>
  ask('POST', '/v1/auth/api-keys', {
    headers: { ...owner, 'CF-Connecting-IP': '203.0.113.9' },
    json: { name },
  });

const logOf = ({ accountId }: TestAccount) => env.AUDIT_LOG.getByName(accountId);
const waitingOf = async ({ accountId }: TestAccount) =>
  (await env.DB.prepare('select * from audit_outbox where account_id = ?').bind(accountId).all()).results;

/** Changes what no statement may change: somebody with the storage in their hands, who takes the triggers off first. */
const tamper = (account: TestAccount, sql: string, ...values: SqlStorageValue[]) =>
  runInDurableObject(logOf(account), (_log, { storage }) => {
    const triggers = storage.sql
      .exec<{ name: string; sql: string }>("select name, sql from sqlite_master where type = 'trigger'")
      .toArray();
    for (const { name } of triggers) storage.sql.exec(`drop trigger ${name}`);
    storage.sql.exec(sql, ...values);
    for (const trigger of triggers) storage.sql.exec(trigger.sql);
  });

describe('the audit log', () => {
  test('says who did what, on what, when, from where, and under which request', async () => {
    const account = await openAccount('Example Ltd');
    const { user } = (await ask('GET', '/v1/auth/me', { headers: account.owner })).body;
    const made = await makeKey(account, 'Till 3');
    const [entry] = await entriesOf(account);
    expect(entry).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      actor: `user:${user.id}`,
      actorName: account.email,
      action: 'api_key.created',
      target: `api_key:${made.body.id}`,
      targetName: 'Till 3',
      address: '203.0.113.9',
      requestId: made.headers.get('X-Request-Id'),
      previousHash: expect.stringMatching(/^[0-9a-f]{64}$/),
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test('begins with the account, and each entry carries the hash of the one before', async () => {
    const account = await openAccount();
    await makeKey(account, 'one more');
    const entries = (await entriesOf(account)).toReversed();
    expect(entries.map(({ action }) => action)).toEqual([
      'account.created',
      'session.started',
      'api_key.created',
      'api_key.created',
    ]);
    expect(entries[0]?.previousHash).toBe('0'.repeat(64));
    for (const [index, { previousHash }] of entries.entries()) {
      if (index > 0) expect(previousHash).toBe(entries[index - 1]?.hash);
    }
    expect(await verify(account)).toEqual({
      valid: true,
      entries: 4,
      lastHash: entries.at(-1)?.hash,
      brokenAt: null,
    });
  });

  test('is one chain however many write at once: 150 keys made together are all made, each with its entry', async () => {
    const account = await openAccount();
    // A person alone is not allowed so many requests at once, and the free plan not so many keys.
    const admin = await addMember(account, 'admin', account.password);
    const login = await ask('POST', '/v1/auth/login', {
      json: { email: admin.email, password: account.password },
    });
    const people = [account.owner, { Authorization: `Bearer ${login.body.token}` }];
    const door = doorWith({ PLANS: '{"free": "unlimited"}' });
    const names = Array.from({ length: 150 }, (_, index) => `key ${index}`);
    const answers = await Promise.all(
      names.map((name, index) =>
        door('POST', '/v1/auth/api-keys', { headers: people[index % 2] ?? {}, json: { name } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const entries = await entriesOf(account);
    expect(entries.map(({ targetName }) => targetName)).toEqual(expect.arrayContaining(names));
    expect(await verify(account)).toMatchObject({ valid: true, entries: 154 });
    expect(await waitingOf(account)).toEqual([]);
  });

  test('fails no log-out, however many there are at once', async () => {
    const { email, password, ...account } = await openAccount();
    const logins = [];
    for (let half = 0; half < 2; half += 1) {
      const group = Array.from({ length: 50 }, () =>
        ask('POST', '/v1/auth/login', { json: { email, password } }),
      );
      logins.push(...(await Promise.all(group)));
    }
    const cookies = logins.map((answer) => refreshCookieOf(answer).header);
    const answers = await Promise.all(cookies.map((headers) => ask('POST', '/v1/auth/logout', { headers })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    const audit = await ask('GET', '/v1/audit-log?limit=200', { headers: account.owner });
    const ended = audit.body.data.filter(({ action }: Entry) => action === 'session.ended');
    expect(ended).toHaveLength(100);
  });

  test('records a change also while its object is away; the cron chains it, once', async () => {
    const account = await openAccount();
    const away = { getByName: () => ({ collect: () => Promise.reject(new Error('away')) }) };
    const door = doorWith({ AUDIT_LOG: away });
    let made = 0;
    // What was told behind an answer before may come late, and takes over what it finds: then another change is made.
    const waiting = await eventually(async () => {
      made += 1;
      const json = { name: `meanwhile ${made}` };
      const answer = await door('POST', '/v1/auth/api-keys', { headers: account.owner, json });
      expect(answer.status).toBe(201);
      return (await waitingOf(account)).find(({ target_name }) => target_name === json.name);
    });
    expect(waiting).toMatchObject({ action: 'api_key.created' });
    await sweep(env, Date.now() + 60_000);
    expect(await waitingOf(account)).toEqual([]);
    // The same row once more, as if it had not been forgotten in time.
    const columns = Object.keys(waiting);
    await env.DB.prepare(`insert into audit_outbox (${columns}) values (${columns.map(() => '?')})`)
      .bind(...Object.values(waiting))
      .run();
    const entries = await entriesOf(account);
    expect(entries.filter(({ targetName }) => targetName === waiting.target_name)).toHaveLength(1);
    expect(await verify(account)).toMatchObject({ valid: true, entries: 3 + made });
  });

  test('is verified with all that waits for it, however much that is, to its last entry', async () => {
    const account = await openAccount();
    const add = (accountId: string, first: number, last: number) =>
      env.DB.prepare(
        `insert into audit_outbox (id, account_id, at, actor, action, target, request_id)
           with recursive c(n) as (select ?2 union all select n + 1 from c where n < ?3)
           select printf('00000000-0000-4000-8000-%012d', n), ?1, n, 'operator', 'api_key.created', 'api_key:1', 'req_1' from c`,
      )
        .bind(accountId, first, last)
        .run();
    await add(account.accountId, 1, 1_099);
    await add(crypto.randomUUID(), 2_000, 2_001);
    expect(await verify(account)).toMatchObject({ valid: true, entries: 1_102 });
    await add(account.accountId, 1_100, 1_100);
    const last = '00000000-0000-4000-8000-000000001100';
    expect((await entriesOf(account))[0]?.id).toBe(last);
    await tamper(account, 'update entries set at = 0 where id = ?', last);
    expect(await verify(account)).toMatchObject({ valid: false, entries: 1_102 });
  });

  test('is told behind the answer, so that nothing waits for somebody to read it', async () => {
    const account = await openAccount();
    await makeKey(account, 'one more');
    await eventually(async () => (await waitingOf(account)).length === 0);
  });

  test('cannot be changed or deleted by any statement of the gateway', async () => {
    const account = await openAccount();
    await entriesOf(account);
    for (const sql of ["update entries set action = 'nothing'", 'delete from entries']) {
      const run = runInDurableObject(logOf(account), (_log, { storage }) => void storage.sql.exec(sql));
      await expect(run).rejects.toThrow('append-only');
    }
  });

  test('shows where somebody with the storage in their hands has changed, removed or slipped in an entry', async () => {
    const account = await openAccount();
    for (const name of ['a', 'b', 'c']) await makeKey(account, name);
    const [, second] = await entriesOf(account);
    const id = second?.id ?? '';
    await tamper(account, "update entries set target_name = 'z' where id = ?", id);
    expect(await verify(account)).toMatchObject({
      valid: false,
      entries: 4,
      brokenAt: { id, reason: 'changed' },
    });
    await tamper(account, "update entries set target_name = 'b' where id = ?", id);
    expect(await verify(account)).toMatchObject({ valid: true, entries: 6 });
    const slippedIn = crypto.randomUUID();
    const stranger = `insert into entries select 7, ?, at, actor, actor_name, action, target, target_name,
      address, request_id, previous_hash, hash from entries where seq = 6`;
    await tamper(account, stranger, slippedIn);
    expect(await verify(account)).toMatchObject({
      valid: false,
      entries: 6,
      brokenAt: { id: slippedIn, reason: 'changed' },
    });
    await tamper(account, 'delete from entries where seq = 7');
    await tamper(account, 'delete from entries where id = ?', id);
    expect(await verify(account)).toMatchObject({
      valid: false,
      entries: 4,
      brokenAt: { reason: 'missing_before' },
    });
  });

  test('of one account holds nothing of another', async () => {
    const [mine, theirs] = [await openAccount(), await openAccount()];
    await makeKey(theirs, 'secret plan');
    expect(JSON.stringify(await entriesOf(mine))).not.toContain('secret plan');
  });

  test('is read page by page without a gap, also when entries come in between', async () => {
    const account = await openAccount();
    for (const name of ['a', 'b']) await makeKey(account, name);
    const all = await entriesOf(account);
    const list = (query: string) => ask('GET', `/v1/audit-log?limit=2${query}`, { headers: account.owner });
    const first = await list('');
    await makeKey(account, 'in between');
    const second = await list(`&cursor=${first.body.nextCursor}`);
    const third = await list(`&cursor=${second.body.nextCursor}`);
    const read = [...first.body.data, ...second.body.data, ...third.body.data];
    expect(read).toEqual(all);
    expect(third.body.nextCursor).toBeNull();
  });
});

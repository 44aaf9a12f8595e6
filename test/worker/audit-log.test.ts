import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { ask, openAccount, type TestAccount } from './front-door.ts';

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

/** Changes what no statement may change: somebody with the database in their hands, who takes the triggers off first. */
async function tamper(sql: string, ...values: unknown[]): Promise<void> {
  const triggers = await env.DB.prepare("select name, sql from sqlite_master where type = 'trigger'").all<{
    name: string;
    sql: string;
  }>();
  for (const { name } of triggers.results) await env.DB.exec(`drop trigger ${name}`);
  await env.DB.prepare(sql)
    .bind(...values)
    .run();
  for (const trigger of triggers.results) await env.DB.prepare(trigger.sql).run();
}

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

  test('is one chain however many write at once, and no change is without its entry', async () => {
    const account = await openAccount();
    const names = Array.from({ length: 20 }, (_, index) => `key ${index}`);
    const answers = await Promise.all(names.map((name) => makeKey(account, name)));
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 201));
    const entries = await entriesOf(account);
    expect(entries.map(({ targetName }) => targetName)).toEqual(expect.arrayContaining(names));
    expect(await verify(account)).toMatchObject({ valid: true, entries: 23 });
  });

  test('cannot be changed or deleted by any statement of the gateway', async () => {
    const account = await openAccount();
    const statements = ["update audit_log set action = 'nothing'", 'delete from audit_log'];
    for (const sql of statements) {
      const run = env.DB.prepare(`${sql} where account_id = ?`).bind(account.accountId).run();
      await expect(run).rejects.toThrow('append-only');
    }
  });

  test('shows where somebody with the database in their hands has changed, removed or slipped in an entry', async () => {
    const account = await openAccount();
    for (const name of ['a', 'b', 'c']) await makeKey(account, name);
    const [, second] = await entriesOf(account);
    const id = second?.id ?? '';
    await tamper("update audit_log set target_name = 'z' where id = ?", id);
    expect(await verify(account)).toMatchObject({
      valid: false,
      entries: 4,
      brokenAt: { id, reason: 'changed' },
    });
    await tamper("update audit_log set target_name = 'b' where id = ?", id);
    expect(await verify(account)).toMatchObject({ valid: true, entries: 6 });
    const stranger = `insert into audit_log (account_id, id, at, actor, action, target, request_id)
      values (?, '0', ?, 'user:0', 'api_key.created', 'api_key:0', 'req_0')`;
    await tamper(stranger, account.accountId, Date.now());
    expect(await verify(account)).toMatchObject({
      valid: false,
      brokenAt: { id: '0', reason: 'outside_chain' },
    });
    await tamper("delete from audit_log where id = '0'");
    await tamper('delete from audit_log where id = ?', id);
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

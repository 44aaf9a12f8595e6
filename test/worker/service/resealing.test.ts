import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { openSecret, sealSecret } from '../../../src/durable/sealed-secret.ts';
import { countSealed, resealSome, sealedIn, sealedPlaces } from '../../../src/worker/db/resealing.ts';
import { doorWith } from '../configured-door.ts';
import { ask, openAccount } from '../front-door.ts';

const otherKey = () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64');
const replaced = {
  ...env,
  WEBHOOK_SEALING_KEY: otherKey(),
  WEBHOOK_SEALING_KEY_PREVIOUS: env.WEBHOOK_SEALING_KEY,
};
const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };

/** Rows with everything that a table insists on. */
async function insert(table: string, values: Record<string, unknown>): Promise<void> {
  const { results } = await env.DB.prepare(`PRAGMA table_info(${table})`).all<{
    name: string;
    notnull: number;
    type: string;
  }>();
  const needed = results
    .filter(({ name, notnull }) => notnull === 1 && !(name in values))
    .map(({ name, type }) => [name, type.toUpperCase() === 'INTEGER' ? 0 : '[]']);
  const row = Object.fromEntries([...needed, ...Object.entries(values)]);
  const names = Object.keys(row);
  await env.DB.prepare(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
}

/** What is found in each place, by the id of its row. */
async function found(id: string): Promise<string[]> {
  const all: string[] = [];
  for (const place of sealedPlaces) {
    const query = `SELECT ${sealedIn(place)} AS sealed FROM ${place.table} WHERE ${place.id} = ?`;
    const row = await env.DB.prepare(query).bind(id).first<{ sealed: string | null }>();
    if (row?.sealed)
      all.push(
        await openSecret(
          { WEBHOOK_SEALING_KEY: replaced.WEBHOOK_SEALING_KEY },
          place.ownerOf(id),
          row.sealed,
        ),
      );
  }
  return all;
}

/** One row in each table, with a secret of its own in each place of it. */
async function fill(accountId: string): Promise<string> {
  const id = newUuid();
  for (const table of new Set(sealedPlaces.map((place) => place.table))) {
    const places = sealedPlaces.filter((place) => place.table === table);
    const values: Record<string, unknown> = {};
    for (const place of places) {
      const sealed = await sealSecret(env, place.ownerOf(id), `${table} ${place.column}`);
      values[place.id] = id;
      if (place.account !== null) values[place.account] = accountId;
      values[place.column] = place.jsonPath
        ? JSON.stringify({ presence: 'available', sealedProxyUrl: sealed })
        : sealed;
    }
    await insert(table, values);
  }
  return id;
}

let accountId: string;
beforeAll(async () => {
  ({ accountId } = await openAccount());
});

test('every column of the database that is sealed is among the places that are sealed anew', async () => {
  const { results } = await env.DB.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").all<{
    name: string;
    sql: string;
  }>();
  const columns = results.flatMap(({ name, sql }) =>
    [...sql.matchAll(/`(\w*sealed\w*)`/g)].map(([, column]) => `${name}.${column}`),
  );
  const places = sealedPlaces.filter(({ jsonPath }) => jsonPath === undefined);
  expect(columns.sort()).toEqual(places.map(({ table, column }) => `${table}.${column}`).sort());
});

test('what is sealed under the key before is sealed anew, so much at a time, until nothing is under it', async () => {
  const id = await fill(accountId);
  const kinds = sealedPlaces.map(({ table, column }) => `${table} ${column}`).sort();
  expect(await countSealed(replaced)).toMatchObject({ current: 0, unknown: 0 });
  const { previous } = await countSealed(replaced);
  expect(previous).toBeGreaterThanOrEqual(kinds.length);
  expect(await resealSome(replaced, Date.now(), 4)).toBe(4);
  expect(await countSealed(replaced)).toMatchObject({ current: 4, previous: previous - 4 });
  while ((await resealSome(replaced, Date.now(), 4)) > 0);
  expect(await countSealed(replaced)).toEqual({ current: previous, previous: 0, unknown: 0 });
  expect((await found(id)).sort()).toEqual(kinds);
  // The rest of a number's settings is as it was.
  const number = await env.DB.prepare('SELECT session FROM numbers WHERE id = ?')
    .bind(id)
    .first<{ session: string }>();
  expect(JSON.parse(number?.session ?? '')).toMatchObject({ presence: 'available' });
  // Its objects have a copy, and are told.
  const waits = 'SELECT revision > refreshed_revision AS waits FROM accounts WHERE id = ?';
  expect(await env.DB.prepare(waits).bind(accountId).first('waits')).toBe(1);
});

test('what does not open is in the way of nothing else, and what is under an unknown key is told apart', async () => {
  const id = await fill(accountId);
  const stranger = await sealSecret({ WEBHOOK_SEALING_KEY: otherKey() }, id, 'a secret');
  const damaged = (await sealSecret(env, id, 'another')).replace(/.{8}$/, 'AAAAAAA=');
  await env.DB.prepare('UPDATE automations SET sealed_secret = ?, previous_sealed_secret = ? WHERE id = ?')
    .bind(stranger, damaged, id)
    .run();
  while ((await resealSome(replaced, Date.now())) > 0);
  expect(await countSealed(replaced)).toMatchObject({ previous: 1, unknown: 1 });
  const query = 'SELECT sealed_secret AS s, previous_sealed_secret AS p FROM automations WHERE id = ?';
  expect(await env.DB.prepare(query).bind(id).first()).toEqual({ s: stranger, p: damaged });
});

test('what was sealed before keys had ids counts as under the key before, and is sealed anew', async () => {
  const id = await fill(accountId);
  while ((await resealSome(replaced, Date.now())) > 0);
  const all = await countSealed(replaced);
  const [, withoutId = ''] = (await sealSecret(env, id, 'a secret')).split('.');
  await env.DB.prepare('UPDATE automations SET sealed_secret = ? WHERE id = ?').bind(withoutId, id).run();
  const { current, previous, unknown } = all;
  expect(await countSealed(replaced)).toEqual({ current: current - 1, previous: previous + 1, unknown });
  expect(await resealSome(replaced, Date.now())).toBe(1);
  expect(await countSealed(replaced)).toEqual(all);
});

test('nothing is sealed anew while there is no key before', async () => {
  await fill(accountId);
  expect(await resealSome(env, Date.now())).toBe(0);
});

test('the operator sees what is still under the key before, who has a key or a token from before, and no secret', async () => {
  const { previous } = await countSealed(replaced);
  const { body, text } = await doorWith(replaced)('GET', '/operator/secrets', { headers: operator });
  expect(body).toMatchObject({
    marks: { WEBHOOK_SEALING_KEY: expect.stringMatching(/^[0-9a-f]{16}$/) },
    sealed: { previous },
    madeBefore: { apiKeys: expect.any(Number), bridges: expect.any(Number) },
  });
  for (const secret of [replaced.WEBHOOK_SEALING_KEY, env.WEBHOOK_SEALING_KEY, env.KEY_CHECKSUM_SECRET])
    expect(text).not.toContain(secret);
  const { text: metrics } = await doorWith(replaced)('GET', '/metrics', { headers: operator });
  expect(metrics).toContain(`heliograph_sealed_entries{key="previous"} ${previous}`);
  expect((await ask('GET', '/metrics', { headers: operator })).text).not.toContain('sealed_entries');
  const long = await ask('GET', '/operator/secrets?madeBefore=2020-01-01T00:00:00Z', { headers: operator });
  expect(long.body.madeBefore).toEqual({ apiKeys: 0, bridges: 0 });
  expect((await ask('GET', '/operator/secrets?madeBefore=lately', { headers: operator })).status).toBe(400);
});

test('numbers whose vault has entries under another key of the bridges are named, with how many', async () => {
  const numberId = newUuid();
  await insert('numbers', { id: numberId, account_id: accountId, label: 'Sales' });
  await runInDurableObject(env.PHONE_NUMBER.getByName(numberId), (_, { storage }) => {
    for (const [key, sealed] of Object.entries({
      creds: '0101020304ff',
      a: '0105060708ff',
      b: '0105060708fe',
    }))
      storage.sql.exec('INSERT INTO vault (key, sealed) VALUES (?, ?)', key, Buffer.from(sealed, 'hex'));
  });
  const vaults = async (beginning: string) =>
    (await ask('GET', `/operator/secrets/vaults?beginning=${beginning}`, { headers: operator })).body;
  const entry = (entries: number) => ({ numberId, entries });
  expect(await vaults('0101020304')).toEqual({ numbers: expect.arrayContaining([entry(2)]), next: null });
  expect(await vaults('0105060708')).toEqual({ numbers: expect.arrayContaining([entry(1)]), next: null });
  expect((await ask('GET', '/operator/secrets/vaults?beginning=x', { headers: operator })).status).toBe(400);
});

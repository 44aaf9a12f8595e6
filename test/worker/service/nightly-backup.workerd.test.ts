import { env } from 'cloudflare:workers';
import { Decrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { beforeAll, expect, test } from 'vitest';
import { type Manifest, manifestSchema } from '../../../src/backup/manifest.ts';
import { keptObjects } from '../../../src/worker/backup/kept-objects.ts';
import { filesOfBackup, keptBackups } from '../../../src/worker/backup/nightly/kept-backups.ts';
import { backUpNightly } from '../../../src/worker/backup/nightly/nightly-backup.ts';
import { readNightlyState } from '../../../src/worker/backup/nightly/nightly-state.ts';
import { doorWith, mailTo, mailVariables } from '../configured-door.ts';
import { ask, openAccount, type TestAccount } from '../front-door.ts';

const operator = { Authorization: `Bearer ${env.BOOTSTRAP_TOKEN}` };
type Variables = Partial<Record<keyof Env, unknown>>;

const dayMs = 86_400_000;
/** Each test has nights of its own. */
let night = Date.parse('2030-01-01T03:00:00Z');
let identity: string;
let nightly: Env;
let account: TestAccount;

beforeAll(async () => {
  identity = await generateX25519Identity();
  nightly = { ...env, BACKUP_RECIPIENT: await identityToRecipient(identity), BACKUPS_KEPT: '2' };
  account = await openAccount();
});

async function opened(key: string): Promise<string> {
  const sealed = await env.ARCHIVE.get(key);
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  const zipped = await decrypter.decrypt(new Uint8Array(await (sealed ?? expect.fail(key)).arrayBuffer()));
  return new Response(
    new Blob([new Uint8Array(zipped)]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text();
}

/** Runs of the cron, a minute each, until the backup is complete; answers how many. */
async function untilComplete(max?: number): Promise<number> {
  for (let runs = 1; ; runs += 1) {
    await backUpNightly(nightly, night + runs * 60_000, max);
    const state = (await readNightlyState(nightly))?.state;
    if (state?.run === null) return runs;
    if (runs > 500) expect.fail('it does not end');
  }
}

test('a backup is made by many runs of the cron, each of which does so much, and holds every object and the database', async () => {
  night += dayMs;
  const listed = await keptObjects(env);
  expect(await untilComplete(3)).toBeGreaterThan(10);
  const [name = ''] = await keptBackups(env);
  expect(name).toMatch(/^2030-01-02T03-0\d-00$/);
  const text = await opened(`backups/${name}/manifest.age`);
  const manifest: Manifest = manifestSchema.parse(JSON.parse(text));
  expect(manifest.objects.map(({ kind, name: it }) => `${kind} ${it}`)).toEqual(
    listed.map(({ kind, name: it }) => `${kind} ${it}`),
  );
  for (const { kind, pieces = [] } of manifest.objects) {
    const texts = await Promise.all(pieces.map(({ file }) => opened(`backups/${name}/${file}`)));
    const steps = texts
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { do: string });
    expect([kind, steps[0]?.do, steps.at(-1)?.do]).toEqual([kind, 'begin', 'finish']);
  }
  const database = await opened(`backups/${name}/${manifest.database.file}`);
  expect(database).toContain(account.accountId);
  expect(manifest).toMatchObject({ format: 2, kind: 'deployment', files: [], home: null });

  // What lies there tells nothing without the key.
  const { files } = await filesOfBackup(env, name, undefined);
  expect(files.length).toBeGreaterThan(manifest.objects.length);
  for (const { key } of files) {
    const bytes = Buffer.from(await ((await env.ARCHIVE.get(key)) ?? expect.fail(key)).arrayBuffer());
    expect(bytes.includes(account.accountId)).toBe(false);
  }
  expect(await (await env.ARCHIVE.get('backups/state'))?.text()).not.toContain(account.accountId);
});

test('one backup a night, not before its hour, and older ones go', async () => {
  const before = (await keptBackups(env)).length;
  night += dayMs;
  await backUpNightly(nightly, night - 60_000);
  expect((await readNightlyState(env))?.state.run ?? null).toBeNull();
  expect((await keptBackups(env)).length).toBe(before);
  await untilComplete();
  const [first] = await keptBackups(env);
  await backUpNightly(nightly, night + 3_600_000);
  expect((await readNightlyState(env))?.state.run).toBeNull();
  night += dayMs;
  await untilComplete();
  night += dayMs;
  await untilComplete();
  const kept = await keptBackups(env);
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(first);
  expect((await filesOfBackup(env, first ?? '', undefined)).files).toEqual([]);
});

test('two runs of the cron at once make one backup, and one that was cut off is gone on with', async () => {
  night += dayMs;
  const at = night + 60_000;
  await Promise.all([backUpNightly(nightly, at, 4), backUpNightly(nightly, at, 4)]);
  const known = (await readNightlyState(env)) ?? expect.fail('there is no state');
  expect(known.state.run).not.toBeNull();
  // As if a run had ended in the middle: nobody goes on while it may still be at it, and then somebody does.
  const { claimNightlyState } = await import('../../../src/worker/backup/nightly/nightly-state.ts');
  expect(await claimNightlyState(nightly, at, known)).not.toBeNull();
  await backUpNightly(nightly, at + 60_000);
  expect((await readNightlyState(env))?.state.run?.name).toBe(known.state.run?.name);
  await backUpNightly(nightly, at + 16 * 60_000);
  expect((await keptBackups(env))[0]).toBe(known.state.run?.name);
});

test('a backup that does not become complete is given up, and the operators have a mail', async () => {
  night += dayMs;
  const to = `operator-${crypto.randomUUID()}@example.com`;
  const broken = {
    ...nightly,
    ...mailVariables(),
    OPERATOR_EMAILS: to,
    EVENT_LOG: { getByName: () => ({ backUp: () => Promise.reject(new Error('it is away')) }) },
  } as unknown as Env;
  const kept = await keptBackups(env);
  for (let run = 1; run <= 10; run += 1) await backUpNightly(broken, night + run * 60_000);
  expect((await readNightlyState(env))?.state.run).toBeNull();
  expect(await keptBackups(env)).toEqual(kept);
  await expect
    .poll(async () => (await mailTo(to)).map(({ subject }) => subject))
    .toEqual(['The nightly backup of the gateway has failed']);
  const { text } = await doorWith({ BACKUP_RECIPIENT: nightly.BACKUP_RECIPIENT })('GET', '/metrics', {
    headers: operator,
  });
  expect(text).toMatch(/heliograph_backup_age_seconds \d+/);
});

/** The bits that fail are right, and so no setting is refused for them. */
const damagedRecipient = (recipient: string) =>
  `${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`;

test.for<[string, () => Variables]>([
  ['the database cannot be read', () => ({ DB: { prepare: () => expect.fail('no database') } })],
  [
    'its key is mistyped',
    () => ({ BACKUP_RECIPIENT: damagedRecipient(nightly.BACKUP_RECIPIENT ?? expect.fail('no key')) }),
  ],
  [
    'there is no bucket',
    () => ({ ARCHIVE: { get: () => Promise.reject(new Error('no such bucket (10006)')) } }),
  ],
])('a backup that cannot begin since %s is told of by one mail a night', async ([, variables]) => {
  night += dayMs;
  const to = `operator-${crypto.randomUUID()}@example.com`;
  const broken = { ...nightly, ...mailVariables(), OPERATOR_EMAILS: to, ...variables() } as Env;
  for (let minute = 0; minute <= 30; minute += 1)
    await backUpNightly(broken, night + minute * 60_000).catch(() => {});
  await expect
    .poll(async () => (await mailTo(to)).map(({ subject }) => subject))
    .toEqual(['The nightly backup of the gateway has failed']);
});

test('figures say that the bucket of the nightly backup does not answer', async () => {
  const { BACKUP_RECIPIENT } = nightly;
  const up = async (variables: Variables) => {
    const { text } = await doorWith(variables)('GET', '/metrics', { headers: operator });
    return /heliograph_up\{part="backup"\} (\d)/.exec(text)?.[1];
  };
  const ARCHIVE = { get: () => Promise.reject(new Error('no such bucket (10006)')) };
  expect(await up({ BACKUP_RECIPIENT, ARCHIVE })).toBe('0');
  expect(await up({ BACKUP_RECIPIENT })).toBe('1');
  expect(await up({})).toBeUndefined();
});

test('the operator finds what was made, and no other backup holds it', async () => {
  const { body } = await ask('GET', '/operator/backup/kept', { headers: operator });
  expect(body.backups).toEqual(await keptBackups(env));
  const { body: page } = await ask('GET', `/operator/backup/kept/${body.backups[0]}`, { headers: operator });
  expect(page.files.map(({ file }: { file: string }) => file)).toContain('manifest.age');
  const { body: archive } = await ask('GET', '/operator/backup/files/archive', { headers: operator });
  expect(archive.files.filter(({ key }: { key: string }) => key.startsWith('backups/'))).toEqual([]);
});

test('nothing is made without a key to seal it for', async () => {
  night += dayMs;
  const before = await keptBackups(env);
  await backUpNightly(env, night + 60_000);
  expect(await keptBackups(env)).toEqual(before);
});

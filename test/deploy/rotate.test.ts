import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runDeploy } from '../../src/deploy/run-deploy.ts';
import type { Surroundings } from '../../src/deploy/surroundings.ts';
import { loadOrMakeSecrets } from '../../src/local/home/secrets.ts';
import { runRotate } from '../../src/rotate/run-rotate.ts';
import { secretMark } from '../../src/settings/secrets.ts';
import { CloudflareStandIn } from './cloudflare-stand-in.ts';
import { GatewayStandIn, newProject, recordingTerminal, secretsKept } from './project.ts';
import { QuickWrangler } from './quick-wrangler.ts';

let root: string;
let home: string;
let platform: CloudflareStandIn;
let time: number;
/** What the gateway says of its secrets; null: it does not answer. */
let state: object | null;
let vaults: object;

beforeEach(async () => {
  platform = await CloudflareStandIn.start();
  root = newProject();
  home = join(root, 'home');
  mkdirSync(home);
  time = Date.parse('2026-11-26T12:00:00.000Z');
  state = null;
  vaults = { numbers: [], next: null };
});
afterEach(async () => {
  await platform.stop();
  rmSync(root, { recursive: true });
});

const gateway = new GatewayStandIn(() => worker().secrets.get('BOOTSTRAP_TOKEN'));
const worker = () => platform.workers.get('heliograph') ?? expect.fail('there is no Worker');

function around(): { surroundings: Surroundings; said: () => string; waited: number[] } {
  const { terminal, said } = recordingTerminal(true);
  const waited: number[] = [];
  const ask = async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(String(input));
    if (pathname === '/operator/secrets')
      return state === null ? Promise.reject(new Error('refused')) : Response.json(state);
    if (pathname === '/operator/secrets/vaults') return Response.json(vaults);
    return gateway.fetch(input, init);
  };
  const surroundings: Surroundings = {
    projectRoot: root,
    environment: { CLOUDFLARE_API_BASE_URL: platform.url, HELIOGRAPH_HOME: home },
    wrangler: new QuickWrangler(root, platform.url),
    ...{ terminal, ask: null, fetch: ask, resolves: async () => false, now: () => time },
    wait: async (ms) => void waited.push(ms),
  };
  return { surroundings, said, waited };
}

async function rotate(...args: string[]) {
  const { surroundings, said, waited } = around();
  let problem: string | null = null;
  await runRotate(args, surroundings).catch((error) => {
    problem = error.message;
  });
  return { problem: problem as string | null, said: `${said()} ${problem}`, waited };
}

const inHome = () => JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
const nothingUnder = (marks: Record<string, string>, more = {}) => ({
  marks,
  sealed: { current: 9, previous: 0, unknown: 0 },
  accountsToRefresh: 0,
  madeBefore: { apiKeys: 0, bridges: 0 },
  ...more,
});

const replaceable = ['JWT_PRIVATE_KEY', 'WEBHOOK_SEALING_KEY', 'KEY_CHECKSUM_SECRET', 'MEDIA_URL_SECRET'];
const localNames: Record<string, string> = {
  JWT_PRIVATE_KEY: 'jwtPrivateKey',
  WEBHOOK_SEALING_KEY: 'webhookSealingKey',
  KEY_CHECKSUM_SECRET: 'keyChecksumSecret',
  MEDIA_URL_SECRET: 'mediaUrlSecret',
  VAULT_KEY: 'vaultKey',
};

test.each([...replaceable, 'VAULT_KEY'])(
  '%s of a state folder is replaced, the one before is kept, and neither is said',
  async (name) => {
    loadOrMakeSecrets(home, 'simulator');
    const own = localNames[name] ?? '';
    const before = inHome();
    const { problem, said } = await rotate(name);
    expect(problem).toBeNull();
    const after = inHome();
    expect(after[own]).not.toEqual(before[own]);
    expect(after).toEqual({
      ...before,
      [own]: after[own],
      [`${own}Previous`]: before[own],
      [`${own}ReplacedAt`]: '2026-11-26T12:00:00.000Z',
    });
    expect(statSync(join(home, 'secrets.json')).mode & 0o777).toBe(0o600);
    // A gateway starts with it.
    expect(loadOrMakeSecrets(home, 'simulator')).toEqual(after);
    for (const secret of [before[own], after[own]])
      expect(said).not.toContain(typeof secret === 'string' ? secret : secret.d);
    expect(said).toContain(`npm run rotate -- ${name} --finish`);

    const again = await rotate(name);
    expect(again.problem).toMatch(/is being replaced already, since 2026-11-26T12:00:00.000Z/);
    expect(inHome()).toEqual(after);
    await rotate(name, '--finish', '--force');
    expect(inHome()).toEqual({ ...before, [own]: after[own] });
    expect((await rotate(name, '--finish')).problem).toContain('is not being replaced');
  },
);

test.each(['BOOTSTRAP_TOKEN', 'BRIDGE_ENROLMENT_TOKEN'])(
  '%s of a state folder is replaced, and the one before ends',
  async (name) => {
    loadOrMakeSecrets(home, 'simulator');
    const own = name === 'BOOTSTRAP_TOKEN' ? 'bootstrapToken' : 'bridgeToken';
    const before = inHome();
    expect((await rotate(name)).said).toContain('not accepted any more');
    expect(inHome()).toEqual({ ...before, [own]: inHome()[own] });
    expect(inHome()[own]).not.toBe(before[own]);
  },
);

test('a secret of a deployment is known everywhere before anything uses it, and put in place in one step', async () => {
  const { surroundings } = around();
  await runDeploy(['--yes'], surroundings);
  for (const name of replaceable) {
    const before = worker().secrets.get(name) ?? '';
    const steps: (string | undefined)[][] = [];
    platform.refuse = (method, path) => {
      if (method === 'PATCH' && path.endsWith('secrets-bulk'))
        steps.push([worker().secrets.get(name), worker().secrets.get(`${name}_PREVIOUS`)]);
      return null;
    };
    const { problem, said, waited } = await rotate(name, '--env', 'production');
    expect(problem).toBeNull();
    const after = worker().secrets.get(name) ?? '';
    expect(after).not.toBe(before);
    // It opens what the others do that use it already, and signs nothing yet.
    expect(steps).toEqual([
      [before, undefined],
      [before, after],
    ]);
    expect(waited).toEqual([60_000]);
    expect(worker().secrets.get(`${name}_PREVIOUS`)).toBe(before);
    expect(secretsKept(root)).toMatchObject({ [name]: after, [`${name}_PREVIOUS`]: before });
    for (const secret of [before, after]) expect(said).not.toContain(secret);
  }
  expect(existsSync(join(root, '.cloudflare/private/production.upload.json'))).toBe(false);
  expect(platform.unknown).toEqual([]);

  // The next deployment leaves all of it as it is.
  const secrets = new Map(worker().secrets);
  platform.refuse = () => null;
  await runDeploy(['--yes'], around().surroundings);
  expect(worker().secrets).toEqual(secrets);
});

test('a replacement that is cut off anywhere loses no secret, and the next run goes on with the same one', async () => {
  await runDeploy(['--yes'], around().surroundings);
  for (const [name, cutAt] of [
    ['WEBHOOK_SEALING_KEY', 1],
    ['KEY_CHECKSUM_SECRET', 2],
    ['BOOTSTRAP_TOKEN', 1],
  ] as const) {
    const before = worker().secrets.get(name);
    let asked = 0;
    platform.refuse = (_, path) => {
      if (!path.endsWith('secrets-bulk')) return null;
      asked += 1;
      return asked === cutAt ? { status: 400, error: { code: 1, message: 'cut off' } } : null;
    };
    expect((await rotate(name, '--env', 'production')).problem).toContain('cut off');
    expect(worker().secrets.get(name)).toBe(before);
    const made = secretsKept(root)[name];
    expect(secretsKept(root)[`${name}_PREVIOUS`]).toBe(before);
    platform.refuse = () => null;
    await rotate(name, '--env', 'production');
    expect(worker().secrets.get(name)).toBe(made);
    expect(worker().secrets.get(`${name}_PREVIOUS`)).toBe(name === 'BOOTSTRAP_TOKEN' ? undefined : before);
  }
  expect(secretsKept(root).BOOTSTRAP_TOKEN_PREVIOUS).toBeUndefined();
});

test('the sealing key before goes when nothing is sealed under it and every object has been told', async () => {
  await runDeploy(['--yes'], around().surroundings);
  const name = 'WEBHOOK_SEALING_KEY';
  await rotate(name, '--env', 'production');
  const finish = () => rotate(name, '--env', 'production', '--finish');
  expect((await finish()).problem).toContain('does not say what is still under it');
  const old = { [name]: secretMark(name, worker().secrets.get(`${name}_PREVIOUS`) ?? '') };
  state = nothingUnder(old);
  expect((await finish()).problem).toContain('does not use the new one yet');
  const marks = { [name]: secretMark(name, worker().secrets.get(name) ?? '') };
  state = nothingUnder(marks, { sealed: { current: 3, previous: 2, unknown: 0 } });
  expect((await finish()).problem).toContain('2 of 5 entries are sealed under it');
  state = nothingUnder(marks, { accountsToRefresh: 1 });
  expect((await finish()).problem).toContain('objects of 1 accounts');
  expect(worker().secrets.has(`${name}_PREVIOUS`)).toBe(true);
  state = nothingUnder(marks);
  expect(await finish()).toMatchObject({ problem: null });
  expect(worker().secrets.has(`${name}_PREVIOUS`)).toBe(false);
  expect(secretsKept(root)[`${name}_PREVIOUS`]).toBeUndefined();
});

test('others go when their time is over, and the secret of API keys when none is left from before', async () => {
  loadOrMakeSecrets(home, 'simulator');
  for (const [name, ms] of [
    ['MEDIA_URL_SECRET', 3_600_000],
    ['JWT_PRIVATE_KEY', 86_400_000],
  ] as const) {
    await rotate(name);
    time += ms - 1;
    expect((await rotate(name, '--finish')).problem).toMatch(/what it has signed is good until 2026-11-2\d/);
    time += 60_001;
    expect((await rotate(name, '--finish')).problem).toBeNull();
  }
  writeFileSync(join(home, 'local.json'), JSON.stringify({ baseUrl: 'http://127.0.0.1:1' }));
  const name = 'KEY_CHECKSUM_SECRET';
  await rotate(name);
  const marks = { [name]: secretMark(name, inHome().keyChecksumSecret) };
  state = nothingUnder(marks, { madeBefore: { apiKeys: 2, bridges: 1 } });
  expect((await rotate(name, '--finish')).problem).toContain('2 API keys and 1 session bridges');
  state = nothingUnder(marks);
  expect((await rotate(name, '--finish')).problem).toBeNull();
});

test('the vault key before goes when no number has an entry under it, connected or not', async () => {
  await runDeploy(['--yes'], around().surroundings);
  const file = join(root, '.cloudflare/private/production.bridge.env');
  const key = /^VAULT_KEY=(.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  const secrets = new Map(worker().secrets);
  const { said } = await rotate('VAULT_KEY', '--env', 'production');
  expect(said).toContain('Give every bridge');
  const lines = readFileSync(file, 'utf8');
  expect(lines).toContain(`VAULT_KEY_PREVIOUS=${key}\n`);
  expect(lines).toMatch(/^VAULT_KEY=.+$/m);
  expect(lines).toMatch(/^GATEWAY_URL=/m);
  expect(worker().secrets).toEqual(secrets);
  vaults = { numbers: [{ numberId: 'number-1', entries: 7 }], next: null };
  const finish = () => rotate('VAULT_KEY', '--env', 'production', '--finish');
  expect((await finish()).problem).toContain('7 entries of 1 numbers are sealed under it');
  vaults = { numbers: [], next: null };
  expect((await finish()).problem).toBeNull();
  expect(readFileSync(file, 'utf8')).not.toContain('VAULT_KEY_PREVIOUS');
});

test.each([
  [[], /^Name one secret: JWT_PRIVATE_KEY/],
  [['PASSWORD'], /^Name one secret/],
  [['VAULT_KEY', '--force'], /^--force is for --finish/],
  [['VAULT_KEY'], /^There is no gateway in /],
  [['VAULT_KEY', '--env', 'elsewhere'], /^No deployment elsewhere is known on this machine/],
])('%j is refused with a sentence', async (args, sentence) => {
  expect((await rotate(...args)).problem).toMatch(sentence);
});

test('a damaged file of secrets is named, and nothing of it is shown', async () => {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'secrets.json'), '{"bootstrapToken": top-secret}');
  const { said } = await rotate('BOOTSTRAP_TOKEN');
  expect(said).toContain('secrets.json is damaged: it is not valid JSON');
  expect(said).not.toContain('top-secret');
});

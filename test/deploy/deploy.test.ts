import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runDeploy } from '../../src/deploy/run-deploy.ts';
import type { Surroundings } from '../../src/deploy/surroundings.ts';
import { accountId, CloudflareStandIn } from './cloudflare-stand-in.ts';
import { configWritten, GatewayStandIn, newProject, recordingTerminal, secretsKept } from './project.ts';
import { QuickWrangler } from './quick-wrangler.ts';

let platform: CloudflareStandIn;
let root: string;

beforeEach(async () => {
  platform = await CloudflareStandIn.start();
  root = newProject();
});
afterEach(async () => {
  await platform.stop();
  rmSync(root, { recursive: true });
});

interface Run {
  args?: string[];
  answers?: string[];
  environment?: NodeJS.ProcessEnv;
  isRead?: boolean;
  gateway?: GatewayStandIn;
  wrangler?: QuickWrangler;
  resolves?: boolean;
}

/** One run of the command; with `answers` at a terminal. */
async function deploy({
  args = [],
  answers,
  environment = {},
  isRead = true,
  resolves = false,
  ...rest
}: Run = {}) {
  const { terminal, said } = recordingTerminal(isRead);
  const name = args.includes('staging') ? 'heliograph-staging' : 'heliograph';
  const gateway =
    rest.gateway ?? new GatewayStandIn(() => platform.workers.get(name)?.secrets.get('BOOTSTRAP_TOKEN'));
  const wrangler = rest.wrangler ?? new QuickWrangler(root, platform.url);
  const asked: string[] = [];
  let time = 0;
  const around: Surroundings = {
    projectRoot: root,
    environment: { CLOUDFLARE_API_BASE_URL: platform.url, ...environment },
    wrangler,
    terminal,
    ask:
      answers === undefined
        ? null
        : async (question) => {
            asked.push(question);
            return answers.shift() ?? expect.fail(`asked too much: ${question}`);
          },
    fetch: gateway.fetch,
    resolves: async () => resolves,
    wait: async (ms) => {
      time += ms;
    },
    now: () => time,
  };
  const before = platform.changes.length;
  let problem: string | null = null;
  await runDeploy(args, around).catch((error) => {
    problem = error.message;
  });
  return { problem, said: said(), asked, gateway, wrangler, changes: platform.changes.slice(before) };
}

const worker = (name = 'heliograph') => platform.workers.get(name) ?? expect.fail(`no Worker ${name}`);
const secretNames = [
  'BOOTSTRAP_TOKEN',
  'JWT_PRIVATE_KEY',
  'KEY_CHECKSUM_SECRET',
  'MEDIA_URL_SECRET',
  'WEBHOOK_SEALING_KEY',
];

test('the first run makes all of it, and says where to sign in and how to start a bridge', async () => {
  const { problem, said, changes } = await deploy({ answers: ['', '', 'ada@example.com', ''] });
  expect(problem).toBeNull();
  expect(platform.unknown).toEqual([]);
  expect(platform.databases.map(({ name }) => name)).toEqual(['heliograph']);
  const applied = platform.databases[0]?.sqlite.prepare('SELECT count(*) AS n FROM d1_migrations').get();
  expect(applied?.n).toBeGreaterThan(5);
  const queues = platform.queues.map(({ name }) => name);
  expect(queues).toContain('heliograph-webhook-deliveries');
  for (const { name, consumers } of platform.queues) {
    expect(consumers, name).toHaveLength(1);
    if (name.endsWith('-dead')) continue;
    expect(consumers[0]?.dead_letter_queue).toBe(`${name}-dead`);
    expect(queues).toContain(`${name}-dead`);
  }
  expect([...platform.buckets.keys()]).toEqual(['heliograph-archive', 'heliograph-media']);
  expect(platform.buckets.get('heliograph-media')?.rules).toHaveLength(1);
  expect([...worker().secrets.keys()].sort()).toEqual(secretNames);
  expect(worker()).toMatchObject({ crons: ['* * * * *'], isOnWorkersDev: true });
  // Migrations before the code that needs them.
  expect(changes.indexOf('D1 rows')).toBeLessThan(
    changes.findIndex((it) => it.startsWith('PUT /workers/scripts')),
  );
  expect(configWritten(root).vars).toMatchObject({
    PUBLIC_URL: 'https://heliograph.acme.workers.dev',
    PUBLIC_HOSTS: 'heliograph.acme.workers.dev',
    OPERATOR_EMAILS: 'ada@example.com',
  });
  expect(said).toMatch(/Sign in\nhttps:\/\/heliograph\.acme\.workers\.dev\/sign-up\/verify#token=\d+/);
  const line = /node --env-file=(\S+) scripts\/bridge\.js/.exec(said)?.[1] ?? expect.fail(said);
  const started = readFileSync(join(root, line), 'utf8');
  expect(started).toMatch(/^GATEWAY_URL=https:\/\/heliograph\.acme\.workers\.dev$/m);
  expect(started).toMatch(/^BRIDGE_ENROLMENT_TOKEN=hbe_\d+$/m);
  expect(Buffer.from(/^VAULT_KEY=(.+)$/m.exec(started)?.[1] ?? '', 'base64')).toHaveLength(32);
  // What is secret is its owner's alone, and never said.
  expect(statSync(join(root, line)).mode & 0o777).toBe(0o600);
  for (const secret of worker().secrets.values()) expect(said).not.toContain(secret);
  expect(secretsKept(root)).toEqual(Object.fromEntries(worker().secrets));
  expect(existsSync(join(root, '.cloudflare/private/production.upload.json'))).toBe(false);
});

test('a second run asks nothing and changes nothing, and the bridge keeps its file', async () => {
  const first = await deploy({ answers: ['', '', 'ada@example.com', ''] });
  const [before, file] = [
    structuredClone(platform.everything),
    join(root, '.cloudflare/private/production.bridge.env'),
  ];
  const bridge = readFileSync(file, 'utf8');
  first.gateway.people.add('ada@example.com');
  const { problem, said, changes, asked, wrangler } = await deploy({ answers: [], gateway: first.gateway });
  expect(problem).toBeNull();
  expect(asked).toEqual([]);
  expect(changes).toEqual([]);
  expect(platform.everything).toEqual(before);
  expect(readFileSync(file, 'utf8')).toBe(bridge);
  expect(said).toContain('nothing is to be changed');
  expect(said).toContain('https://heliograph.acme.workers.dev, as ada@example.com');
  expect(wrangler.runs).toEqual(['auth token --json']);
  // New settings are a new version, under the same secrets.
  const remembered = JSON.parse(readFileSync(join(root, '.cloudflare/production.json'), 'utf8'));
  remembered.vars = { KEY_RATE_PER_SECOND: '80' };
  writeFileSync(join(root, '.cloudflare/production.json'), JSON.stringify(remembered));
  const third = await deploy({ args: ['--yes'] });
  expect(third.problem).toBeNull();
  expect(third.said).toContain('new code or settings');
  expect(worker().versions).toHaveLength(2);
  expect(Object.fromEntries(worker().secrets)).toEqual(secretsKept(root));
});

test('a dry run says what would be made, and makes nothing, neither there nor here', async () => {
  const { problem, said, changes } = await deploy({ args: ['--dry-run', '--yes'] });
  expect(problem).toBeNull();
  expect(changes).toEqual([]);
  expect(said).toContain('Would be made or changed (nothing was)');
  for (const what of [
    'database: heliograph',
    'migrations: ',
    'queues: 6',
    'secrets: 5',
    'for the first time',
  ])
    expect(said).toContain(what);
  for (const file of ['.cloudflare', 'wrangler.production.json'])
    expect(existsSync(join(root, file))).toBe(false);
});

test('a run that is cut off at any change is finished by the next, with the secrets of the first', async () => {
  const whole = await deploy({ args: ['--yes', '--admin', 'ada@example.com'] });
  expect(whole.problem).toBeNull();
  const shape = () =>
    JSON.stringify(platform.everything, (key, value) =>
      /id$|^(id|tag|secrets|versions|deployed)$/.test(key) ? undefined : value,
    );
  const wanted = shape();
  const isQuery = (path: string) => path.endsWith('/query');
  const changes = whole.changes.filter((it) => it !== 'D1 rows').length;
  const cuts = [
    ...Array.from({ length: changes }, (_, place) => ({ ofQueries: false, place })),
    ...[0, 2, 3, 7].map((place) => ({ ofQueries: true, place })),
  ];
  for (const { ofQueries, place } of cuts) {
    const cut = `${ofQueries ? 'query' : 'change'} ${place}`;
    await platform.stop();
    platform = await CloudflareStandIn.start();
    rmSync(root, { recursive: true });
    root = newProject();
    let left = place;
    platform.refuse = (method, path) => {
      if (method === 'GET' || isQuery(path) !== ofQueries) return null;
      left -= 1;
      return left < 0 ? { status: 400, error: { code: 1, message: 'cut off' } } : null;
    };
    const first = await deploy({ args: ['--yes'] });
    expect(first.problem, cut).toContain('cut off');
    platform.refuse = () => null;
    const given = Object.fromEntries(platform.workers.get('heliograph')?.secrets ?? []);
    const second = await deploy({ args: ['--yes'] });
    expect(second.problem, cut).toBeNull();
    expect(shape(), cut).toBe(wanted);
    expect(secretsKept(root)).toMatchObject(given);
    expect(Object.fromEntries(worker().secrets)).toEqual(secretsKept(root));
    expect((await deploy({ args: ['--yes'] })).changes, cut).toEqual([]);
  }
});

test('a machine that remembers nothing leaves the domain, the settings and the administrator as they are', async () => {
  await deploy({ args: ['--yes', '--domain', 'gateway.example.com', '--admin', 'ada@example.com'] });
  const file = join(root, '.cloudflare/production.json');
  const vars = { KEY_RATE_PER_SECOND: '80', SIGNUP: 'invite' };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), vars }));
  await deploy();
  const remembered = JSON.parse(readFileSync(file, 'utf8'));
  const versions = worker().versions.length;
  rmSync(join(root, '.cloudflare'), { recursive: true });
  const { problem, changes } = await deploy();
  expect(problem).toBeNull();
  expect(changes).toEqual([]);
  expect(worker().versions).toHaveLength(versions);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(remembered);
});

test('a secret that the Worker has is never replaced, whatever this machine knows', async () => {
  await deploy({ args: ['--yes'] });
  const before = new Map(worker().secrets);
  rmSync(join(root, '.cloudflare'), { recursive: true });
  worker().secrets.delete('MEDIA_URL_SECRET');
  const { problem, said } = await deploy({
    args: ['--yes'],
    environment: { BOOTSTRAP_TOKEN: 'an operator-token of enough characters' },
  });
  expect(problem).toBeNull();
  expect(worker().secrets.get('MEDIA_URL_SECRET')).not.toBe(before.get('MEDIA_URL_SECRET'));
  for (const name of secretNames.filter((it) => it !== 'MEDIA_URL_SECRET'))
    expect(worker().secrets.get(name), name).toBe(before.get(name));
  // A token that is not the Worker's opens nothing.
  expect(said).toContain("The operator's token is not on this machine");
});

test('a sealing key that was lost stops the run, and one that is put back goes on', async () => {
  await deploy({ args: ['--yes'] });
  const kept = secretsKept(root);
  worker().secrets.delete('WEBHOOK_SEALING_KEY');
  const file = join(root, '.cloudflare/private/production.secrets.json');
  rmSync(file);
  const { problem, changes } = await deploy({ args: ['--yes'] });
  expect(problem).toMatch(/^The Worker has lost WEBHOOK_SEALING_KEY.*production\.secrets\.json/);
  expect(changes).toEqual([]);
  writeFileSync(file, JSON.stringify(kept));
  expect((await deploy({ args: ['--yes'] })).problem).toBeNull();
  expect(worker().secrets.get('WEBHOOK_SEALING_KEY')).toBe(kept.WEBHOOK_SEALING_KEY);
});

test('staging stands beside production and shares nothing with it', async () => {
  await deploy({ args: ['--yes'] });
  const production = structuredClone(platform.everything);
  const names = () =>
    [...platform.databases, ...platform.queues]
      .map(({ name }) => name)
      .concat([...platform.buckets.keys()], [...platform.workers.keys()]);
  const before = names();
  const { problem } = await deploy({ args: ['--env', 'staging', '--yes'] });
  expect(problem).toBeNull();
  const added = names().filter((name) => !before.includes(name));
  expect(added).toHaveLength(before.length);
  for (const name of added) expect(name).toMatch(/^heliograph-staging(-|$)/);
  const [own, other] = [configWritten(root), configWritten(root, 'staging')];
  expect(other.ratelimits?.[0]?.namespace_id).not.toBe(own.ratelimits?.[0]?.namespace_id);
  expect(other.d1_databases[0]?.database_id).not.toBe(own.d1_databases[0]?.database_id);
  const values = new Set(worker().secrets.values());
  for (const value of worker('heliograph-staging').secrets.values()) expect(values).not.toContain(value);
  expect(JSON.stringify(platform.everything)).toContain(
    JSON.stringify((production as { queues: object[] }).queues).slice(1, -1),
  );
  // The same name for both is refused before anything is asked of the platform.
  const taken = await deploy({ args: ['--env', 'preview', '--name', 'heliograph', '--yes'] });
  expect(taken.problem).toBe(
    'production has the name heliograph already: give preview another one with --name.',
  );
});

test('a domain of one’s own is taken only where nobody has it', async () => {
  const args = ['--yes', '--domain', 'Gateway.example.com'];
  const foreign = await deploy({ args: ['--yes', '--domain', 'gateway.example.net'] });
  expect(foreign.problem).toMatch(/^No zone of gateway\.example\.net is in this account: .*--workers-dev\.$/);
  platform.domains.push({ id: 'd', hostname: 'gateway.example.com', service: 'shop' });
  expect((await deploy({ args })).problem).toMatch(
    /^gateway\.example\.com leads to the Worker shop .*--domain/,
  );
  platform.domains.length = 0;
  const elsewhere = await deploy({ args, resolves: true });
  expect(elsewhere.problem).toMatch(
    /^gateway\.example\.com has DNS records already: .* Nothing was changed\.$/,
  );
  expect(platform.changes).toEqual([]);
  const { problem, said } = await deploy({ args });
  expect(problem).toBeNull();
  expect(said).toContain('address: https://gateway.example.com');
  expect(platform.domains).toMatchObject([{ hostname: 'gateway.example.com', service: 'heliograph' }]);
  expect(worker().isOnWorkersDev).toBe(false);
  expect((await deploy({ args: ['--yes'], resolves: true })).changes).toEqual([]);
});

test.each<[string, () => void, RegExp]>([
  [
    'a Worker',
    () => {
      platform.upload('heliograph', { bindings: [{ type: 'kv_namespace', name: 'SHOP' }] }, true);
    },
    /^There is a Worker heliograph in this account that is not Heliograph: .*--name\.$/,
  ],
  [
    'a database',
    () => {
      platform.createDatabase('heliograph');
      platform.databases[0]?.sqlite.exec('CREATE TABLE orders (id INTEGER)');
    },
    /^There is a D1 database heliograph .* \(its tables: orders\): choose another name with --name\.$/,
  ],
  [
    'a queue',
    () => {
      const consumer = { consumer_id: 'c', script: 'shop', type: 'worker' as const };
      platform.createQueue('heliograph-alerts').consumers.push(consumer);
    },
    /^The queue heliograph-alerts is consumed by the Worker shop .*--name\.$/,
  ],
])('%s of the same name that is somebody else’s is left alone', async (_, take, sentence) => {
  take();
  const before = structuredClone(platform.everything);
  const { problem, changes } = await deploy({ args: ['--yes'] });
  expect(problem).toMatch(sentence);
  expect(changes).toEqual([]);
  expect(platform.everything).toEqual(before);
});

test.each<[string, string, { code: number; message: string }, RegExp]>([
  [
    'the free plan',
    'PUT /workers/scripts/',
    { code: 100328, message: 'CPU limits …' },
    /^The account is on the Workers Free plan, .*Workers Paid/,
  ],
  [
    'no R2',
    'POST /r2/buckets',
    { code: 10042, message: 'Please enable R2' },
    /^R2 is not enabled in this account: .*run this again\.$/,
  ],
  [
    'no permission',
    'POST /queues',
    { code: 10000, message: 'Authentication error' },
    /refuses the credential.*docs\/operating\/cloudflare\.md/,
  ],
  [
    'no permission to look',
    'GET /d1/database',
    { code: 10000, message: 'Authentication error' },
    /refuses the credential.*GET .*\/d1\/database answered 403/,
  ],
  [
    'something else',
    'PUT /workers/scripts/',
    { code: 10021, message: 'The script is odd.' },
    /^wrangler deploy failed: .*The script is odd\. \[code: 10021\]/,
  ],
])('%s is said in a sentence, and the next run goes on', async (_, where, error, sentence) => {
  platform.refuse = (method, path) => (`${method} ${path}`.startsWith(where) ? { status: 403, error } : null);
  expect((await deploy({ args: ['--yes'] })).problem).toMatch(sentence);
  platform.refuse = () => null;
  expect((await deploy({ args: ['--yes'] })).problem).toBeNull();
});

test.each<[string, Run, RegExp]>([
  [
    'a weak secret',
    { environment: { BOOTSTRAP_TOKEN: 'short' } },
    /^BOOTSTRAP_TOKEN must be at least 32 characters.*\.$/,
  ],
  [
    'a key that is none',
    { environment: { JWT_PRIVATE_KEY: '{"kty":"oct"}' } },
    /^JWT_PRIVATE_KEY must be the JWK of a private Ed25519 key/,
  ],
  [
    'a name that is none',
    { args: ['--name', 'My Gateway'] },
    /^--name must have lower-case letters.*"My Gateway"\.$/,
  ],
  [
    'a name that is too long',
    { args: ['--name', 'h'.repeat(39)] },
    /^--name must have 38 characters at most/,
  ],
  ['a domain that is none', { args: ['--domain', 'https://x.example.com'] }, /^--domain must be a host name/],
  [
    'an administrator who is none',
    { args: ['--admin', 'ada'] },
    /^--admin must be an e-mail address, but it is "ada"\.$/,
  ],
  [
    'another account',
    { args: ['--account', 'f'.repeat(32)] },
    /^You are signed in to Cloudflare, but not to the account f+:/,
  ],
  ['an option that is not known', { args: ['--colour', 'red'] }, /colour.*npm run deploy -- \[--env/s],
  ['an environment that is none', { args: ['--env', '../x'] }, /^--env must be a short name/],
])('%s is refused in a sentence before anything is made', async (_, run, sentence) => {
  const { problem, said, changes } = await deploy({ ...run, args: ['--yes', ...(run.args ?? [])] });
  expect(problem).toMatch(sentence);
  expect(changes).toEqual([]);
  expect(existsSync(join(root, '.cloudflare'))).toBe(false);
  for (const value of Object.values(run.environment ?? {})) expect(`${said}${problem}`).not.toContain(value);
});

test('a setting that does not fit, and a file that is damaged, are named', async () => {
  mkdirSync(join(root, '.cloudflare'));
  const file = join(root, '.cloudflare/production.json');
  const remembered = {
    name: 'heliograph',
    accountId,
    domain: null,
    admin: null,
    vars: { KEY_RATE_PER_SECOND: 'abc' },
  };
  writeFileSync(file, JSON.stringify(remembered));
  expect((await deploy()).problem).toBe('KEY_RATE_PER_SECOND must be a number above 0, but it is "abc".');
  writeFileSync(file, '{');
  expect((await deploy()).problem).toContain(`${file} cannot be used: it is not valid JSON.`);
  writeFileSync(file, JSON.stringify({ ...remembered, vars: {} }));
  // Under another name it would be another deployment, which has none of the messages of this one.
  expect((await deploy({ args: ['--name', 'other'] })).problem).toMatch(/^production is called heliograph: /);
  mkdirSync(join(root, '.cloudflare/private'));
  writeFileSync(join(root, '.cloudflare/private/production.secrets.json'), '{"BOOTSTRAP_TOKEN": "abc');
  expect((await deploy()).problem).toMatch(/production\.secrets\.json is damaged: (?!.*abc)/);
  expect(platform.changes).toEqual([]);
});

test('who is not signed in is told how, and at a terminal signed in', async () => {
  const wrangler = new QuickWrangler(root, platform.url);
  wrangler.isSignedIn = false;
  expect((await deploy({ args: ['--yes'], wrangler })).problem).toBe(
    'Nobody is signed in to Cloudflare here: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.',
  );
  const { problem } = await deploy({ answers: ['', '', '', ''], wrangler });
  expect(problem).toBeNull();
});

test('an account without a workers.dev subdomain is given one at a terminal, and told about it elsewhere', async () => {
  platform.subdomain = null;
  expect((await deploy({ args: ['--yes'] })).problem).toMatch(
    /^The account has no workers\.dev subdomain yet: .*--domain\.$/,
  );
  const { problem, said } = await deploy({ answers: ['', '', '', 'ada', ''] });
  expect(problem).toBeNull();
  expect(said).toContain('address: https://heliograph.ada.workers.dev');
  expect(platform.subdomain).toBe('ada');
});

test('answers that do not fit are asked for again, and who says no changes nothing', async () => {
  const answers = ['My Gateway', '', 'mine', '', 'ada', '', 'ada@example.com', 'n'];
  const { problem, changes } = await deploy({ answers });
  expect(problem).toBe('Nothing was changed.');
  expect(answers).toEqual([]);
  expect(changes).toEqual([]);
  const { asked } = await deploy({ answers: ['y'] });
  expect(asked).toEqual(['\n  Go on? [Y/n] ']);
  expect([...platform.workers.keys()]).toEqual(['mine']);
});

test('without a reader the link lies in a file, and a build shows none at all', async () => {
  const args = ['--yes', '--admin', 'ada@example.com'];
  const piped = await deploy({ args, isRead: false });
  expect(piped.said).not.toContain('#token=');
  const file = join(root, '.cloudflare/private/production.sign-in.txt');
  expect(readFileSync(file, 'utf8')).toContain('#token=');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  rmSync(join(root, '.cloudflare'), { recursive: true });
  await platform.stop();
  platform = await CloudflareStandIn.start();
  const built = await deploy({ args, environment: { CI: 'true' } });
  expect(built.problem).toBeNull();
  expect(built.said).toContain('npx wrangler secret put BOOTSTRAP_TOKEN');
  expect(built.gateway.asked).not.toContain('POST https://heliograph.acme.workers.dev/v1/auth/sign-up');
});

test('a gateway that refuses every request, or does not answer, is told apart from one that is well', async () => {
  const gateway = new GatewayStandIn(() => undefined);
  gateway.refusesAll = true;
  expect((await deploy({ args: ['--yes'], gateway })).problem).toMatch(
    /a setting or a secret of it is wrong.*wrangler tail/,
  );
  const silent = new GatewayStandIn(() => undefined);
  Object.assign(silent, { fetch: () => Promise.reject(new Error('no such host')) });
  expect((await deploy({ args: ['--yes'], gateway: silent })).problem).toMatch(
    /^Everything is deployed, but .* does not answer yet \(no such host\)\..*run this again then\.$/,
  );
  const linked = new GatewayStandIn(() => secretsKept(root).BOOTSTRAP_TOKEN);
  linked.isBridgeLinked = true;
  const { problem, said } = await deploy({ args: ['--yes'], gateway: linked });
  expect(problem).toBeNull();
  expect(said).toContain('with its database and its queue');
  expect(said).not.toContain('Start a bridge');
});

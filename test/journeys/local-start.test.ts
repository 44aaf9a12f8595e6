import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { renderUnicode } from 'uqr';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildWorker } from '../../src/local/gateway/worker-build.ts';
import { loadOrMakeSecrets } from '../../src/local/home/secrets.ts';
import { requestJson } from '../../src/local/json-client.ts';
import { SupervisedPart } from '../../src/local/parts/supervised-part.ts';
import { projectRoot } from '../../src/local/project-root.ts';
import { freePorts, occupyPort } from '../free-ports.ts';
import { waitUntil } from '../wait-until.ts';
import { GatewayProcess } from './stage/gateway-process.ts';
import { isRunning, processTree } from './stage/processes.ts';

const npmStart = ['npm', 'start'] as const;
const demoSteps = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

async function demoWalked(gateway: GatewayProcess): Promise<string> {
  return waitUntil('The demo did not end', async () =>
    gateway.terminalText.includes('Ctrl-C stops everything') ? gateway.terminalText : null,
  );
}

describe('npm start', () => {
  let gateway: GatewayProcess;

  beforeAll(async () => {
    gateway = await GatewayProcess.prepare({ HELIOGRAPH_DEMO: '1' });
  });
  afterAll(() => gateway?.discard());

  test('brings up a gateway, shows how to use it, and walks one message through its four signed states', async () => {
    const local = await gateway.start();
    const shown = await demoWalked(gateway);
    for (const step of demoSteps) expect(shown).toMatch(new RegExp(`${step} +signature verified ✓`));
    expect(local).toEqual({
      baseUrl: `http://127.0.0.1:${gateway.environment.PORT}`,
      admin: { email: expect.any(String), password: expect.any(String) },
      apiKey: expect.stringMatching(/^sk_live_/),
      numberId: expect.any(String),
      phoneNumber: expect.stringMatching(/^\d{8,15}$/),
      simulator: {
        socketUrl: `ws://127.0.0.1:${gateway.environment.SIMULATOR_PORT}/ws/chat`,
        adminUrl: `http://127.0.0.1:${gateway.environment.SIMULATOR_PORT}`,
      },
      mail: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\S+$/) },
      bridges: [{ bridgeId: expect.any(String), pid: gateway.pidOf('bridge') }],
    });
    const localJson = join(gateway.home, 'local.json');
    for (const part of [local.baseUrl, local.admin.email, `password: see ${localJson}`]) {
      expect(shown).toContain(part);
    }
    // Nobody reads a terminal here: what is written goes to whoever keeps it.
    for (const secret of [local.admin.password, local.apiKey]) expect(shown).not.toContain(secret);
    const curl = shown.split('\n').find((line) => line.trim().startsWith('curl ')) ?? '';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', curl]);
    expect(JSON.parse(stdout)).toMatchObject({ status: 'queued', numberId: local.numberId });
  });

  test('catches the mails that no mail server could take, for whoever knows local.json', async () => {
    const { baseUrl, admin, mail } = gateway.local;
    await requestJson(baseUrl, 'POST', '/v1/auth/password/forgot', { body: { email: admin.email } });
    const caught = await waitUntil('No mail was caught', async () => {
      const mails = (await (await fetch(mail.url)).json()) as Record<string, string>[];
      return mails.length > 0 ? mails : null;
    });
    expect(caught).toEqual([
      {
        to: admin.email,
        subject: expect.stringContaining('password'),
        text: expect.stringContaining('/password/reset#token='),
      },
    ]);
    expect((await fetch(new URL('/', mail.url))).status).toBe(404);
  });

  test('lets in whom its administrator invites, by the link alone', async () => {
    const { baseUrl, admin } = gateway.local;
    const { token } = await requestJson<{ token: string }>(baseUrl, 'POST', '/v1/auth/login', {
      body: admin,
    });
    const invited = await requestJson<{ link: string; openToNewUsers: boolean }>(
      baseUrl,
      'POST',
      '/v1/auth/invitations',
      { headers: { authorization: `Bearer ${token}` }, body: { email: 'bob@example.com', role: 'agent' } },
    );
    expect(invited.openToNewUsers).toBe(true);
    const bob = { token: invited.link.split('#token=')[1], name: 'Bob', password: 'four random words' };
    expect(await requestJson(baseUrl, 'POST', '/v1/auth/invitations/accept', { body: bob })).toMatchObject({
      user: { email: 'bob@example.com' },
      account: { role: 'agent' },
    });
  });

  test('a second start on the same state folder says so and leaves the first one alone', async () => {
    const { port } = (await occupyPort(0)) ?? { port: 0 };
    const second = await GatewayProcess.prepare({ HELIOGRAPH_HOME: gateway.home, PORT: String(port) });
    second.launch();
    expect(await second.ended()).toBe(1);
    expect(second.terminalText).toContain('Another gateway is running on the state folder');
    expect(existsSync(join(gateway.home, 'local.json'))).toBe(true);
    rmSync(second.home, { recursive: true });
  });

  describe('with NETWORK=whatsapp, and beyond loopback', () => {
    let real: GatewayProcess;
    let headers: { authorization: string };

    beforeAll(async () => {
      real = await GatewayProcess.prepare({
        HELIOGRAPH_DEMO: '1',
        NETWORK: 'whatsapp',
        // In place of the real network, which no test may touch, its address and the version to present are given.
        NETWORK_SOCKET_URL: gateway.local.simulator?.socketUrl ?? '',
        WA_WEB_VERSION: '2.3000.1043857760',
        HOST: '0.0.0.0',
        PUBLIC_URL: 'https://gateway.example.com',
        WEBHOOK_PRIVATE_HOSTS: 'receiver,10.1.0.0/16',
      });
      const { baseUrl, admin } = await real.start();
      const { token } = await requestJson<{ token: string }>(baseUrl, 'POST', '/v1/auth/login', {
        body: admin,
      });
      headers = { authorization: `Bearer ${token}` };
    });
    afterAll(() => real?.discard());

    test('the same bridge shows its QR code in the terminal, and the phone that scans it is its number', async () => {
      const { baseUrl, simulator, phoneNumber } = real.local;
      expect({ simulator, phoneNumber }).toEqual({ simulator: null, phoneNumber: null });
      const qr = await waitUntil('The QR code was not shown', async () => {
        const { data } = await requestJson<{ data: { numberId: string }[] }>(baseUrl, 'GET', '/v1/numbers', {
          headers,
        });
        const path = `/v1/numbers/${data[0]?.numberId}/pairing`;
        const pairing = await requestJson<{ qr: string | null }>(baseUrl, 'GET', path, { headers }).catch(
          () => null,
        );
        return pairing?.qr && real.terminalText.includes(renderUnicode(pairing.qr)) ? pairing.qr : null;
      });
      const { adminUrl } = gateway.local.simulator ?? { adminUrl: '' };
      await requestJson(adminUrl, 'POST', '/admin/mock-phone/scan-qr?phone=628111000222', { body: qr });
      await waitUntil('The number was not connected', async () =>
        real.local.phoneNumber === '628111000222' ? true : null,
      );
      expect(
        processTree(real.pidOf('supervisor')).some(({ command }) => command.includes('network-simulator')),
      ).toBe(false);
    });

    test('webhooks may call what the list names, and this machine only where it is listed too', async () => {
      const { baseUrl } = real.local;
      expect(baseUrl).toBe(`http://127.0.0.1:${real.environment.PORT}`);
      const register = async (url: string) => {
        const answer = await fetch(`${baseUrl}/v1/webhooks`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ url, numberIds: 'all', events: 'all' }),
        });
        return answer.status;
      };
      expect(await register('http://receiver:3000/hook')).toBe(201);
      expect(await register('http://10.1.2.3/hook')).toBe(201);
      expect(await register('http://10.2.0.1/hook')).toBe(400);
      expect(await register('http://127.0.0.1:3000/hook')).toBe(400);
    });
  });

  test('Ctrl-C stops everything, and the next start works whatever password the administrator has chosen, and gives them a link for a new one where they are asked to', async () => {
    const { baseUrl, admin, apiKey, numberId, bridges } = gateway.local;
    const login = (password: string) =>
      requestJson<{ token: string }>(baseUrl, 'POST', '/v1/auth/login', {
        body: { email: admin.email, password },
      });
    const { token } = await login(admin.password);
    await requestJson(baseUrl, 'POST', '/v1/auth/password/change', {
      headers: { authorization: `Bearer ${token}` },
      body: { currentPassword: admin.password, newPassword: 'a quite different password' },
    });
    await gateway.stop();
    gateway.terminalText = '';
    gateway.environment.HELIOGRAPH_RESET_ADMIN = '1';
    const after = await gateway.start();
    delete gateway.environment.HELIOGRAPH_RESET_ADMIN;
    expect(after).toMatchObject({ admin: { email: admin.email, password: null }, apiKey, numberId });
    expect(after.bridges.map(({ bridgeId }) => bridgeId)).toEqual(bridges.map(({ bridgeId }) => bridgeId));
    const shown = await demoWalked(gateway);
    for (const step of demoSteps) expect(shown).toMatch(new RegExp(`${step} +signature verified ✓`));
    const file = join(gateway.home, 'reset-link.txt');
    expect(shown).toContain(`It lies in ${file}.`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const link = readFileSync(file, 'utf8').trim();
    expect(shown).not.toContain(link);
    // What was its password at first is that again, for the tests that follow.
    await requestJson(baseUrl, 'POST', '/v1/auth/password/reset', {
      body: { token: link.split('#token=')[1], newPassword: admin.password },
    });
    await login(admin.password);
    // The log of the run before is there still.
    const log = gateway.logs().find(({ name }) => name === 'local.log')?.text ?? '';
    expect(log.match(/"local\.ready"/g)?.length).toBeGreaterThan(1);
  });

  test('state and secrets are for their owner alone', () => {
    for (const name of ['gateway', 'bridge', 'simulator', 'logs']) {
      expect(statSync(join(gateway.home, name)).mode & 0o777, name).toBe(0o700);
    }
    for (const name of ['secrets.json', 'local.json', 'account.json']) {
      expect(statSync(join(gateway.home, name)).mode & 0o777, name).toBe(0o600);
    }
  });

  const parts = ['supervisor', 'gateway', 'workerd', 'bridge', 'simulator'] as const;

  test('a kill -9 of the supervisor takes all of its parts with it, and the next start finds its key, number and webhook again', async () => {
    const { mail: _, bridges, ...running } = gateway.local;
    const pids = parts.map((part) => gateway.pidOf(part));
    process.kill(gateway.pidOf('supervisor'), 'SIGKILL');
    await gateway.ended();
    await waitUntil('A part outlived the supervisor', async () => (pids.some(isRunning) ? null : true));
    gateway.terminalText = '';
    const after = await gateway.start(npmStart);
    // The administrator has their first password again.
    const before = { ...running, admin: { ...running.admin, password: gateway.secrets.admin.password } };
    expect(after).toMatchObject(before);
    expect(after.bridges.map(({ bridgeId }) => bridgeId)).toEqual(bridges.map(({ bridgeId }) => bridgeId));
    const shown = await demoWalked(gateway);
    for (const step of demoSteps) expect(shown).toMatch(new RegExp(`${step} +signature verified ✓`));
    const { token } = await requestJson<{ token: string }>(before.baseUrl, 'POST', '/v1/auth/login', {
      body: before.admin,
    });
    for (const path of ['/v1/numbers', '/v1/webhooks', '/v1/auth/api-keys']) {
      const { data } = await requestJson<{ data: unknown[] }>(before.baseUrl, 'GET', path, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(data, path).toHaveLength(1);
    }
  });

  async function expectAllEndWithNpm(signal: NodeJS.Signals): Promise<void> {
    const pids = parts.map((part) => gateway.pidOf(part));
    gateway.signal(signal);
    await waitUntil('A part outlived npm', async () => (pids.some(isRunning) ? null : true));
    await gateway.ended();
  }

  test('a SIGKILL that ends npm itself stops everything, and the next start works', async () => {
    await expectAllEndWithNpm('SIGKILL');
    await gateway.start(npmStart);
  });

  test('a SIGTERM that ends npm itself stops everything', async () => {
    await expectAllEndWithNpm('SIGTERM');
  });

  test('a start on a damaged secrets file names the file, keeps it as it is, and ends with an error', async () => {
    const path = join(gateway.home, 'secrets.json');
    const whole = readFileSync(path, 'utf8');
    const { vaultKey: _missing, ...incomplete } = JSON.parse(whole);
    for (const [content, sentence] of [
      [whole.slice(0, 100), 'is damaged: it is not valid JSON'],
      [JSON.stringify(incomplete), 'is damaged: these values are missing or malformed: vaultKey'],
    ] as const) {
      writeFileSync(path, content);
      gateway.terminalText = '';
      gateway.launch();
      expect(await gateway.ended()).toBe(1);
      expect(gateway.terminalText).toContain(`The secrets file ${path} ${sentence}`);
      expect(readFileSync(path, 'utf8')).toBe(content);
    }
    rmSync(path);
    gateway.launch();
    expect(await gateway.ended()).toBe(1);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, whole);
  });

  test('a start on a damaged database names the file and ends with an error', async () => {
    const folder = join(gateway.home, 'gateway', 'd1');
    const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((file) =>
      /[0-9a-f]{64}\.sqlite$/.test(file),
    );
    const path = join(folder, name ?? '');
    writeFileSync(path, 'this is no database, and it is long enough to be looked at as one. '.repeat(20));
    gateway.terminalText = '';
    gateway.launch();
    expect(await gateway.ended()).toBe(1);
    expect(gateway.terminalText).toContain(`The state file ${path} is damaged`);
  });
});

// Each has a state folder and ports of its own, and mostly waits.
describe.concurrent('npm start where it cannot run', () => {
  async function refusal(environment: Record<string, string>): Promise<string> {
    const gateway = await GatewayProcess.prepare(environment);
    try {
      gateway.launch();
      expect(await gateway.ended()).toBe(1);
      expect(existsSync(join(gateway.home, 'local.json'))).toBe(false);
      return gateway.terminalText;
    } finally {
      await gateway.discard();
    }
  }

  // What is said of which value: test/unit/local/settings.test.ts.
  test('with settings that are wrong says of each what is wrong', async () => {
    const wrong = {
      PORT: 'http',
      SIMULATOR_PORT: '65535',
      HELIOGRAPH_DEMO: 'yes',
      NETWORK: 'telegram',
      WEBHOOK_RETRY_SECONDS: '30;60',
      KEY_RATE_PER_SECOND: 'abc',
      SIGNUP: 'maybe',
      HOST: 'everywhere',
    };
    const terminal = await refusal(wrong);
    for (const name of Object.keys(wrong)) expect(terminal).toContain(`${name} must be`);
    expect(terminal).toContain('PORT must be a port number from 1 to 65535, but it is "http".');
    expect(terminal).toContain('SIGNUP must be closed, invite or open, but it is "maybe".');
  });

  test.for([
    ['PORT', 0, 'PORT', 'set PORT to a free port'],
    ['SIMULATOR_PORT', 0, 'SIMULATOR_PORT', 'set SIMULATOR_PORT to a free port'],
    ['SIMULATOR_PORT', 1, 'SIMULATOR_PORT + 1', 'set SIMULATOR_PORT so that the port above it is free too'],
  ] as const)(
    'with its %s in use (or %i above) names the port and what to do',
    async ([name, above, shown, remedy]) => {
      const { port, simulatorPort } = await freePorts();
      const ports = { PORT: port, SIMULATOR_PORT: simulatorPort };
      const other = await occupyPort(ports[name] + above);
      const terminal = await refusal({ PORT: String(port), SIMULATOR_PORT: String(simulatorPort) });
      await other?.close();
      expect(terminal).toContain(
        `Port ${ports[name] + above} (${shown}) is in use by another program. Stop it, or ${remedy}.`,
      );
    },
  );

  // Only root can make a folder that belongs to somebody else.
  test.runIf(process.getuid?.() === 0)(
    'on packages that belong to root says whose they are, and what to do',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
      for (const name of ['package.json', 'package-lock.json', 'scripts']) {
        cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
      }
      mkdirSync(join(folder, 'node_modules'));
      // For whoever is not root to get there.
      chmodSync(tmpdir(), 0o711);
      chmodSync(folder, 0o755);
      const started = promisify(execFile)(process.execPath, [join(folder, 'scripts', 'start.js')], {
        cwd: folder,
        uid: 65_534,
      });
      const { code, stderr } = (await started.catch((error: { code: number; stderr: string }) => error)) as {
        code?: number;
        stderr: string;
      };
      expect(code).toBe(1);
      expect(stderr).toBe(
        `${folder}/node_modules belongs to root, so nothing can be installed or built there. ` +
          `Run this once, and start again: sudo rm -rf ${folder}/node_modules\n`,
      );
      rmSync(folder, { recursive: true });
    },
  );

  test('with a part that cannot start gives up, and shows what that part has said', async () => {
    const terminal = await refusal({ LOG_LEVEL: 'shouting' });
    expect(terminal).toContain('The bridge does not start: it ended 4 times in a row (exit code 1).');
    expect(terminal).toContain('LOG_LEVEL must be a pino level');
  });

  test('with a file where its state folder should be says so', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
    const file = join(folder, 'file');
    writeFileSync(file, 'not a folder');
    chmodSync(file, 0o600);
    const gateway = await GatewayProcess.prepare({ HELIOGRAPH_HOME: file });
    gateway.launch();
    expect(await gateway.ended()).toBe(1);
    expect(gateway.terminalText).toContain(`HELIOGRAPH_HOME is ${file}, but no state can be kept there`);
    rmSync(folder, { recursive: true });
    rmSync(gateway.home, { recursive: true });
  });
});

/*
 * As the two ends of it, without four starts of a whole gateway: its process ends and says why, and a part that ends so is given up.
 * Both take longer than a part has to be there for its start to have gone well.
 */
describe.concurrent('a runtime that takes its time and then cannot start', () => {
  const inFolder = async <Value>(work: (folder: string) => Promise<Value>): Promise<Value> => {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-journey-'));
    try {
      return await work(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test('ends the process of the gateway, which shows what the runtime has said', () =>
    inFolder(async (home) => {
      const runtime = join(home, 'workerd');
      const script = "#!/bin/sh\ncat > /dev/null\nsleep 6\necho 'server.c++:1: no luck' >&2\nexit 1\n";
      writeFileSync(runtime, script, { mode: 0o700 });
      const { folder: build } = await buildWorker(projectRoot);
      const { port } = await freePorts();
      const secrets = loadOrMakeSecrets(home, 'simulator');
      const started = promisify(execFile)(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', 'src/local/gateway/gateway.ts'],
        {
          cwd: projectRoot,
          env: {
            ...process.env,
            MINIFLARE_WORKERD_PATH: runtime,
            PORT: String(port),
            HOST: '127.0.0.1',
            GATEWAY_STATE: join(home, 'gateway'),
            GATEWAY_SCRATCH: join(home, 'scratch'),
            WORKER_BUILD: build,
            PROJECT_ROOT: projectRoot,
            JWT_PRIVATE_KEY: JSON.stringify(secrets.jwtPrivateKey),
            WEBHOOK_SEALING_KEY: secrets.webhookSealingKey,
            KEY_CHECKSUM_SECRET: secrets.keyChecksumSecret,
            MEDIA_URL_SECRET: secrets.mediaUrlSecret,
            BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
            BOOTSTRAP_TOKEN: secrets.bootstrapToken,
            WRANGLER_LOG: 'none',
          },
        },
      );
      const ended = await started.catch((error: { code: number; stderr: string }) => error);
      expect(ended).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('The Workers runtime failed to start.'),
      });
      expect(ended.stderr).toContain('server.c++:1: no luck');
    }));

  test('is given up as a part that ends so four times, with its last words', () =>
    inFolder(async (folder) => {
      const entry = join(folder, 'entry.mjs');
      const lastWords = "console.error('server.c++:1: no luck'); process.exit(1);";
      writeFileSync(entry, `setTimeout(() => { ${lastWords} }, 6_000);\n`);
      const part = new SupervisedPart({
        name: 'gateway',
        entry: pathToFileURL(entry).href,
        environment: {},
        log: { write: () => {}, close: () => {} },
        stopMs: 5_000,
        logger: pino({ level: 'silent' }),
        isReady: () => false,
      });
      part.start();
      await expect(part.gaveUp).rejects.toThrow(
        'The gateway does not start: it ended 4 times in a row (exit code 1).\nserver.c++:1: no luck',
      );
    }));
});

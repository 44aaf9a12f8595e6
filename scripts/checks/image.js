// Builds both images of the Dockerfile without a daemon, and runs them as they are meant to be run: the gateway with the
// simulator, and a bridge beside it; neither as root, both on a root file system that cannot be written. Where the tools
// or the rights are not there, it says so and is content. `.ci/run` calls it; `npm test` does not.
//
// Half a minute of the build is spared: what the stage `build` makes is taken from this checkout. `--whole` makes it anew.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { projectRoot, toolEnvironment } from '../set-up.js';

const user = '10001:10001';
const bridgeMibMax = 350;
const patienceMs = 90_000;

const skip = whySkipped();
if (skip !== null) {
  console.log(`- images (SKIPPED: ${skip})`);
  process.exit(0);
}

const scratch = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : '/tmp', 'heliograph-image-'));
const environment = {
  ...process.env,
  STORAGE_DRIVER: storageDriver(),
  BUILDAH_ISOLATION: 'chroot',
  TMPDIR: scratch,
};
const stores = ['--root', path.join(scratch, 'store'), '--runroot', path.join(scratch, 'run')];
const running = [];
try {
  const base = makeBase();
  if (base === null) console.log('- images (SKIPPED: a base image cannot be made on this machine)');
  else {
    for (const target of ['bridge', 'gateway']) build(target, base);
    await tryThem();
  }
} catch (error) {
  console.error(`✗ images\n${error.message}`);
  process.exitCode = 1;
} finally {
  for (const { child } of running) kill(child, 'SIGKILL');
  await Promise.all(running.map(({ ended }) => ended));
  spawnSync('buildah', [...stores, 'umount', '--all'], { env: environment });
  rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
}

function whySkipped() {
  if (process.platform !== 'linux' || process.getuid() !== 0) return 'they are built as root, on Linux';
  for (const tool of ['buildah', 'mmdebstrap', 'unshare'])
    if (spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0) return `there is no ${tool}`;
  const rights = spawnSync('unshare', ['--mount', 'sh', '-c', 'mount -t tmpfs none /mnt']);
  return rights.status === 0 ? null : 'nothing can be mounted here';
}

/** `vfs` works everywhere, and copies every layer whole. */
function storageDriver() {
  const parts = ['lower', 'upper', 'work', 'merged'].map((name) => path.join(scratch, 'overlay', name));
  for (const part of parts) mkdirSync(part, { recursive: true });
  const [lower, upper, work, merged] = parts;
  const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`;
  const tried = spawnSync('unshare', ['--mount', 'mount', '-t', 'overlay', 'overlay', '-o', options, merged]);
  return tried.status === 0 ? 'overlay' : 'vfs';
}

/** Debian's essential packages with this checkout's Node and this machine's npm: what `node:24-bookworm-slim` is, only smaller. */
function makeBase() {
  const tar = path.join(scratch, 'base.tar');
  const excluded = ['doc', 'man', 'locale', 'info'].map(
    (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
  );
  const made = spawnSync(
    'mmdebstrap',
    ['--quiet', '--variant=essential', '--include=libstdc++6', ...excluded, 'bookworm', tar],
    { env: environment, encoding: 'utf8', timeout: 240_000 },
  );
  if (made.status !== 0) return null;
  const root = path.join(scratch, 'base');
  mkdirSync(root);
  execFileSync('tar', ['xf', tar, '-C', root]);
  const npmCli = execFileSync('sh', ['-c', 'readlink -f "$(command -v npm)"'], { encoding: 'utf8' }).trim();
  const npm = path.resolve(npmCli, '..', '..');
  cpSync(
    realpathSync(path.join(projectRoot, 'node_modules', '.bin', 'node')),
    path.join(root, 'usr/local/bin/node'),
  );
  cpSync(npm, path.join(root, 'usr/local/lib/node_modules/npm'), { recursive: true, dereference: true });
  execFileSync('ln', ['-s', '../lib/node_modules/npm/bin/npm-cli.js', path.join(root, 'usr/local/bin/npm')]);
  const container = buildah(['from', 'scratch']);
  buildah(['add', '-q', container, root, '/']);
  // Whom this machine trusts, where it has to reach the registry through somebody else.
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  const variables = ['PATH=/usr/local/bin:/usr/bin:/bin'];
  if (authorities && existsSync(authorities)) {
    buildah(['add', '-q', container, authorities, '/etc/authorities.pem']);
    variables.push('NODE_EXTRA_CA_CERTS=/etc/authorities.pem');
  }
  buildah(['config', ...variables.flatMap((variable) => ['--env', variable]), container]);
  buildah(['commit', '-q', container, 'heliograph-base']);
  buildah(['rm', container]);
  rmSync(root, { recursive: true });
  rmSync(tar);
  return 'localhost/heliograph-base';
}

function build(target, base) {
  const whole = process.argv.includes('--whole');
  const made = whole || target === 'bridge' ? [] : ['--build-context', `build=${builtHere()}`];
  const options = ['-q', '--format', 'docker', '--build-arg', `BASE=${base}`, '--target', target];
  buildah(['build', ...options, ...made, '-t', `heliograph-${target}`, projectRoot]);
}

/** As the stage `build` would leave it. */
function builtHere() {
  const app = path.join(scratch, 'built', 'app');
  const node = (...args) =>
    execFileSync(path.join(projectRoot, 'node_modules', '.bin', 'node'), args, {
      cwd: projectRoot,
      env: toolEnvironment,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  node('--disable-warning=ExperimentalWarning', 'src/local/gateway/build-main.ts');
  node('scripts/build/licences.js', path.join(app, 'legal'), '--bundled');
  for (const folder of ['worker', 'restore', 'assets'])
    cpSync(path.join(projectRoot, 'dist', folder), path.join(app, 'dist', folder), { recursive: true });
  return path.dirname(app);
}

async function tryThem() {
  const [port, simulatorPort, healthPort] = await freePorts();
  const gateway = start('gateway', {
    PORT: port,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    NETWORK: 'simulator',
    SIMULATOR_PORT: simulatorPort,
    HELIOGRAPH_DEMO: 1,
  });
  const localJson = path.join(gateway.state, 'local.json');
  const ready = async () => gateway.output.includes('"local.ready"') && existsSync(localJson);
  await until('the gateway is ready', ready, gateway);
  const local = JSON.parse(readFileSync(localJson, 'utf8'));
  await until('a message arrives', () => sendOne(local, port), gateway);
  for (const secret of [local.admin.password, local.apiKey])
    if (gateway.output.includes(secret)) throw new Error('The gateway has printed a secret.');
  for (const line of gateway.output.trim().split('\n')) JSON.parse(line);

  const secrets = JSON.parse(readFileSync(path.join(gateway.state, 'secrets.json'), 'utf8'));
  const bridge = start('bridge', {
    GATEWAY_URL: `http://127.0.0.1:${port}`,
    BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
    VAULT_KEY: secrets.vaultKey,
    NETWORK: 'simulator',
    NETWORK_SOCKET_URL: local.simulator.socketUrl,
    HEALTH_PORT: healthPort,
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${healthPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('the bridge is ready', isReady, bridge);
  kill(bridge.child, 'SIGTERM');
  const code = await bridge.ended;
  if (code !== 0 || !bridge.output.includes('bridge.stopped'))
    throw new Error(`The bridge did not drain: it ended with ${code}.\n${bridge.output.slice(-2000)}`);
  kill(gateway.child, 'SIGTERM');
  const gatewayCode = await gateway.ended;
  if (gatewayCode !== 0 || !gateway.output.includes('"local.stopped"'))
    throw new Error(
      `The gateway did not stop: it ended with ${gatewayCode}.\n${gateway.output.slice(-2000)}`,
    );

  const [bridgeMib, gatewayMib] = [bridge, gateway].map(({ root }) => mibOf(root));
  if (bridgeMib > bridgeMibMax)
    throw new Error(`The image of a bridge is ${bridgeMib} MiB, more than ${bridgeMibMax}.`);
  console.log(`✓ images: built and run; bridge ${bridgeMib} MiB, gateway ${gatewayMib} MiB, with their base`);
}

/** Whether a message that is sent now has come to a simulated phone. */
async function sendOne(local, port) {
  const text = `From an image, ${Date.now()}`;
  const sent = await fetch(`http://127.0.0.1:${port}/v1/messages/send`, {
    method: 'POST',
    headers: { 'x-api-key': local.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '15550000002', text }),
  }).catch(() => null);
  if (sent?.status !== 202) return false;
  for (let tries = 0; tries < 50; tries += 1) {
    const arrived = await fetch(`${local.simulator.adminUrl}/admin/messages?to=15550000002`);
    if ((await arrived.json()).data.some((message) => message.text === text)) return true;
    await delay(200);
  }
  return false;
}

/** Runs an image's command in its file system: as its user, the root not to be written, its state in a folder of its own. */
function start(name, settings) {
  const container = buildah(['from', `heliograph-${name}`]);
  const root = buildah(['mount', container]);
  const { config } = JSON.parse(buildah(['inspect', '--type', 'image', `heliograph-${name}`])).Docker;
  if (config.User !== user) throw new Error(`The image ${name} runs as "${config.User}", not as ${user}.`);
  if (!config.Healthcheck) throw new Error(`The image ${name} has no health check.`);
  const state = path.join(scratch, `state-${name}`);
  mkdirSync(state, { mode: 0o700 });
  execFileSync('chown', [user, state]);
  const inside = `set -e; cd "$1"; mount --bind . .; cd "$1"; mount -t proc proc proc; mount --bind /dev dev
    mount -t tmpfs tmpfs tmp; mount --bind "$2" state; mount -o remount,bind,ro .; shift 2
    exec chroot --userspec=${user} . /usr/bin/env -C ${config.WorkingDir} "$@"`;
  const variables = [...config.Env, ...Object.entries(settings).map(([key, value]) => `${key}=${value}`)];
  // A host without a resolver's file in the image: all that is called is on this machine.
  const child = spawn(
    'unshare',
    ['--mount', 'sh', '-c', inside, 'sh', root, state, '-i', ...variables, ...config.Cmd],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const part = { child, root, state, output: '', errors: '', ended: undefined };
  child.stdout.on('data', (chunk) => {
    part.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    part.errors += chunk;
  });
  part.ended = new Promise((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  running.push(part);
  return part;
}

async function until(what, isSo, part) {
  const deadline = Date.now() + patienceMs;
  while (!(await isSo())) {
    if (part.child.exitCode !== null || Date.now() > deadline)
      throw new Error(
        `Until ${what}, nothing more came:\n${part.output.slice(-3000)}\n${part.errors.slice(-3000)}`,
      );
    await delay(200);
  }
}

function kill(child, signal) {
  if (child.exitCode === null && child.signalCode === null) child.kill(signal);
}

function buildah(args) {
  const { status, stdout, stderr } = spawnSync('buildah', [...stores, ...args], {
    env: environment,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`buildah ${args.slice(0, 6).join(' ')} failed:\n${stderr.slice(-3000)}`);
  return stdout.trim();
}

function mibOf(folder) {
  return Number(execFileSync('du', ['-smx', folder], { encoding: 'utf8' }).split('\t')[0]);
}

/** For the gateway, the simulator, which takes the one above too, and the bridge's health. */
async function freePorts() {
  for (;;) {
    // Below the ports of outgoing connections, which come and go until the bridge starts.
    const first = 20_000 + Math.floor(Math.random() * 12_000);
    const ports = [first, first + 1, first + 3];
    const areFree = await Promise.all([...ports, first + 2].map(isFree));
    if (areFree.every(Boolean)) return ports;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { release as ownRelease } from '../../../src/contract/release.ts';
import { buildWorker } from '../../../src/local/gateway/worker-build.ts';
import { type LocalSecrets, loadOrMakeSecrets } from '../../../src/local/home/secrets.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { freePorts } from '../../free-ports.ts';
import { waitUntil } from '../../wait-until.ts';
import { OwnBridge } from '../fleet/own-bridge.ts';

const exitWithParent = new URL('../../../src/local/parts/exit-with-parent.ts', import.meta.url).href;

/** What runs of one release. */
export interface Release {
  version: string;
  /** The folder of its package.json. */
  root: string;
  /** The folder of its built Worker. */
  worker: string;
}

interface RunningPart {
  process: ChildProcess;
  output: string;
}

/**
 * The parts of a gateway on one machine, each started by itself, so that each can be of another release: the gateway (the
 * Worker with its objects is one process there), a bridge, and the simulated network, which is always of this tree.
 */
export class UpgradeStage {
  readonly home: string;
  readonly environment: Record<string, string>;
  readonly secrets: LocalSecrets;
  readonly before: Release;
  readonly own: Release;
  #simulator: RunningPart | null = null;
  #gateway: RunningPart | null = null;
  #bridge: OwnBridge | null = null;

  private constructor(home: string, ports: { port: number; simulatorPort: number }, releases: Release[]) {
    const [before, own] = releases;
    if (before === undefined || own === undefined) throw new Error('two releases are needed');
    this.home = home;
    this.before = before;
    this.own = own;
    this.environment = { PORT: String(ports.port), SIMULATOR_PORT: String(ports.simulatorPort) };
    for (const name of ['gateway', 'scratch', 'simulator', 'bridge'])
      mkdirSync(join(home, name), { mode: 0o700 });
    this.secrets = loadOrMakeSecrets(home, 'simulator');
  }

  /** The release before runs when this resolves. */
  static async start(): Promise<UpgradeStage> {
    const home = mkdtempSync(join(tmpdir(), 'heliograph-upgrade-'));
    const { folder: worker } = await buildWorker(projectRoot);
    const own = { version: ownRelease, root: projectRoot, worker };
    const stage = new UpgradeStage(home, await freePorts(), [keptRelease(join(home, 'release')), own]);
    try {
      stage.#simulator = await startPart(
        join(projectRoot, 'src/network-simulator/main.ts'),
        'simulator.listening',
        {
          SIMULATOR_PORT: stage.environment.SIMULATOR_PORT,
          SIMULATOR_HOME: join(home, 'simulator'),
        },
      );
      await stage.runGateway(stage.before);
      await stage.runBridge(stage.before);
    } catch (error) {
      await stage.discard();
      throw error;
    }
    return stage;
  }

  /** The gateway of this release, in place of the one that runs; it has welcomed or refused the bridge when this resolves. */
  async runGateway(release: Release): Promise<void> {
    await endPart(this.#gateway);
    const bridge = this.#bridge;
    const answersBefore = bridge?.answers ?? 0;
    const { PORT: port, SIMULATOR_PORT: simulatorPort } = this.environment;
    const { secrets } = this;
    this.#gateway = await startPart(join(release.root, 'src/local/gateway/gateway.ts'), 'gateway.listening', {
      PORT: port,
      HOST: '127.0.0.1',
      WEBHOOK_TARGETS: 'public',
      WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
      PART_HOSTS: [port, simulatorPort].map((each) => `127.0.0.1:${each}`).join(),
      GATEWAY_URL: `http://127.0.0.1:${port}`,
      UNSENT_MAIL: 'dropped',
      SIGNUP: 'invite',
      GATEWAY_STATE: join(this.home, 'gateway'),
      GATEWAY_SCRATCH: join(this.home, 'scratch'),
      WORKER_BUILD: release.worker,
      PROJECT_ROOT: release.root,
      JWT_PRIVATE_KEY: JSON.stringify(secrets.jwtPrivateKey),
      WEBHOOK_SEALING_KEY: secrets.webhookSealingKey,
      KEY_CHECKSUM_SECRET: secrets.keyChecksumSecret,
      MEDIA_URL_SECRET: secrets.mediaUrlSecret,
      BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
      BOOTSTRAP_TOKEN: secrets.bootstrapToken,
      WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1',
      // What a queue lost with its process is found soon.
      QUEUE_GRACE_SECONDS: '2',
      PASSWORD_HASHING: 'quick',
      KEY_RATE_PER_SECOND: '1000',
      KEY_RATE_BURST: '1000',
      WRANGLER_LOG: 'none',
    });
    if (bridge !== null)
      await waitUntil('The bridge did not come', async () => (bridge.answers > answersBefore ? true : null));
  }

  /** The bridge of this release over the same disk, in place of the one that runs, which drains first. */
  async runBridge(release: Release): Promise<void> {
    await this.#bridge?.stop();
    const bridge = new OwnBridge(this, {
      gatewayPort: Number(this.environment.PORT),
      networkPort: Number(this.environment.SIMULATOR_PORT),
      home: join(this.home, 'bridge'),
      enrolmentToken: this.secrets.bridgeToken,
      root: release.root,
    });
    this.#bridge = bridge;
    await bridge.start();
  }

  /** The gateway speaks an older protocol than the bridge, which waits for a newer one. */
  get isBridgeTooNew(): boolean {
    return this.#bridge?.isRefused === true;
  }

  /** The version that the gateway says it is. */
  async gatewayRelease(): Promise<string | undefined> {
    return /heliograph_build_info\{release="([^"]+)"\}/.exec(await this.#asOperator('/metrics'))?.[1];
  }

  /** The version that the linked bridge has said it is. */
  bridgeRelease(): Promise<string> {
    return waitUntil('The bridge was not linked', async () => {
      const { data } = JSON.parse(await this.#asOperator('/v1/operator/bridges')) as {
        data: { state: string; release: string }[];
      };
      return data.find(({ state }) => state === 'linked')?.release ?? null;
    });
  }

  async #asOperator(path: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.environment.PORT}${path}`, {
      headers: { authorization: `Bearer ${this.secrets.bootstrapToken}` },
    });
    expect(response.status).toBe(200);
    return response.text();
  }

  async discard(): Promise<void> {
    await this.#bridge?.kill();
    await endPart(this.#gateway);
    await endPart(this.#simulator);
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** The release that `releases/` keeps, laid out in this folder, with the packages of this tree. */
function keptRelease(root: string): Release {
  const folder = join(projectRoot, 'releases');
  const [name] = readdirSync(folder).filter((each) => each.endsWith('.tar.zst'));
  if (name === undefined) throw new Error('releases/ has no release');
  mkdirSync(root);
  execFileSync('tar', ['-x', '-C', root], { input: zstdDecompressSync(readFileSync(join(folder, name))) });
  symlinkSync(join(projectRoot, 'node_modules'), join(root, 'node_modules'));
  return { version: name.replace('.tar.zst', ''), root, worker: join(root, 'dist', 'worker') };
}

async function startPart(
  entry: string,
  readyEvent: string,
  environment: Record<string, string | undefined>,
): Promise<RunningPart> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--import', exitWithParent, entry],
    {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  const part: RunningPart = { process: child, output: '' };
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      part.output += chunk.toString('utf8');
    });
  await waitUntil(`There was no ${readyEvent}`, async () => {
    if (child.exitCode !== null) throw new Error(`It ended:\n${part.output.slice(-5000)}`);
    return part.output.includes(`"${readyEvent}"`) ? true : null;
  });
  return part;
}

/** Stops it as a service would. */
async function endPart(part: RunningPart | null): Promise<void> {
  if (part === null || part.process.exitCode !== null || part.process.signalCode !== null) return;
  const exited = once(part.process, 'exit');
  part.process.kill('SIGTERM');
  await exited;
}

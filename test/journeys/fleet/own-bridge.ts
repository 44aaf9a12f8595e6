import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type NumberFact, reportOnlyFacts } from '../../../src/contract/bridge/bridge-frames.ts';
import { projectRoot } from '../../../src/local/project-root.ts';
import { waitUntil } from '../../wait-until.ts';
import type { GatewayProcess } from '../stage/gateway-process.ts';
import { isStopped } from '../stage/processes.ts';

const exitWithParent = new URL('../../../src/local/parts/exit-with-parent.ts', import.meta.url).href;

/** Where it dials. */
export interface Dials {
  gatewayPort: number;
  networkPort: number;
  /** How long it looks for what an earlier bridge may have sent; as it does by default where this is left out. */
  inDoubtGraceMs?: string;
  /** The folder of a bridge that was enrolled before; else it is a new one, which brings the gateway's own token. */
  home?: string;
  /** What lets it in where its folder is new; without it the gateway's own token, and nothing where `home` is given. */
  enrolmentToken?: string;
  /** The folder of another release, whose bridge it is to be. */
  root?: string;
}

/** A session bridge beside those of the gateway: it dials where the test says, and nobody starts it again. */
export class OwnBridge {
  readonly #home: string;
  readonly #environment: Record<string, string>;
  readonly #entry: string;
  #process: ChildProcess | null = null;
  #output = '';

  constructor(
    gateway: Pick<GatewayProcess, 'home' | 'secrets'>,
    { gatewayPort, networkPort, inDoubtGraceMs, home, enrolmentToken, root = projectRoot }: Dials,
  ) {
    this.#entry = join(root, 'src/session-bridge/main.ts');
    const token = enrolmentToken ?? (home === undefined ? gateway.secrets.bridgeToken : undefined);
    this.#home = home ?? mkdtempSync(join(tmpdir(), 'heliograph-own-bridge-'));
    this.#environment = {
      GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
      NETWORK: 'simulator',
      NETWORK_SOCKET_URL: `ws://127.0.0.1:${networkPort}/ws/chat`,
      NODE_EXTRA_CA_CERTS: join(gateway.home, 'simulator', 'certificate.pem'),
      ...(token !== undefined && { BRIDGE_ENROLMENT_TOKEN: token }),
      VAULT_KEY: gateway.secrets.vaultKey,
      BRIDGE_HOME: this.#home,
      ...(inDoubtGraceMs !== undefined && { IN_DOUBT_GRACE_MS: inDoubtGraceMs }),
      RECONNECT_BASE_MS: '200',
      RECONNECT_CAP_MS: '2000',
    };
  }

  /** Starts it, also anew over the same disk. */
  async start(): Promise<void> {
    this.#output = '';
    const options = ['--disable-warning=ExperimentalWarning', '--import', exitWithParent];
    const child = spawn(process.execPath, [...options, this.#entry], {
      env: { ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString('utf8');
      });
    await waitUntil('The bridge did not start', async () => {
      if (child.exitCode !== null) throw new Error(`The bridge ended:\n${this.#output}`);
      return this.#output.includes('"control.ready"') || this.isRefused ? true : null;
    });
  }

  /** The gateway does not speak its protocol, and has not come to do so since. */
  get isRefused(): boolean {
    return this.#output.lastIndexOf('"edge.protocol_refused"') > this.#output.lastIndexOf('"control.ready"');
  }

  /** How often a gateway has welcomed or refused it. */
  get answers(): number {
    return this.#output.split(/"control\.ready"|"edge\.protocol_refused"/).length - 1;
  }

  get bridgeId(): string {
    const [, bridgeId] = /"bridgeId":"([0-9a-f-]{36})"/.exec(this.#output) ?? [];
    if (bridgeId === undefined) throw new Error('the bridge has not said who it is');
    return bridgeId;
  }

  /** What it has logged. */
  get output(): string {
    return this.#output;
  }

  /** Stops it as a service would: it hands its numbers over first. */
  async stop(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`The bridge did not end well (${code}):\n${this.#output.slice(-5000)}`);
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  /** Its process stands still from here on; nobody is told. */
  async freeze(): Promise<void> {
    const pid = this.#process?.pid;
    if (pid === undefined) throw new Error('the bridge is not running');
    process.kill(pid, 'SIGSTOP');
    await waitUntil('The bridge did not freeze', async () => (isStopped(pid) ? true : null));
  }

  wake(): void {
    this.#process?.kill('SIGCONT');
  }

  /** So many messages have left it for the network, and it has not heard what became of them. */
  get handing(): number {
    return this.#journalled("FROM outbound WHERE state = 'handing'");
  }

  /** How many of these numbers it drives, as far as it knows. */
  driven(numberIds: readonly string[]): number {
    const places = numberIds.map(() => '?').join(', ');
    return this.#journalled(`FROM leases WHERE number_id IN (${places})`, ...numberIds);
  }

  /** Facts of this kind that its journal holds: the edge has not taken them, or it has not heard so. */
  untold(kind: NumberFact['type']): number {
    return this.#journalled('FROM facts WHERE kind = ?', kind);
  }

  #journalled(rows: string, ...values: string[]): number {
    const journal = new DatabaseSync(join(this.#home, 'journal.sqlite'), { readOnly: true });
    try {
      return Number(journal.prepare(`SELECT count(*) AS count ${rows}`).get(...values)?.count);
    } finally {
      journal.close();
    }
  }

  /** Resolves when the edge has, over report links, all that its journal held of messages of numbers that others drive. */
  async whenReported(): Promise<void> {
    const said = (words: string) => this.#output.split(words).length - 1;
    await waitUntil('The bridge did not report what it had to tell', async () => {
      const began = said('"report.began"');
      const isDrained = began > 0 && said('"report.ended"') === began;
      return isDrained && reportOnlyFacts.every((kind) => this.untold(kind) === 0) ? true : null;
    });
  }

  /** Its disk is empty from here on, as on a new machine. */
  wipe(): void {
    rmSync(this.#home, { recursive: true, force: true });
  }

  async discard(): Promise<void> {
    await this.kill();
    this.wipe();
  }
}

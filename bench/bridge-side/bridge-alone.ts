import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AuthenticationCreds, KeyPair } from '@whiskeysockets/baileys';
import type { FileContent } from '../../src/contract/messages/content.ts';
import { DeviceKeys } from '../../src/session-bridge/network/keys/auth-state.ts';
import { NumberSeal } from '../../src/session-bridge/vault/seal.ts';
import { VaultKeys } from '../../src/session-bridge/vault/vault-keys.ts';
import { FakeEdge, type FakeNumber } from '../../test/bridge/fake-edge.ts';
import { enrolmentToken } from '../../test/bridge/fake-enrolment.ts';

const entry = fileURLToPath(new URL('../../src/session-bridge/main.ts', import.meta.url));
const exitWithParent = new URL('../../src/local/parts/exit-with-parent.ts', import.meta.url).href;
/** As many as a PhoneNumber object lets be under way. */
const inFlightMax = 32;
const withinMs = 400_000;
const vaultKey = randomBytes(32);

interface Progress {
  number: FakeNumber;
  next: number;
  inFlight: number;
  acknowledged: number;
  factsSeen: number;
}

/** A bridge process between a simulated network and an edge that only plays its part: what the bridge does by itself. */
export class BridgeAlone {
  readonly #edge: FakeEdge;
  readonly #child: ChildProcess;
  readonly #home: string;
  readonly #network: { adminUrl: string };
  readonly #numbers: FakeNumber[] = [];

  private constructor(edge: FakeEdge, child: ChildProcess, home: string, network: { adminUrl: string }) {
    this.#edge = edge;
    this.#child = child;
    this.#home = home;
    this.#network = network;
  }

  static async start(
    network: { socketUrl: string; adminUrl: string; certificatePath?: string },
    nodeFlags: readonly string[] = [],
  ): Promise<BridgeAlone> {
    const home = mkdtempSync(join(tmpdir(), 'heliograph-bench-bridge-'));
    const edge = await FakeEdge.start();
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...nodeFlags, '--import', exitWithParent, entry],
      {
        env: {
          PATH: process.env.PATH,
          GATEWAY_URL: edge.url.replace('ws', 'http'),
          BRIDGE_ENROLMENT_TOKEN: enrolmentToken,
          VAULT_KEY: vaultKey.toString('base64'),
          BRIDGE_HOME: home,
          BRIDGE_CAPACITY: '1000',
          NETWORK: 'simulator',
          NETWORK_SOCKET_URL: network.socketUrl,
          ...(network.certificatePath && { NODE_EXTRA_CA_CERTS: network.certificatePath }),
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      },
    );
    const bridge = new BridgeAlone(edge, child, home, network);
    try {
      await edge.until('the bridge connects', () => edge.controlFrames.length > 0);
      return bridge;
    } catch (error) {
      await bridge.stop();
      throw error;
    }
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Links a number to each phone, `atATime` of them together, and resolves when all are connected. */
  async pair(phones: readonly string[], atATime: number): Promise<void> {
    const bridgeId = this.#edge.controlFrames[0]?.bridgeId ?? '';
    const waiting = [...phones];
    const pairer = async () => {
      for (let phone = waiting.shift(); phone !== undefined; phone = waiting.shift()) {
        const number = this.#edge.addNumber();
        number.pairByQr();
        this.#edge.grant(number, bridgeId);
        await this.#edge.until('a QR code', () => number.factsOf('pairing.qr').length > 0, withinMs);
        const url = `${this.#network.adminUrl}/admin/mock-phone/scan-qr?phone=${phone}`;
        const answer = await fetch(url, {
          method: 'POST',
          body: number.factsOf('pairing.qr').at(-1)?.qr ?? '',
        });
        if (!answer.ok) throw new Error(`The simulator refused the QR code with status ${answer.status}.`);
        const isConnected = () => number.factsOf('session.connected').length > 0;
        await this.#edge.until('a connected number', isConnected, withinMs);
        number.session = { type: 'session.start' };
        this.#numbers.push(number);
      }
    };
    await Promise.all(Array.from({ length: atATime }, pairer));
  }

  /** Gives it numbers that are linked already, all at once; milliseconds until all are connected. */
  async connect(
    credentials: readonly AuthenticationCreds[],
    prekeys: Record<string, KeyPair>,
  ): Promise<number> {
    const numbers: FakeNumber[] = [];
    for (const creds of credentials) {
      const number = this.#edge.addNumber();
      fillVault(number, creds, prekeys);
      number.session = { type: 'session.start' };
      numbers.push(number);
      // The edge of this process answers the bridge's pings in between; a bridge that hears nothing gives up its link.
      await setImmediate();
    }
    const bridgeId = this.#edge.controlFrames[0]?.bridgeId ?? '';
    const startedAt = performance.now();
    for (const number of numbers) this.#edge.grant(number, bridgeId);
    const isConnected = (number: FakeNumber) => number.facts.some(({ type }) => type === 'session.connected');
    await this.#edge.until('all numbers connected', () => numbers.every(isConnected), withinMs);
    this.#numbers.push(...numbers);
    return performance.now() - startedAt;
  }

  /** Hands each number so many texts, `inFlightMax` at a time; acknowledged texts a second over all of them. */
  async send(recipients: readonly string[], perNumber: number): Promise<number> {
    const all = this.#numbers.map(
      (number): Progress => ({
        number,
        next: 0,
        inFlight: 0,
        acknowledged: 0,
        factsSeen: number.facts.length,
      }),
    );
    const startedAt = performance.now();
    const goOn = () => {
      for (const one of all) this.#handOn(one, recipients, perNumber);
      return all.every(({ acknowledged }) => acknowledged >= perNumber);
    };
    await this.#edge.until('every text is acknowledged', goOn, withinMs);
    this.#edge.received.length = 0;
    return (all.length * perNumber * 1000) / (performance.now() - startedAt);
  }

  /** A file that the edge has. */
  addFile(mediaId: string, bytes: Buffer): void {
    this.#edge.files.add(mediaId, bytes);
  }

  /** Hands the first number messages with files, `inFlightMax` at a time; acknowledged ones a second. */
  async sendFiles(files: readonly { to: string; content: FileContent }[]): Promise<number> {
    const [number] = this.#numbers;
    if (!number) throw new Error('No number is paired.');
    const waiting = [...files];
    let factsSeen = number.facts.length;
    let [inFlight, sent] = [0, 0];
    const startedAt = performance.now();
    const goOn = () => {
      for (; factsSeen < number.facts.length; factsSeen += 1) {
        const fact = number.facts[factsSeen];
        if (fact?.type !== 'send.outcomes') continue;
        const failed = fact.items.find(({ outcome }) => outcome !== 'sent');
        if (failed) throw new Error(`A file was not sent: ${JSON.stringify(failed)}`);
        sent += fact.items.length;
        inFlight -= fact.items.length;
      }
      const next = waiting.splice(0, inFlightMax - inFlight);
      inFlight += next.length;
      if (next.length > 0) number.send(...next);
      return sent === files.length;
    };
    await this.#edge.until('every file is acknowledged', goOn, withinMs);
    const rate = (files.length * 1000) / (performance.now() - startedAt);
    for (const { content } of files) this.#edge.files.stored.delete(content.media.mediaId);
    return rate;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL');
      await once(this.#child, 'exit');
    }
    await this.#edge.close();
    rmSync(this.#home, { recursive: true, force: true });
  }

  #handOn(one: Progress, recipients: readonly string[], perNumber: number): void {
    const { facts } = one.number;
    for (; one.factsSeen < facts.length; one.factsSeen += 1) {
      const fact = facts[one.factsSeen];
      if (fact?.type !== 'send.outcomes') continue;
      one.acknowledged += fact.items.filter(({ outcome }) => outcome === 'sent').length;
      one.inFlight -= fact.items.length;
    }
    const room = Math.min(inFlightMax - one.inFlight, perNumber - one.next);
    if (room <= 0) return;
    const texts = Array.from({ length: room }, () => {
      const index = one.next++;
      return { to: recipients[index % recipients.length] ?? '', text: `text ${index} of the bench` };
    });
    one.inFlight += room;
    one.number.send(...texts);
  }
}

/** The vault of a number as its pairing would have left it. */
function fillVault(number: FakeNumber, creds: AuthenticationCreds, prekeys: Record<string, KeyPair>): void {
  const seal = new NumberSeal(new VaultKeys(vaultKey), number.numberId);
  const keys = DeviceKeys.fresh(
    {
      read: () => Promise.reject(new Error('Nothing is read while a vault is filled.')),
      write: (entries) => {
        for (const [key, json] of entries) {
          if (json !== null) number.vault.set(key, seal.seal(key, json));
        }
      },
    },
    randomUUID(),
  );
  Object.assign(keys.auth.creds, creds);
  keys.save();
  void keys.auth.keys.set({ 'pre-key': prekeys });
}

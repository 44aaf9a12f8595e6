import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BufferJSON } from '@whiskeysockets/baileys';
import { BridgeAlone } from '../../bridge-side/bridge-alone.ts';
import { type LinkedDevices, linkDevices } from '../../bridge-side/linked-devices.ts';
import { PlainProcess } from '../../bridge-side/plain/plain-process.ts';
import { collectableFlags, settledBytes } from '../../bridge-side/resident-memory.ts';
import { SimulatorProcess } from '../../bridge-side/simulator-process.ts';
import type { BenchLine, Figure } from '../../runner/line.ts';
import { median } from '../../runner/results.ts';

const sizes = [1, 100, 400] as const;
const bytesAMiB = 2 ** 20;
const largest = 400;

interface Sample {
  mib: number;
  seconds: number;
}

interface World {
  devices: LinkedDevices;
  devicesPath: string;
  simulator: SimulatorProcess;
}

export const bridgeMemory: BenchLine = {
  name: 'bridge-memory',
  question:
    'How much resident memory do 1, 100 and 400 logged-in numbers take in a bridge, and how long until all are connected, against plain sessions with their keys in memory?',
  leftOut:
    'Idle, empty accounts: no contacts, no groups, no messages under way. Each size in a fresh process under the same Node flags, after forced garbage collections (--expose-gc on both sides). The devices are written into the simulator as a pairing would leave them, the same ones for both sides, 812 one-time keys each; the plain side holds those keys in memory, the bridge leaves them in the vault at the edge, whose part is played by the bench. Seconds: from the leases, or the first dial, of all numbers at once.',
  async run({ log, rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-memory-'));
    const phones = Array.from({ length: largest }, (_, index) => `62812400${1000 + index}`);
    const devices = linkDevices(join(folder, 'simulator'), phones);
    const devicesPath = join(folder, 'devices.json');
    writeFileSync(devicesPath, JSON.stringify(devices, BufferJSON.replacer), { mode: 0o600 });
    const simulator = await SimulatorProcess.start(join(folder, 'simulator'));
    try {
      return await measure({ devices, devicesPath, simulator }, Math.min(rounds, 2), log);
    } finally {
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function measure(world: World, rounds: number, log: (line: string) => void): Promise<Figure[]> {
  const bridge = new Map<number, Sample[]>(sizes.map((size) => [size, []]));
  const plain = new Map<number, Sample[]>(sizes.map((size) => [size, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const size of sizes) {
      const ours = await measureBridge(world, size);
      const theirs = await measurePlain(world, size);
      bridge.get(size)?.push(ours);
      plain.get(size)?.push(theirs);
      log(`round ${round}, ${size} numbers: bridge ${inWords(ours)}, plain ${inWords(theirs)}`);
    }
  }
  const of = (samples: Map<number, Sample[]>, size: number, field: keyof Sample) =>
    (samples.get(size) ?? []).map((sample) => sample[field]);
  const memory = sizes.map((size) =>
    figure(`RSS with ${size} numbers`, 'MiB', of(bridge, size, 'mib'), of(plain, size, 'mib'), {
      of: 'ratio',
      atMost: 1.25,
    }),
  );
  const slopes = (samples: Map<number, Sample[]>) =>
    of(samples, largest, 'mib').map(
      (mib, round) => (mib - (of(samples, 1, 'mib')[round] ?? Number.NaN)) / (largest - 1),
    );
  return [
    ...memory,
    figure('RSS of one more number', 'MiB', slopes(bridge), slopes(plain), { of: 'ours', atMost: 2 }),
    ...sizes.map((size) =>
      figure(
        `seconds until ${size} are connected`,
        's',
        of(bridge, size, 'seconds'),
        of(plain, size, 'seconds'),
        null,
      ),
    ),
  ];
}

async function measureBridge({ devices, simulator }: World, size: number): Promise<Sample> {
  const bridge = await BridgeAlone.start(simulator, collectableFlags);
  try {
    const seconds = (await bridge.connect(devices.credentials.slice(0, size), devices.prekeys)) / 1000;
    return { mib: (await settledBytes(bridge.pid)) / bytesAMiB, seconds };
  } finally {
    await bridge.stop();
  }
}

async function measurePlain({ devicesPath, simulator }: World, size: number): Promise<Sample> {
  const plain = new PlainProcess(collectableFlags);
  try {
    const input = { socketUrl: simulator.socketUrl, path: devicesPath, count: size };
    const seconds = (await plain.call('logIn', input)) / 1000;
    return { mib: (await settledBytes(plain.pid)) / bytesAMiB, seconds };
  } finally {
    await plain.stop();
  }
}

function figure(
  name: string,
  unit: string,
  ours: number[],
  counterpart: number[],
  target: Figure['target'],
): Figure {
  return {
    name,
    unit,
    ours: median(ours),
    counterpart: median(counterpart),
    target,
    rounds: { ours, counterpart },
  };
}

const inWords = ({ mib, seconds }: Sample) => `${mib.toFixed(0)} MiB after ${seconds.toFixed(1)} s`;

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FileContent } from '../../../src/contract/messages/content.ts';
import { BridgeAlone } from '../../bridge-side/bridge-alone.ts';
import { type LinkedDevices, linkDevices } from '../../bridge-side/linked-devices.ts';
import { collectableFlags, peakBytes, settledBytes, startPeak } from '../../bridge-side/resident-memory.ts';
import { SimulatorProcess } from '../../bridge-side/simulator-process.ts';
import type { BenchLine, Figure } from '../../runner/line.ts';
import { median } from '../../runner/results.ts';
import { cpuMsOf } from '../../stage/workerd-cpu.ts';

const mebibyte = 1024 * 1024;
const documentBytes = 50 * mebibyte;
const pictureBytes = mebibyte;
const pictures = 200;
const picturesASecond = 20;
const recipients = Array.from({ length: 20 }, (_, index) => `1555020${1000 + index}`);

export const line: BenchLine = {
  name: 'media',
  question: `How much memory does a document of ${documentBytes / mebibyte} MiB take on its way through a bridge, and how many different pictures of ${pictureBytes / mebibyte} MiB a second go through one?`,
  leftOut:
    'The edge is played by the bench and gives files from memory: R2 and the object are left out. Memory: the highest resident memory while the document is on its way, above the settled one before; texts have been sent before, and no file, by a number that was linked already: a pairing leaves memory free that would hide some. Pictures: 200 at once to 20 recipients of one number, each with a preview; until the network has acknowledged all.',
  async run({ log, rounds }) {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-bench-media-'));
    const phones = Array.from({ length: rounds }, (_, index) => `62812500${1000 + index}`);
    const devices = linkDevices(join(folder, 'simulator'), phones);
    const simulator = await SimulatorProcess.start(join(folder, 'simulator'));
    try {
      return [await memoryOfDocument(simulator, devices, log), await rateOfPictures(simulator, rounds, log)];
    } finally {
      await simulator.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function memoryOfDocument(
  simulator: SimulatorProcess,
  { credentials, prekeys }: LinkedDevices,
  log: (line: string) => void,
): Promise<Figure> {
  const ours: number[] = [];
  for (const [index, device] of credentials.entries()) {
    const round = index + 1;
    const bridge = await BridgeAlone.start(simulator, collectableFlags);
    try {
      await bridge.connect([device], prekeys);
      await bridge.send(recipients, recipients.length);
      const before = await settledBytes(bridge.pid);
      startPeak(bridge.pid);
      await bridge.sendFiles([document(bridge, documentBytes)]);
      const mib = (peakBytes(bridge.pid) - before) / mebibyte;
      ours.push(mib);
      log(`round ${round}, document: ${mib.toFixed(1)} MiB above ${(before / mebibyte).toFixed(0)}`);
    } finally {
      await bridge.stop();
    }
  }
  const target = { of: 'ours', atMost: 64 } as const;
  return {
    name: 'memory of a document of 50 MiB',
    unit: 'MiB',
    ours: median(ours),
    target,
    rounds: { ours },
  };
}

async function rateOfPictures(
  simulator: SimulatorProcess,
  rounds: number,
  log: (line: string) => void,
): Promise<Figure> {
  const side = 700;
  const raw = { width: side, height: side, channels: 3 } as const;
  const noise = sharp(randomBytes(side * side * 3), { raw });
  const picture = await noise.jpeg({ quality: 90 }).toBuffer();
  const ours: number[] = [];
  const bridge = await BridgeAlone.start(simulator);
  const cpuMsEach: number[] = [];
  try {
    await bridge.pair(['628125009999'], 1);
    await bridge.send(recipients, recipients.length);
    for (let round = 1; round <= rounds; round += 1) {
      const files = Array.from({ length: pictures }, (_, index) => {
        // What stands behind its end makes it another file, and the same picture.
        const rest = randomBytes(Math.max(16, pictureBytes - picture.length));
        const bytes = Buffer.concat([picture, rest]);
        return {
          to: recipients[index % recipients.length] ?? '',
          content: fileOf(bridge, 'image', 'image/jpeg', bytes),
        };
      });
      const before = cpuMsOf(bridge.pid) ?? Number.NaN;
      const rate = await bridge.sendFiles(files);
      cpuMsEach.push(((cpuMsOf(bridge.pid) ?? Number.NaN) - before) / pictures);
      ours.push(rate);
      log(`round ${round}, pictures: ${rate.toFixed(1)}/s`);
    }
  } finally {
    await bridge.stop();
  }
  return {
    name: 'pictures of 1 MiB through one bridge',
    unit: 'pictures/s',
    ours: median(ours),
    target: { of: 'ours', atLeast: picturesASecond },
    rounds: { ours },
    details: { pictures, cpuMsOfTheBridgeEach: cpuMsEach },
  };
}

const document = (bridge: BridgeAlone, bytes: number) => ({
  to: recipients[0] ?? '',
  content: fileOf(bridge, 'document', 'application/octet-stream', randomBytes(bytes)),
});

/** A file at the edge, and what a message says of it. */
function fileOf(
  bridge: BridgeAlone,
  type: 'image' | 'document',
  mimetype: string,
  bytes: Buffer,
): FileContent {
  const mediaId = randomUUID();
  bridge.addFile(mediaId, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { type, media: { mediaId, mimetype, bytes: bytes.length, sha256 } };
}

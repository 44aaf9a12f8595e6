import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileContent } from '../../../src/contract/messages/content.ts';
import { Grants } from '../../../src/session-bridge/edge/grants.ts';
import { JournalDatabase } from '../../../src/session-bridge/journal/database.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import { EdgeFiles, FileRefused } from '../../../src/session-bridge/media/edge-files.ts';
import { FileProblem, OutboundFiles } from '../../../src/session-bridge/media/outbound-files.ts';
import { Previews } from '../../../src/session-bridge/media/previews/previews.ts';
import { Transfers } from '../../../src/session-bridge/media/transfers.ts';
import { UploadTickets } from '../../../src/session-bridge/media/upload-tickets.ts';
import { VoiceNotes } from '../../../src/session-bridge/media/voice-notes/voice-notes.ts';
import type { NetworkFiles } from '../../../src/session-bridge/network/files/network-files.ts';
import { FakeEdge } from '../fake-edge.ts';

let edge: FakeEdge;
let folder: string;
let db: JournalDatabase;
let outbound: OutboundFiles;
let files: EdgeFiles;

beforeAll(async () => {
  edge = await FakeEdge.start();
  folder = mkdtempSync(join(tmpdir(), 'bridge-uploads-'));
  db = new JournalDatabase(folder, (error) => {
    throw error;
  });
  const lease = { numberId: randomUUID(), epoch: 1 };
  const log = makeLog('silent');
  const [previews, voiceNotes] = [new Previews(log), new VoiceNotes(log)];
  previews.close();
  files = new EdgeFiles({ gatewayUrl: edge.url, token: 'any', grants: new Grants() }, lease);
  const transfers = new Transfers(join(folder, 'media'), 1_000_000);
  outbound = new OutboundFiles({
    numberId: lease.numberId,
    edge: files,
    media: {
      tickets: new UploadTickets(db),
      outbound: transfers,
      converted: transfers,
      previews,
      voiceNotes,
    },
  });
});

afterAll(async () => {
  db.close();
  rmSync(folder, { recursive: true });
  await edge.close();
});

function newDocument(): FileContent {
  const [mediaId, bytes] = [randomUUID(), randomBytes(100)];
  edge.files.add(mediaId, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { type: 'document', media: { mediaId, mimetype: 'application/pdf', bytes: bytes.length, sha256 } };
}

/** A connection whose network takes no file. */
class RefusingNetwork implements NetworkFiles {
  attempts = 0;
  readonly #endsAtAttempt: number;

  constructor(endsAtAttempt = Number.POSITIVE_INFINITY) {
    this.#endsAtAttempt = endsAtAttempt;
  }

  get isOver(): boolean {
    return this.attempts >= this.#endsAtAttempt;
  }

  async upload(): Promise<never> {
    this.attempts += 1;
    throw new Error('the network takes no file');
  }

  async download(): Promise<never> {
    throw new Error('nothing is downloaded');
  }

  async askAgain(): Promise<null> {
    return null;
  }
}

test('an upload that fails is tried again, and no more once its connection has ended', async () => {
  const network = new RefusingNetwork(2);
  await expect(outbound.ticketFor(newDocument(), network)).rejects.toThrow(FileProblem);
  expect(network.attempts).toBe(2);
});

test('an upload that fails is given up after four attempts', async () => {
  const network = new RefusingNetwork();
  await expect(outbound.ticketFor(newDocument(), network)).rejects.toThrow(FileProblem);
  expect(network.attempts).toBe(4);
});

test('an upload that was given up is tried anew for the next recipient', async () => {
  const content = newDocument();
  for (const network of [new RefusingNetwork(1), new RefusingNetwork(1)]) {
    await expect(outbound.ticketFor(content, network)).rejects.toThrow(FileProblem);
    expect(network.attempts).toBe(1);
  }
});

test('what is made a voice note first takes the room of two files, and any other sound that of one', async () => {
  const room: number[] = [];
  const full = {
    withFile: (bytes: number) => {
      room.push(bytes);
      return Promise.reject(new FileRefused(404));
    },
  } as unknown as Transfers;
  const files = new OutboundFiles({
    numberId: randomUUID(),
    edge: {} as EdgeFiles,
    media: { tickets: new UploadTickets(db), outbound: full, converted: full } as never,
  });
  const sound = (mimetype: string, voice: boolean): FileContent => ({
    type: 'audio',
    media: { mediaId: randomUUID(), mimetype, bytes: 100, sha256: randomUUID(), ...(voice && { voice }) },
  });
  for (const content of [sound('audio/mpeg', true), sound('audio/ogg', true), sound('audio/mpeg', false)]) {
    await expect(files.ticketFor(content, new RefusingNetwork())).rejects.toThrow(FileProblem);
  }
  expect(room).toEqual([200, 100, 100]);
});

test('what the edge will never take is refused, and whatever else it answers may pass', async () => {
  async function* chunks() {
    yield randomBytes(10);
  }
  const answerTo = async (status: number) => {
    edge.files.refusesWith = status;
    const file = { mediaId: randomUUID(), kind: 'document', mimetype: 'application/pdf' } as const;
    return files.write(file, chunks()).catch((error) => error);
  };
  for (const status of [400, 402, 404, 413, 415]) expect(await answerTo(status)).toBeInstanceOf(FileRefused);
  for (const status of [401, 403, 409, 429, 500, 503]) {
    const answer = await answerTo(status);
    expect(answer).toBeInstanceOf(Error);
    expect(answer).not.toBeInstanceOf(FileRefused);
  }
  edge.files.refusesWith = null;
});

test('the edge is told what a file is, what it is called, and under which lease it comes', async () => {
  async function* chunks() {
    yield randomBytes(10);
  }
  const [named, nameless] = [randomUUID(), randomUUID()];
  const file = { kind: 'document', mimetype: 'application/pdf' } as const;
  expect(await files.write({ ...file, mediaId: named, fileName: 'a & b.pdf' }, chunks())).toMatchObject({
    ...{ mediaId: named, mimetype: 'application/pdf', bytes: 10 },
  });
  await files.write({ ...file, mediaId: nameless }, chunks());
  const said = { epoch: '1', kind: 'document' };
  expect(edge.files.described.get(named)).toEqual({ ...said, fileName: 'a & b.pdf' });
  expect(edge.files.described.get(nameless)).toEqual(said);
});

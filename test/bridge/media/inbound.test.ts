import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { InboundMessage, NumberFact } from '../../../src/contract/bridge/bridge-frames.ts';
import { isFileContent } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { newPhone, Stage } from '../stage.ts';

const stage = Stage.open();
let number: FakeNumber;
let phone: string;
let home: string;

beforeAll(async () => {
  home = await stage.newHome();
  const { bridgeId } = await stage.startBridge(home);
  ({ number, phone } = await stage.pairedNumber(bridgeId));
});

/** A phone sends a file; the message as the bridge tells of it. */
async function fileFrom(bytes: Buffer, kind = 'document', to = { number, phone }): Promise<InboundMessage> {
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${newPhone()}/media`, {
    to: to.phone,
    kind,
    mimetype: 'application/pdf',
    base64: bytes.toString('base64'),
  });
  const find = () => to.number.inbound().find(({ providerMessageId }) => providerMessageId === id);
  await stage.edge.until('the message comes', () => find() !== undefined);
  const message = find();
  if (!message) throw new Error('no message');
  return message;
}

const mediaIdOf = ({ content }: InboundMessage) => (isFileContent(content) ? content.media.mediaId : '');
type Fetched = Extract<NumberFact, { type: 'media.fetched' }>;

/** What the bridge says of the file that it is asked for. */
async function fetched(message: InboundMessage): Promise<Fetched> {
  const find = () =>
    number.factsOf('media.fetched').findLast(({ mediaId }) => mediaId === mediaIdOf(message));
  const before = find();
  number.command({ type: 'media.fetch', message });
  await stage.edge.until('it says what became of the file', () => find() !== before);
  return find() as Fetched;
}

test('a file goes from the network to the edge, byte for byte', async () => {
  for (const size of [1, 16, 70_001, 3_000_000]) {
    const bytes = randomBytes(size);
    const message = await fileFrom(bytes);
    expect(message.content).toMatchObject({ media: { status: 'pending', bytes: size } });
    const { file } = await fetched(message);
    expect(file).toMatchObject({ bytes: size, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(stage.edge.files.stored.get(mediaIdOf(message))?.equals(bytes)).toBe(true);
  }
});

test('what the network has forgotten is uploaded again by its sender', async () => {
  const bytes = randomBytes(10_000);
  const message = await fileFrom(bytes, 'image');
  await stage.admin('POST', 'media/forget');
  expect((await fetched(message)).file).toMatchObject({ bytes: 10_000 });
  expect(stage.edge.files.stored.get(mediaIdOf(message))?.equals(bytes)).toBe(true);
});

test('bytes that are not what was promised are never stored, asked for again, and then given up', async () => {
  const message = await fileFrom(randomBytes(200_000));
  await stage.admin('PATCH', 'network', { corruptMedia: true });
  expect((await fetched(message)).file).toBeNull();
  expect(stage.edge.files.stored.has(mediaIdOf(message))).toBe(false);
  await stage.admin('PATCH', 'network', { corruptMedia: false });
  expect((await fetched(message)).file).not.toBeNull();
});

test('a file that nobody has any more is unavailable, and one that the edge refuses too', async () => {
  const gone = await fileFrom(randomBytes(1_000));
  await stage.admin('POST', 'media/forget');
  await stage.admin('PATCH', 'network', { refuseUploads: true });
  expect((await fetched(gone)).file).toBeNull();
  await stage.admin('PATCH', 'network', { refuseUploads: false });
  // It is too large, or the account has no room for it.
  for (const status of [413, 402]) {
    const refused = await fileFrom(randomBytes(500_000));
    stage.edge.files.refusesWith = status;
    expect((await fetched(refused)).file).toBeNull();
  }
  stage.edge.files.refusesWith = null;
});

test('an edge that fails is no reason to give up: nothing is said, and the next request brings the file', async () => {
  const bytes = randomBytes(50_000);
  const message = await fileFrom(bytes);
  stage.edge.files.refusesWith = 500;
  number.command({ type: 'media.fetch', message });
  const isLogged = () =>
    stage.logLines.some((line) => line.includes('media.not_fetched') && line.includes(mediaIdOf(message)));
  await expect.poll(isLogged).toBe(true);
  stage.edge.files.refusesWith = null;
  expect((await fetched(message)).file).toMatchObject({ bytes: 50_000 });
});

test('a file that is there while its bridge ends is told of: the next one does not fetch it once more', async () => {
  const ending = await stage.startBridge(await stage.newHome(), { drainMs: 1_500 });
  const own = await stage.pairedNumber(ending.bridgeId);
  const bytes = randomBytes(20_000);
  const message = await fileFrom(bytes, 'document', own);
  const { promise: answers, resolve: answer } = Promise.withResolvers<void>();
  stage.edge.files.answersAfter = answers;
  own.number.command({ type: 'media.fetch', message });
  await stage.edge.until('the file is there', () => stage.edge.files.stored.has(mediaIdOf(message)));
  // The network leaves a message open, and the bridge waits for it.
  await stage.admin('PATCH', `devices/${own.phone}`, { isDeaf: true });
  const to = newPhone();
  own.number.send({ to, text: 'left open' });
  await expect.poll(async () => (await stage.arrivalsAt(to)).length).toBe(1);
  const drained = ending.drain();
  answer();
  await stage.edge.until('it says so', () => own.number.factsOf('media.fetched').length > 0);
  expect(own.number.factsOf('media.fetched')).toMatchObject([
    { mediaId: mediaIdOf(message), file: { bytes: 20_000 } },
  ]);
  await drained;
});

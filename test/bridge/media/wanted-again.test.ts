import { expect, test } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { EdgeFiles } from '../../../src/session-bridge/media/edge-files.ts';
import { InboundFiles } from '../../../src/session-bridge/media/inbound-files.ts';
import type { Transfers } from '../../../src/session-bridge/media/transfers.ts';
import { FileForgotten, type NetworkFiles } from '../../../src/session-bridge/network/files/network-files.ts';

const mediaId = '01a21c51-28c6-7000-8000-00732eb2e8f5';
const message = {
  content: {
    type: 'image',
    media: {
      mediaId,
      sha256: 'ab'.repeat(32),
      source: { directPath: '/v/1', mediaKey: btoa('k'.repeat(32)), encSha256: btoa('e'.repeat(32)) },
    },
  },
} as InboundMessage;

/** `edge`: takes what is brought. */
function stage(report: (mediaId: string, file: unknown) => void = () => {}, edge: Partial<EdgeFiles> = {}) {
  const tries: PromiseWithResolvers<never>[] = [];
  const files = new InboundFiles({
    edge: edge as EdgeFiles,
    transfers: { passing: (work: () => Promise<unknown>) => work() } as Transfers,
    log: { info: () => {}, warn: () => {} } as never,
    report,
  });
  const download = () => {
    tries.push(Promise.withResolvers<never>());
    return tries.at(-1)?.promise;
  };
  const network = { download, askAgain: async () => '/v/again' } as unknown as NetworkFiles;
  files.connected(network);
  const fail = (index: number) => tries[index]?.reject(new Error('the network is away'));
  return { files, network, tries, fail };
}

test('a file that the edge asks for again while it is on its way is fetched once more where that failed', async () => {
  const { files, tries, fail } = stage();
  files.want(message);
  files.want(message);
  expect(tries).toHaveLength(1);
  fail(0);
  await expect.poll(() => tries).toHaveLength(2);
});

test('a file that could not be fetched is not asked for by itself, and is when the edge asks again', async () => {
  const { files, tries, fail } = stage();
  files.want(message);
  fail(0);
  await new Promise(setImmediate);
  expect(tries).toHaveLength(1);
  files.want(message);
  expect(tries).toHaveLength(2);
});

test('a file that the edge asks for again is not fetched once more when it has been told of', async () => {
  const told: string[] = [];
  const { files, tries } = stage((id) => told.push(id));
  const { content } = message as { content: { media: object } };
  const withoutHash = { content: { ...content, media: { ...content.media, sha256: undefined } } };
  files.want(withoutHash as InboundMessage);
  files.want(withoutHash as InboundMessage);
  await expect.poll(() => told).toEqual([mediaId]);
  await new Promise(setImmediate);
  expect([told, tries]).toEqual([[mediaId], []]);
});

test('a file that is wanted while there is no connection is fetched by the next one', async () => {
  const { files, network, tries } = stage();
  files.connected(null);
  files.want(message);
  expect(tries).toEqual([]);
  files.connected(network);
  expect(tries).toHaveLength(1);
});

test('a file that the network has forgotten is asked for once more, by the path that its sender gives, and then given up', async () => {
  const told: unknown[] = [];
  const { files, tries } = stage((_, file) => told.push(file));
  files.want(message);
  for (const time of [0, 1]) {
    await expect.poll(() => tries).toHaveLength(time + 1);
    tries[time]?.reject(new FileForgotten('the network answered 404'));
  }
  await expect.poll(() => told).toEqual([null]);
  expect(tries).toHaveLength(2);
});

test('a file is stored as what it is, and under the name that it has', async () => {
  const stored: unknown[] = [];
  const write: EdgeFiles['write'] = async (file) => {
    stored.push(file);
    return {} as never;
  };
  const { files, tries } = stage(() => {}, { write });
  const { content } = message as { content: { media: object } };
  const named = { ...content, media: { ...content.media, mimetype: 'image/png', fileName: 'lamp.png' } };
  files.want({ content: named } as InboundMessage);
  tries[0]?.resolve([] as never);
  await expect.poll(() => stored).toHaveLength(1);
  expect(stored).toEqual([{ mediaId, kind: 'image', mimetype: 'image/png', fileName: 'lamp.png' }]);
});

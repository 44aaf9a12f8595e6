import { expect, test, vi } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { EdgeFiles } from '../../../src/session-bridge/media/edge-files.ts';
import { InboundFiles } from '../../../src/session-bridge/media/inbound-files.ts';
import type { Transfers } from '../../../src/session-bridge/media/transfers.ts';
import type { NetworkFiles } from '../../../src/session-bridge/network/files/network-files.ts';

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

function stage(report: (mediaId: string) => void = () => {}) {
  const tries: PromiseWithResolvers<never>[] = [];
  const files = new InboundFiles({
    edge: {} as EdgeFiles,
    transfers: { passing: (work: () => Promise<unknown>) => work() } as Transfers,
    log: { info: () => {}, warn: () => {} } as never,
    report,
  });
  const download = () => {
    tries.push(Promise.withResolvers<never>());
    return tries.at(-1)?.promise;
  };
  files.connected({ download } as unknown as NetworkFiles);
  const fail = (index: number) => tries[index]?.reject(new Error('the network is away'));
  return { files, tries, fail };
}

test('a file that the edge asks for again while it is on its way is fetched once more where that failed', async () => {
  const { files, tries, fail } = stage();
  files.want(message);
  files.want(message);
  expect(tries).toHaveLength(1);
  fail(0);
  await vi.waitFor(() => expect(tries).toHaveLength(2));
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
  await vi.waitFor(() => expect(told).toEqual([mediaId]));
  await new Promise(setImmediate);
  expect([told, tries]).toEqual([[mediaId], []]);
});

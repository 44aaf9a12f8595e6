import { expect, test } from 'vitest';
import type { FetchedFile, WantedFile } from '../../../src/durable/account/outbox/file-fetches.ts';
import { consumeFileWakeUps } from '../../../src/worker/features/media/fetch-file.ts';

const mediaId = '019a0000-0000-7000-8000-000000000001';
const wanted: WantedFile = { url: 'https://files.example.com/a', mediaId, kind: 'sticker', isVoice: false };

/** What an account is told of a file that was stored already, as before a crash, when the wake-up comes again. */
async function toldOf(mimetype: string): Promise<FetchedFile[]> {
  const told: FetchedFile[] = [];
  const about = {
    ...{ mediaId, mimetype, bytes: 5, sha256: 'ab'.repeat(32) },
    ...{ createdAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 60_000).toISOString() },
  };
  const account = {
    fileWanted: async () => wanted,
    fileFetched: async (_: string, fetched: FetchedFile) => told.push(fetched),
  };
  const env = {
    ACCOUNT: { getByName: () => account },
    MEDIA: { get: async () => ({ json: async () => about }) },
  };
  const message = { body: { accountId: 'account', messageId: 'msg' }, attempts: 2, ack: () => {} };
  await consumeFileWakeUps({ messages: [message] } as never, env as unknown as Env);
  return told;
}

test('a file that was stored before the account could be told of it is judged as one that comes now', async () => {
  expect(await toldOf('image/webp')).toMatchObject([{ ok: true, file: { mediaId, mimetype: 'image/webp' } }]);
  expect(await toldOf('application/pdf')).toEqual([
    { ok: false, reason: expect.stringContaining('application/pdf') },
  ]);
});

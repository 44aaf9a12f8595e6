import { afterEach, expect, test, vi } from 'vitest';
import type { WantedFile } from '../../../src/durable/account/outbox/file-fetches.ts';
import { fetchWanted } from '../../../src/worker/features/media/fetch-file.ts';

const mediaId = '019a0000-0000-7000-8000-000000000001';
const url = 'https://files.example.com/a';
const settings = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
};

afterEach(() => void vi.restoreAllMocks());

/** What comes of an attempt: what the account is told, and after how many seconds the file is fetched again. */
async function attempt(stored: object | null, kind: WantedFile['kind'] = 'sticker', attempts = 2) {
  const account = { storageRoom: async () => ({ bytesMax: null }), keepFile: async () => null };
  const env = {
    ...settings,
    ACCOUNT: { getByName: () => account },
    MEDIA: { get: async () => stored && { json: async () => stored }, put: async () => null },
  };
  const wanted = { url, mediaId, kind, isVoice: false };
  const fetched = await fetchWanted(env as unknown as Env, 'account', wanted, attempts);
  return 'ok' in fetched ? { told: [fetched], later: [] } : { told: [], later: [fetched.againSeconds] };
}

/** What a host answers, by URL. */
const hosts = (answers: Record<string, () => Response>) =>
  vi
    .spyOn(globalThis, 'fetch')
    .mockImplementation(async (input) => answers[`${input}`]?.() ?? new Response('', { status: 404 }));

const text =
  (headers: Record<string, string> = {}) =>
  () =>
    new Response('a file', { headers: { 'Content-Type': 'text/plain', ...headers } });

test('a file that was stored before the account could be told of it is judged as one that comes now', async () => {
  const storedAs = (mimetype: string) => ({
    ...{ mediaId, mimetype, bytes: 5, sha256: 'ab'.repeat(32) },
    ...{ createdAt: new Date().toISOString(), expiresAt: new Date(Date.now() + 60_000).toISOString() },
  });
  expect((await attempt(storedAs('image/webp'))).told).toMatchObject([
    { ok: true, file: { mediaId, mimetype: 'image/webp' } },
  ]);
  expect((await attempt(storedAs('application/pdf'))).told).toEqual([
    { ok: false, reason: expect.stringContaining('application/pdf') },
  ]);
});

test.each([408, 429, 500, 503])(
  'a host that answers %i is asked again later, four times in all',
  async (status) => {
    hosts({ [url]: () => new Response('busy', { status }) });
    const waits = [5, 30, 120];
    for (const [index, seconds] of waits.entries())
      expect(await attempt(null, 'document', index + 1)).toEqual({ told: [], later: [seconds] });
    const reason = `The host answered ${status}.`;
    expect(await attempt(null, 'document', 4)).toEqual({ told: [{ ok: false, reason }], later: [] });
  },
);

test.each([400, 403, 404, 410])('a host that answers %i is not asked again', async (status) => {
  hosts({ [url]: () => new Response('no', { status }) });
  const reason = `The host answered ${status}.`;
  expect(await attempt(null, 'document', 1)).toEqual({ told: [{ ok: false, reason }], later: [] });
});

test('a fault of ours is no reason to give a file up: the account hears of it as one', async () => {
  await expect(attempt({ mediaId })).rejects.toThrow();
});

test('a file that comes compressed is as long as it is, not as its host announces', async () => {
  const asked = hosts({ [url]: text({ 'Content-Encoding': 'gzip', 'Content-Length': '3' }) });
  expect((await attempt(null, 'document')).told).toMatchObject([{ ok: true, file: { bytes: 6 } }]);
  // The host learns who asks.
  expect(asked.mock.lastCall?.[1]?.headers).toMatchObject({ 'User-Agent': 'Heliograph-Media/1.0' });
});

test('three redirects are followed, also to a place within a file, and a fourth is not', async () => {
  const to = (location: string) => () => new Response(null, { status: 302, headers: { location } });
  hosts({
    [url]: to('/b'),
    'https://files.example.com/b': to('/c#page=2'),
    'https://files.example.com/c': to('/d'),
    'https://files.example.com/d': text(),
  });
  expect((await attempt(null, 'document')).told).toMatchObject([{ ok: true, file: { bytes: 6 } }]);
  hosts({ [url]: to('/a') });
  const reason = 'The host redirects too many times.';
  expect((await attempt(null, 'document')).told).toEqual([{ ok: false, reason }]);
});

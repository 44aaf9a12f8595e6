import { afterEach, describe, expect, test, vi } from 'vitest';
import { type GuardedRequest, guardedFetch } from '../../../src/worker/outbound-http/guarded-fetch.ts';

const env = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
} as unknown as Env;
const first = 'https://docs.example.com/start';

afterEach(() => {
  vi.restoreAllMocks();
});

/** What servers answer, by URL. Returns the URLs that were asked, in order. */
function servers(answers: Record<string, () => Response>): string[] {
  const asked: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const url = String(input);
    expect(init?.redirect).toBe('manual');
    asked.push(url);
    return answers[url]?.() ?? new Response('not there', { status: 404 });
  });
  return asked;
}

const redirectTo = (location: string) => () => new Response(null, { status: 302, headers: { location } });

const read = (more: Partial<GuardedRequest> = {}) =>
  guardedFetch(env, first, { timeoutMs: 5_000, bytesMax: 100, followsRedirects: true, ...more });

describe('what a customer has named', () => {
  test.each([
    ['a private address', 'https://192.168.0.1/secret'],
    ['this machine', 'http://127.0.0.1:8080/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['a name of a private network', 'https://intranet/'],
    ['plain http', 'http://docs.example.com/start'],
    ['a private address without a scheme of its own', '//10.0.0.1/secret'],
    ['an address with credentials', 'https://user:word@example.com/'],
    ['another scheme', 'ftp://example.com/'],
  ])('is not followed to %s', async (_what, location) => {
    const asked = servers({ [first]: redirectTo(location) });
    const answer = await read();
    expect(answer).toMatchObject({
      ok: false,
      isPassing: false,
      error: expect.stringMatching(/^The URL is not allowed\. /),
    });
    expect(asked).toEqual([first]);
  });

  test('is judged at each redirect, not at the first alone', async () => {
    const second = 'https://cdn.example.com/a';
    const asked = servers({ [first]: redirectTo(second), [second]: redirectTo('https://10.0.0.1/') });
    expect(await read()).toMatchObject({ ok: false, isPassing: false });
    expect(asked).toEqual([first, second]);
  });

  test('is followed to other public addresses, by a path as well, without the part behind the #', async () => {
    const [second, third] = ['https://docs.example.com/en/', 'https://www.example.com/en/page'];
    const asked = servers({
      [first]: redirectTo('/en/'),
      [second]: redirectTo(`${third}#top`),
      [third]: () => new Response('words', { headers: { 'content-type': 'text/plain' } }),
    });
    const answer = await read();
    expect(answer).toMatchObject({ ok: true, status: 200, url: third, contentType: 'text/plain' });
    expect(answer.ok && new TextDecoder().decode(answer.bytes)).toBe('words');
    expect(asked).toEqual([first, second, third]);
  });

  test('is followed three times, and no further', async () => {
    const asked = servers({ [first]: redirectTo(first) });
    expect(await read()).toMatchObject({ ok: false, error: 'The server redirects too often.' });
    expect(asked).toHaveLength(4);
  });

  test('is not followed to something that is no URL, nor where no address is named', async () => {
    const asked = servers({ [first]: redirectTo('http://') });
    expect(await read()).toMatchObject({
      ...{ ok: false, error: 'The server redirects to something that is no URL.', isPassing: false },
    });
    expect(asked).toEqual([first]);
    servers({ [first]: () => new Response(null, { status: 304 }) });
    expect(await read()).toMatchObject({ ok: true, status: 304, url: first });
  });

  test('gets what is sent there, as it is', async () => {
    servers({});
    const request = { method: 'POST', headers: { 'X-Key': 'k' }, body: '{"a":1}' };
    await read(request);
    expect(vi.mocked(fetch).mock.calls[0]?.[1]).toMatchObject(request);
  });

  test('is not followed where something is changed there', async () => {
    const asked = servers({ [first]: redirectTo('https://www.example.com/') });
    const answer = await read({ method: 'POST', body: '{}', followsRedirects: false });
    expect(answer).toMatchObject({ ok: false, error: expect.stringContaining('redirects are not followed') });
    expect(asked).toEqual([first]);
  });

  test('is asked for nothing where it is not allowed itself', async () => {
    const asked = servers({});
    const request = { timeoutMs: 5_000, bytesMax: 100 };
    expect(await guardedFetch(env, 'https://192.168.0.1/', request)).toMatchObject({
      ok: false,
      isPassing: false,
    });
    expect(asked).toEqual([]);
  });

  test('is read as far as it may be, and known to be cut', async () => {
    servers({ [first]: () => new Response('x'.repeat(101)) });
    const cut = await read();
    expect(cut).toMatchObject({ ok: true, isCut: true });
    expect(cut.ok && cut.bytes.byteLength).toBe(100);
    servers({ [first]: () => new Response('x'.repeat(100)) });
    expect(await read()).toMatchObject({ ok: true, isCut: false });
    servers({ [first]: () => new Response(null) });
    expect(await read()).toMatchObject({ ok: true, isCut: false, bytes: new Uint8Array() });
  });

  test('may take so long in all, however often it redirects', async () => {
    const asked = servers({ [first]: redirectTo(first) });
    await read();
    const signals = vi.mocked(fetch).mock.calls.map(([, init]) => init?.signal);
    expect(signals).toHaveLength(asked.length);
    expect(new Set(signals).size).toBe(1);
  });

  test('is read no further than it may be, and of what redirects nothing is read', async () => {
    const cancelled: string[] = [];
    const endless = (name: string) =>
      new ReadableStream<Uint8Array>({
        pull: (stream) => stream.enqueue(new Uint8Array(60)),
        cancel: () => void cancelled.push(name),
      });
    const second = 'https://docs.example.com/long';
    servers({
      [first]: () => new Response(endless('redirect'), { status: 302, headers: { location: second } }),
      [second]: () => new Response(endless('long')),
    });
    expect(await read()).toMatchObject({ ok: true, isCut: true });
    expect(cancelled).toEqual(['redirect', 'long']);
  });

  test('that cannot be reached may be reached later', async () => {
    vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('connection refused'));
    expect(await read()).toEqual({ ok: false, error: 'The server could not be reached.', isPassing: true });
  });
});

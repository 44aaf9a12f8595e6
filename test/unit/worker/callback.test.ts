import { afterEach, expect, test, vi } from 'vitest';
import { postCallback } from '../../../src/worker/features/webhooks/delivery/callback.ts';

const env = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
} as unknown as Env;

afterEach(() => {
  vi.restoreAllMocks();
});

/** What comes of a callback whose receiver says `status` first, and then these pieces, as workerd gives them. */
function behind(status: number, pieces: readonly string[], ends = true) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (ends) controller.close();
    },
  });
  // No constructor makes one of these.
  vi.spyOn(globalThis, 'fetch').mockResolvedValue({ status, body } as Response);
  return postCallback(env, 'https://hooks.example.com/', {}, '{}');
}

const answered = (statusCode: number, responseSnippet: string | null) => ({
  outcome: { kind: 'answered', statusCode },
  responseSnippet,
  reason: null,
});
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

test.each([
  ['a connection that stays open', [ok], false],
  ['one that ends', [ok], true],
  ['pieces of a character each', [...ok], false],
])('behind an interim answer the answer counts, over %s', async (_, pieces, ends) => {
  const snippet = pieces.length === 1 ? 'ok' : null;
  for (const interim of [100, 102, 103]) {
    expect(await behind(interim, pieces, ends)).toEqual(answered(200, snippet));
  }
});

test('of several interim answers the last is no more an answer than the first', async () => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
  const busy = 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n';
  expect(await behind(100, [hints, hints + busy], false)).toEqual(answered(503, null));
});

test.each([
  ['nothing', []],
  ['half of an answer', ['HTTP/1.1 200 OK\r\nContent-Le']],
  ['something else', ['<html>'.repeat(2_000)]],
])('where %s follows an interim answer, there was none', async (_, pieces) => {
  const { outcome, reason } = await behind(100, pieces);
  expect(outcome).toEqual({ kind: 'unreachable' });
  expect(reason).toMatch(/^The connection failed/);
});

test('a redirect is the answer: nobody is called where it leads, which nobody has judged', async () => {
  const fetched = vi
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(new Response(null, { status: 302, headers: { location: 'http://10.0.0.1/' } }));
  expect(await postCallback(env, 'https://hooks.example.com/', {}, '{}')).toEqual(answered(302, null));
  expect(fetched).toHaveBeenCalledOnce();
  expect(fetched.mock.calls[0]?.[1]).toMatchObject({ method: 'POST', redirect: 'manual' });
});

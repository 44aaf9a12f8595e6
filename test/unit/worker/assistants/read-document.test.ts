import { generateKeyPairSync } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import {
  documentBytesMax,
  documentChunksMax,
  sitemapPagesMax,
} from '../../../../src/contract/assistants/document.ts';
import { readOf } from '../../../../src/worker/features/assistants/knowledge/document-text.ts';
import { readUrl } from '../../../../src/worker/features/assistants/knowledge/read-document.ts';

afterEach(() => vi.unstubAllGlobals());

const secrets = {
  JWT_PRIVATE_KEY: JSON.stringify(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })),
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
  BRIDGE_TOKEN: 'b',
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
};

/** What comes of a document at a URL, of a web that answers so, and which of its URLs were asked for. */
async function reading(kind: 'url' | 'sitemap', url: string, web: (url: string) => Response) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const at = input instanceof Request ? input.url : String(input);
    asked.push(at);
    return web(at);
  });
  const outcome = await readUrl(secrets as unknown as Env, kind, url);
  return { outcome, asked };
}

const sitemap = (root: 'urlset' | 'sitemapindex', ...urls: string[]) =>
  new Response(`<${root}>${urls.map((url) => `<loc>${url}</loc>`).join('')}</${root}>`);
const page = (text: string) => new Response(text, { headers: { 'Content-Type': 'text/plain' } });
const shop = 'https://shop.example.com';

test('of an index of sitemaps the pages of its own host are read, and no others', async () => {
  const web: Record<string, () => Response> = {
    [`${shop}/index.xml`]: () =>
      sitemap('sitemapindex', `${shop}/a.xml`, 'https://other.example.com/b.xml', `${shop}/c.xml`),
    [`${shop}/a.xml`]: () => sitemap('urlset', `${shop}/hours`, 'https://other.example.com/secrets'),
    [`${shop}/c.xml`]: () => sitemap('urlset', `${shop}/prices`, `${shop}/c.xml`),
    [`${shop}/hours`]: () => page('We open at nine.'),
    [`${shop}/prices`]: () => page('A lamp costs 20.'),
  };
  const { outcome, asked } = await reading('sitemap', `${shop}/index.xml`, (url) => {
    const answer = web[url];
    return answer === undefined ? new Response(null, { status: 404 }) : answer();
  });
  expect(new Set(asked)).toEqual(new Set(Object.keys(web)));
  expect(outcome).toMatchObject({ ok: true, read: { pages: 2 } });
});

test('of a sitemap no page on another port of its host is read', async () => {
  const { asked } = await reading('sitemap', `${shop}/map.xml`, (url) =>
    url.endsWith('.xml')
      ? sitemap('urlset', `${shop}/hours`, `${shop}:8443/admin`)
      : page('We open at nine.'),
  );
  expect(asked).toEqual([`${shop}/map.xml`, `${shop}/hours`]);
});

test('of a sitemap so many pages are read at most', async () => {
  const urls = Array.from({ length: sitemapPagesMax + 5 }, (_, index) => `${shop}/${index}`);
  const { outcome, asked } = await reading('sitemap', `${shop}/map.xml`, (url) =>
    url.endsWith('.xml') ? sitemap('urlset', ...urls) : page('A page.'),
  );
  expect(asked).toHaveLength(1 + sitemapPagesMax);
  expect(outcome).toMatchObject({ ok: true, read: { pages: sitemapPagesMax } });
});

test.each([
  [429, true],
  [408, true],
  [503, true],
  [404, false],
  [403, false],
])('a page that answers %i may be there later: %s', async (status, isPassing) => {
  const { outcome } = await reading('url', `${shop}/hours`, () => new Response(null, { status }));
  expect(outcome).toMatchObject({ ok: false, isPassing, error: `The server answered ${status}.` });
});

test('of an index so many sitemaps are read at most', async () => {
  const maps = Array.from({ length: 25 }, (_, index) => `${shop}/${index}.xml`);
  const { asked } = await reading('sitemap', `${shop}/index.xml`, (url) =>
    url.endsWith('index.xml') ? sitemap('sitemapindex', ...maps) : sitemap('urlset'),
  );
  expect(asked).toHaveLength(1 + 20);
});

test('a page that is larger than a document may be is none, not even its beginning', async () => {
  const large = new Uint8Array(documentBytesMax + 1).fill(97);
  const { outcome } = await reading('url', `${shop}/all`, () => new Response(large));
  expect(outcome).toEqual({ ok: false, error: 'The document is larger than 10 MiB.', isPassing: false });
});

test('a document has so many pieces at most, however short they are', async () => {
  const pieces = (count: number) =>
    readOf([{ url: null, title: '', text: Array.from({ length: count }, () => '# A\n\nb').join('\n\n') }]);
  expect(await pieces(documentChunksMax)).toMatchObject({ ok: true });
  expect(await pieces(documentChunksMax + 1)).toMatchObject({ ok: false, isPassing: false });
});

import { documentBytesMax, sitemapPagesMax } from '../../../../contract/assistants/document.ts';
import type { ReadOutcome } from '../../../../durable/knowledge/document.ts';
import { mayPass } from '../../../outbound-http/final-answers.ts';
import { guardedFetch } from '../../../outbound-http/guarded-fetch.ts';
import { type Page, type PageText, pageText, readOf } from './document-text.ts';
import { decoded } from './html-text.ts';

const timeoutMs = 20_000;
/** Pages of a sitemap that are read at a time. */
const pagesAtOnce = 4;
/** Sitemaps that an index may lead to. */
const sitemapsMax = 20;

type Loaded =
  | { ok: true; url: string; contentType: string; bytes: Uint8Array }
  | { ok: false; error: string; isPassing: boolean };

/** Reads what lies at a URL: a page or a file, or all the pages that a sitemap names. Throws only where the fault is ours. */
export function readUrl(env: Env, kind: 'url' | 'sitemap', url: string): Promise<ReadOutcome> {
  return kind === 'sitemap' ? readSitemap(env, url) : readPage(env, url);
}

async function readPage(env: Env, url: string): Promise<ReadOutcome> {
  const loaded = await load(env, url);
  if (!loaded.ok) return loaded;
  const text = await pageText(loaded.contentType, loaded.bytes, url);
  return text.ok ? readOf([text.page]) : { ...text, isPassing: false };
}

async function load(env: Env, url: string): Promise<Loaded> {
  const headers = {
    'User-Agent': 'Heliograph-Knowledge/1.0',
    Accept: 'text/html, text/markdown, text/plain, application/pdf, application/xml;q=0.8, */*;q=0.1',
  };
  const request = { headers, timeoutMs, bytesMax: documentBytesMax, followsRedirects: true };
  const answer = await guardedFetch(env, url, request);
  if (!answer.ok) return answer;
  const { status, isCut } = answer;
  if (status !== 200) {
    return { ok: false, error: `The server answered ${status}.`, isPassing: mayPass(status) };
  }
  if (isCut) return { ok: false, error: 'The document is larger than 10 MiB.', isPassing: false };
  return answer;
}

async function readSitemap(env: Env, url: string): Promise<ReadOutcome> {
  const found = await pagesOf(env, url);
  if (!found.ok) return found;
  const pages: Page[] = [];
  const texts: PageText[] = new Array(found.urls.length);
  const waiting = [...found.urls.entries()];
  const readNext = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, pageUrl] = next;
      const loaded = await load(env, pageUrl);
      texts[index] = loaded.ok ? await pageText(loaded.contentType, loaded.bytes, pageUrl) : loaded;
    }
  };
  await Promise.all(Array.from({ length: pagesAtOnce }, readNext));
  for (const text of texts) if (text?.ok && text.page.text !== '') pages.push(text.page);
  if (pages.length > 0) return withoutTitle(await readOf(pages));
  const first = texts.find((text) => text !== undefined && !text.ok);
  const error = first && !first.ok ? ` ${first.error}` : '';
  return { ok: false, error: `None of its pages could be read.${error}`, isPassing: false };
}

/** A sitemap is not called by the title of one of its pages. */
function withoutTitle(outcome: ReadOutcome): ReadOutcome {
  if (!outcome.ok) return outcome;
  const { title: _, ...read } = outcome.read;
  return { ok: true, read };
}

type Found = { ok: true; urls: string[] } | { ok: false; error: string; isPassing: boolean };

/** The pages that a sitemap names on its own host; of an index, those of its sitemaps. */
async function pagesOf(env: Env, url: string): Promise<Found> {
  const loaded = await load(env, url);
  if (!loaded.ok) return loaded;
  const xml = new TextDecoder().decode(loaded.bytes);
  const named = locationsOf(xml).filter((it) => URL.parse(it)?.host === URL.parse(loaded.url)?.host);
  if (named.length === 0)
    return { ok: false, error: 'Not a sitemap, or it lists no page on this host.', isPassing: false };
  if (!/<sitemapindex[\s>]/i.test(xml)) return { ok: true, urls: named.slice(0, sitemapPagesMax) };
  const urls: string[] = [];
  for (const sitemap of named.slice(0, sitemapsMax)) {
    if (urls.length >= sitemapPagesMax) break;
    const inner = await load(env, sitemap);
    if (!inner.ok) continue;
    const host = URL.parse(loaded.url)?.host;
    const more = locationsOf(new TextDecoder().decode(inner.bytes));
    urls.push(...more.filter((it) => URL.parse(it)?.host === host && !it.endsWith('.xml')));
  }
  return urls.length > 0
    ? { ok: true, urls: urls.slice(0, sitemapPagesMax) }
    : { ok: false, error: 'Its sitemaps list no page on this host.', isPassing: false };
}

const locationsOf = (xml: string): string[] => [
  ...new Set(
    [...xml.matchAll(/<loc>\s*(?:<!\[CDATA\[)?\s*([^<\]\s]+)/gi)].map(([, url]) => decoded(url ?? '')),
  ),
];

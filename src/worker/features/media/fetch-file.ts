import { parse } from 'content-disposition';
import { type FileFacts, fileFactsSchema, fileNameOf, isFileName } from '../../../contract/messages/media.ts';
import { mediaBytesMax } from '../../../contract/messages/media-kinds.ts';
import type { FetchedFile, FetchLater, WantedFile } from '../../../durable/account/outbox/file-fetches.ts';
import { settingsOf } from '../../../settings/worker-settings.ts';
import { mayPass } from '../../outbound-http/final-answers.ts';
import { tenantFetch } from '../../outbound-http/tenant-fetch.ts';
import { webhookUrlProblem, webhookUrlRules } from '../../outbound-http/webhook-url.ts';
import { nameOfType, typeNamed } from './file-types.ts';
import { misfit } from './sent-file.ts';
import { MediaStore, type StoredMedia } from './store/media-store.ts';

/** How long a host may take for a file. */
const fetchMs = 120_000;
const redirectsMax = 3;
/** Seconds before attempts 2 to 4. */
const waits = [5, 30, 120];

/** It may work later. */
class Passing extends Error {}

/** Makes an attempt to fetch a file. Throws where the fault is ours. */
export async function fetchWanted(
  env: Env,
  accountId: string,
  wanted: WantedFile,
  attempt: number,
): Promise<FetchedFile | FetchLater> {
  const store = new MediaStore(env, accountId);
  // A crash behind the store, before the account was told.
  const known = await store.find(wanted.mediaId, Date.now());
  if (known !== null) return judged(known, wanted);
  try {
    return await fetchOnce(env, store, wanted);
  } catch (error) {
    const againSeconds = waits[attempt - 1];
    if (againSeconds !== undefined) return { againSeconds };
    const reason = error instanceof Passing ? error.message : 'The host could not be reached.';
    return { ok: false, reason };
  }
}

/** Fetches a file for somebody who waits for it: once, and what may pass is a reason too. */
export async function fetchToStore(env: Env, accountId: string, wanted: WantedFile): Promise<FetchedFile> {
  try {
    return await fetchOnce(env, new MediaStore(env, accountId), wanted);
  } catch (error) {
    return { ok: false, reason: error instanceof Passing ? error.message : 'The host could not be reached.' };
  }
}

/** Throws what may pass. */
async function fetchOnce(env: Env, store: MediaStore, wanted: WantedFile): Promise<FetchedFile> {
  const found = await open(env, wanted.url);
  if (!('body' in found)) return found;
  const { body, headers } = found;
  if (body === null) return { ok: false, reason: 'The response was empty.' };
  const announced = headers.get('content-length');
  const isPlain = headers.get('content-encoding') === null;
  const bytesKnown = isPlain && announced !== null ? Number(announced) : null;
  if (bytesKnown !== null && bytesKnown > mediaBytesMax[wanted.kind]) {
    await body.cancel();
    return { ok: false, reason: `The file is larger than ${mediaBytesMax[wanted.kind]} bytes.` };
  }
  const { mediaId, kind } = wanted;
  const named = typeNamed(headers.get('content-type'));
  const fileName =
    wanted.fileName ?? fileNameOfDisposition(headers.get('content-disposition')) ?? fileNameIn(wanted.url);
  const stored = await store.store(
    { mediaId, body, bytesKnown, typeNamed: named, isTypeGuess: true, refusesPages: true, kind, fileName },
    Date.now(),
  );
  if (!stored.ok) return { ok: false, reason: stored.message };
  return judged(stored.media, wanted);
}

/** Whether a file that is there can be sent as it is wanted. */
async function judged(media: StoredMedia, wanted: WantedFile): Promise<FetchedFile> {
  const unfit = misfit(media, wanted);
  return unfit === null ? { ok: true, file: await namedFile(media) } : { ok: false, reason: unfit.message };
}

/** A file that is there, under a name in any case that its type allows. */
async function namedFile(media: StoredMedia): Promise<FileFacts> {
  const fileName = media.fileName ?? (await nameOfType(media.mimetype));
  return { ...factsOf(media), ...(fileName !== undefined && { fileName }) };
}

type Opened = { body: ReadableStream<Uint8Array> | null; headers: Headers } | { ok: false; reason: string };

/** Each address on the way is judged as a webhook's is. */
async function open(env: Env, first: string): Promise<Opened> {
  const rules = webhookUrlRules(settingsOf(env));
  let url = first;
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const problem = webhookUrlProblem(url, rules);
    if (problem !== null) return { ok: false, reason: `The URL is not allowed. ${problem}` };
    const response = await tenantFetch(env, url, {
      redirect: 'manual',
      headers: { 'User-Agent': 'Heliograph-Media/1.0', Accept: '*/*' },
      signal: AbortSignal.timeout(fetchMs),
    });
    const { status, headers, body } = response;
    if (status === 200) return { body, headers };
    await body?.cancel();
    const location = headers.get('location');
    const next = status >= 300 && status < 400 && location !== null ? URL.parse(location, url) : null;
    if (next !== null) {
      // A place within the file, which no server sees.
      next.hash = '';
      url = next.href;
      continue;
    }
    if (mayPass(status)) throw new Passing(`The host answered ${status}.`);
    return { ok: false, reason: `The host answered ${status}.` };
  }
  return { ok: false, reason: 'The host redirects too many times.' };
}

const factsOf = (media: StoredMedia): FileFacts => fileFactsSchema.strip().parse(media);

/** Endings of what makes a file, and is not the file. */
const programEndings = /\.(php\d?|phtml|aspx?|ashx|jspx?|do|action|cgi|cfm|pl|py|rb|dll|exe)$/i;

/**
 * The file name at the end of a URL's path; undefined if there is none, for example without an extension or with that of a
 * program on the server.
 */
export function fileNameIn(url: string): string | undefined {
  const encoded = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    const name = decodeURIComponent(encoded);
    return /.\.[A-Za-z0-9]{1,10}$/.test(name) && !programEndings.test(name) && isFileName(name)
      ? name
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The file name in a `Content-Disposition` (RFC 6266), also in other alphabets (`filename*`, RFC 8187): the last part of it,
 * if it is a path. Undefined if there is none.
 */
export function fileNameOfDisposition(header: string | null): string | undefined {
  if (header === null) return undefined;
  const { filename = '' } = parse(header).parameters;
  return fileNameOf(utf8Of(filename).split(/[/\\]/).at(-1));
}

/** Hosts send UTF-8 as it is, too, which is read as Latin-1. */
function utf8Of(text: string): string {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  if (!codes.some((code) => code > 0x7f) || codes.some((code) => code > 0xff)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(Uint8Array.from(codes));
  } catch {
    return text;
  }
}

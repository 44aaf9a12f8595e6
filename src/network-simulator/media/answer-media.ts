import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { sendJson } from '../server/http-body.ts';

const mebibyte = 1024 * 1024;
/** Largest upload of each kind, as the network has it. Sealed bytes are a few more than those of the file. */
const bytesMax: Record<string, number> = {
  image: 16 * mebibyte,
  audio: 16 * mebibyte,
  video: 100 * mebibyte,
  document: 2000 * mebibyte,
};
const sealBytes = 1024;
const uploadPath = /^\/mms\/([a-z-]+)\/([^/]+)$/;
const otherUploadPath = /^\/(pps|product)\/[^/]+/;

/** Takes uploads and serves downloads. Answers false when the request is neither. */
export async function answerMedia(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  if (request.method === 'POST') {
    const [, kind = 'image', token] = uploadPath.exec(url.pathname) ?? [];
    if (token === undefined && !otherUploadPath.test(url.pathname)) return false;
    await takeUpload(network, request, response, url, kind);
    return true;
  }
  const found = request.method === 'GET' ? network.media.find(url.pathname) : undefined;
  if (!found) return false;
  if (found === 'gone') throw new Refusal(410, 'The network has forgotten this file.');
  const range = rangeOf(request.headers.range, found.sizeBytes);
  if (range === null) throw new Refusal(416, `The file has ${found.sizeBytes} bytes.`);
  const { first, last } = range;
  response.writeHead(request.headers.range ? 206 : 200, {
    'content-type': 'application/octet-stream',
    'content-length': last - first + 1,
    'accept-ranges': 'bytes',
    ...(request.headers.range && { 'content-range': `bytes ${first}-${last}/${found.sizeBytes}` }),
  });
  const bytes = passed(network, found.stream(first, last), response);
  const isLast = last === found.sizeBytes - 1;
  await pipeline(network.faults.corruptMedia && isLast ? corrupted(bytes) : bytes, response);
  return true;
}

async function takeUpload(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  kind: string,
): Promise<void> {
  const { media, faults } = network;
  if (faults.refuseUploads) throw new Refusal(503, 'Nothing is taken now.');
  // An older authorisation is over: the client asks for a new one.
  if (url.searchParams.get('auth') !== media.auth) throw new Refusal(401, 'This authorisation is not good.');
  const most = (bytesMax[kind] ?? bytesMax.document ?? 0) + sealBytes;
  const token = tokenOf(url);
  const put = await media.put(
    limited(passed(network, request, response), most),
    (hash) => hash.toString('base64').replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === token,
  );
  if (put === null) throw new Refusal(400, 'The bytes do not have the hash that was announced.');
  network.uploads += 1;
  sendJson(response, 200, { url: `https://${network.mediaHost()}${put.path}`, direct_path: put.path });
}

const lookAgainMs = 20;

/** The bytes; while files are held, the first of them, and the rest when that is over, or the other side has gone. */
async function* passed(
  network: Network,
  bytes: AsyncIterable<Uint8Array>,
  response: ServerResponse,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    if (!network.faults.holdMedia) {
      yield chunk;
      continue;
    }
    const half = Math.ceil(chunk.length / 2);
    yield chunk.subarray(0, half);
    await standStill(network, response);
    if (half < chunk.length) yield chunk.subarray(half);
  }
}

async function standStill(network: Network, response: ServerResponse): Promise<void> {
  network.heldMedia += 1;
  try {
    while (network.faults.holdMedia && !response.destroyed) await delay(lookAgainMs);
  } finally {
    network.heldMedia -= 1;
  }
}

/** The hash that the client announces, in the alphabet of URLs. */
const tokenOf = (url: URL) => (url.searchParams.get('token') ?? '').replaceAll('=', '');

async function* limited(body: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) throw new Refusal(413, `The file is larger than ${most} bytes.`);
    yield chunk;
  }
}

/** The last byte is another one: the MAC does not fit. */
async function* corrupted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer | undefined;
  for await (const chunk of bytes) {
    if (held) yield held;
    held = Buffer.from(chunk);
  }
  if (!held) return;
  const at = held.length - 1;
  held[at] = (held[at] ?? 0) ^ 1;
  yield held;
}

/** First and last byte; null for what is not there. */
function rangeOf(header: string | undefined, sizeBytes: number): { first: number; last: number } | null {
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined) return { first: 0, last: sizeBytes - 1 };
  const first = Number(from);
  const last = to ? Math.min(Number(to), sizeBytes - 1) : sizeBytes - 1;
  return first > last ? null : { first, last };
}

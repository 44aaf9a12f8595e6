import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Network } from '../network.ts';
import { readBody, sendJson } from '../server/http-body.ts';

const mediaBytesMax = 104_857_600;
const uploadPath = /^\/(mms|pps|product)\//;

/** Takes uploads and serves downloads. Answers false when the request is neither. */
export async function answerMedia(
  network: Network,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<boolean> {
  if (request.method === 'POST' && uploadPath.test(url.pathname)) {
    const path = await network.media.put(await readBody(request, mediaBytesMax));
    sendJson(response, 200, { url: `https://${network.mediaHost()}${path}`, direct_path: path });
    return true;
  }
  const found = request.method === 'GET' ? network.media.open(url.pathname) : undefined;
  if (!found) return false;
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': found.sizeBytes,
  });
  await pipeline(found.stream(), response);
  return true;
}

import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type FileFacts, fileFactsSchema } from '../../contract/messages/media.ts';
import type { MediaKind } from '../../contract/messages/media-kinds.ts';
import type { Grants } from '../edge/grants.ts';
import type { Lease } from '../journal/leases.ts';

/** How long one file may take on its way between edge and bridge. */
const transferMs = 10 * 60_000;

/** The edge does not have the file, or will never take it: to ask again helps nothing. */
export class FileRefused extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the edge answered ${status}`);
    this.status = status;
  }
}

export interface EdgeFilesOptions {
  /** `ws:` or `wss:` origin of the gateway. */
  gatewayUrl: string;
  /** The bridge's own. */
  token: string;
  grants: Grants;
}

/** A file to be stored at the edge. */
export interface FileToStore {
  mediaId: string;
  kind: MediaKind;
  mimetype: string;
  fileName?: string | undefined;
}

/** The files of a number at the edge, over HTTPS with the bridge's own credential and under its lease. */
export class EdgeFiles {
  readonly #options: EdgeFilesOptions;
  readonly #lease: Lease;

  constructor(options: EdgeFilesOptions, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
  }

  /** The bytes as they arrive. Throws {@link FileRefused} if there is no such file. */
  async read(mediaId: string): Promise<AsyncIterable<Uint8Array>> {
    const request = this.#request('GET', mediaId, {});
    request.end();
    const response = await answered(request);
    if (response.statusCode === 200) return response;
    throw failure(response);
  }

  /** Stores the bytes; nothing of them is there when `chunks` throws, and that is what this throws. */
  async write(
    { mediaId, kind, mimetype, fileName }: FileToStore,
    chunks: AsyncIterable<Uint8Array>,
  ): Promise<FileFacts> {
    const query = { kind, ...(fileName !== undefined && { fileName }) };
    const request = this.#request('PUT', mediaId, query, { 'content-type': mimetype });
    const answer = answered(request);
    // Whichever is first: an edge that refuses does not read to the end.
    const sent = pipeline(Readable.from(chunks), request);
    answer.catch(() => undefined);
    sent.catch(() => undefined);
    const response = await Promise.race([answer, sent.then(() => answer)]);
    if (response.statusCode === 200) return fileFactsSchema.parse(JSON.parse(await text(response)));
    throw failure(response);
  }

  #request(
    method: string,
    mediaId: string,
    query: Record<string, string>,
    headers: Record<string, string> = {},
  ): ClientRequest {
    const { gatewayUrl, token, grants } = this.#options;
    const { numberId, epoch } = this.#lease;
    const url = new URL(`/bridge/numbers/${numberId}/media/${mediaId}`, gatewayUrl.replace(/^ws/, 'http'));
    url.search = new URLSearchParams({ epoch: String(epoch), ...query }).toString();
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
    return send(url, {
      method,
      headers: { ...headers, ...grants.headersOf(this.#lease), authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(transferMs),
    });
  }
}

const answered = (request: ClientRequest) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve);
    request.once('error', reject);
  });

const refusals = [400, 402, 404, 413, 415];

/** Of an answer that nobody reads. */
function failure(response: IncomingMessage): Error {
  response.resume();
  const { statusCode = 0 } = response;
  if (refusals.includes(statusCode)) return new FileRefused(statusCode);
  return new Error(`the edge answered ${statusCode}`);
}

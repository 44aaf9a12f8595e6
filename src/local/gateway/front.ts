import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { ProxyServer } from 'httpxy';
import { v7 } from 'uuid';
import { MadeUpKeyGate } from './made-up-key-gate.ts';

/** The header in which the platform tells the address of the client, and here the front does. */
const platformAddressHeader = 'cf-connecting-ip';
/** A name or an address, and maybe a port. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i;
/** More than the Worker takes, so that it can say so itself. */
const headerBytesMax = 64 * 1024;
/**
 * The runtime closes a connection that has been idle for 5 s: one that is about to be closed is not used again. Where this
 * process was held up meanwhile it learns too late that one was closed: see {@link Ways}.
 */
const idleConnectionMs = 3000;

interface FrontOptions {
  port: number;
  hosts: readonly string[];
  /** Where the runtime listens, for this front alone. */
  runtime: URL;
  /** The header that whatever stands in front of this one tells the client's address in; undefined: nothing does. */
  addressHeader: string | undefined;
  /** Whether a request's `Host` is this gateway, for a connection that came in at an address of this machine. */
  isKnownHost: (host: string, localAddress: string | undefined) => boolean;
  /** Whether the disk of the state is as good as full: then this gateway is not ready, whatever its Worker says. */
  isDiskFull: () => boolean;
  /** With which API keys may have been made. */
  checksumSecrets: readonly string[];
}

/**
 * Listens in place of the runtime, and hands on what is valid HTTP for this gateway. The runtime itself answers 500 to what
 * is not, quotes bodies in its log, believes whatever address a client claims to have, and serves files and databases to
 * whoever knows its own paths and headers. A flood of made-up keys stays out of it: all that it answers takes its one
 * thread, and the garbage of that holds everybody up.
 */
export function openFront(options: FrontOptions): Promise<Server[]> {
  const ways = openWays(options.runtime);
  const gate = new MadeUpKeyGate(options.checksumSecrets, options.addressHeader ?? platformAddressHeader);
  return Promise.all(options.hosts.map((host) => listenOn(host, options, ways, gate)));
}

interface Ways {
  /** Over connections that are used again. */
  kept: ProxyServer;
  /** Over one of its own each time. */
  anew: ProxyServer;
  /** Whether a request that changes nothing got no answer in a used connection: the runtime had closed that before it came. */
  mayRepeat: (request: IncomingMessage, response: ServerResponse) => boolean;
}

function openWays(target: URL): Ways {
  const kept = new ProxyServer({ target, agent: new Agent({ keepAlive: true, timeout: idleConnectionMs }) });
  const inUsedOnes = new WeakSet<IncomingMessage>();
  kept.on('proxyReq', (outgoing, request) => {
    if (outgoing.reusedSocket) inUsedOnes.add(request);
  });
  const mayRepeat: Ways['mayRepeat'] = (request, response) =>
    (request.method === 'GET' || request.method === 'HEAD') &&
    inUsedOnes.has(request) &&
    !response.headersSent &&
    !response.destroyed;
  return { kept, anew: new ProxyServer({ target, agent: new Agent() }), mayRepeat };
}

async function listenOn(
  host: string,
  options: FrontOptions,
  { kept, anew, mayRepeat }: Ways,
  gate: MadeUpKeyGate,
): Promise<Server> {
  const server = createServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false });
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => {
    answers.set(request.socket, response);
    const refusal = refusalOf(request, options);
    if (refusal !== null) return answer(response, refusal);
    if (request.url?.split('?', 1)[0] === '/readyz' && options.isDiskFull()) return notReady(response);
    tellAddress(request, options.addressHeader);
    if (gate.refuses(request, response)) return;
    // Answered here.
    delete request.headers.expect;
    kept
      .web(request, response)
      .catch((error: unknown) => {
        if (!mayRepeat(request, response)) throw error;
        return anew.web(request, response);
      })
      // No answer, as when the runtime itself had gone: whoever asked knows that it may ask again.
      .catch(() => {
        // Behind a whole answer the runtime only closes its end: the rest of a body that it refused is dropped here.
        if (!response.headersSent) response.destroy();
      });
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, options);
    if (refusal !== null) return void socket.end(asText(refusal));
    tellAddress(request, options.addressHeader);
    kept.ws(request, socket as Parameters<typeof kept.ws>[1], {}, head).catch(() => socket.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy();
    socket.end(asText(invalid));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host }, resolve);
  });
  return server;
}

interface FrontRefusal {
  status: 400 | 404;
  code: 'VALIDATION_ERROR' | 'NOT_FOUND';
  message: string;
}

const invalid: FrontRefusal = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message: 'This is not a valid HTTP request.',
};
const unknownHost: FrontRefusal = {
  status: 400,
  code: 'VALIDATION_ERROR',
  message:
    'The Host header names no host of this gateway. Who runs it names its hosts in PUBLIC_URL and PUBLIC_HOSTS.',
};
/** As the Worker answers. */
const noRoute: FrontRefusal = { status: 404, code: 'NOT_FOUND', message: 'There is no such route.' };

/**
 * One host that is one of ours, and a path on it: nothing for another proxy, nor for the runtime itself, which answers 500 and
 * more to a transfer coding other than chunked.
 */
function refusalOf({ headers, rawHeaders, url = '', socket }: IncomingMessage, options: FrontOptions) {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && /^host$/i.test(rawHeaders[index - 1] ?? ''),
  );
  const [host = ''] = hosts;
  const isHost = hostPattern.test(host) && URL.canParse(`http://${host}/`);
  if (hosts.length !== 1 || !isHost || !url.startsWith('/')) return invalid;
  if (!/^chunked$/i.test(headers['transfer-encoding'] ?? 'chunked')) return invalid;
  if (!options.isKnownHost(host, socket.localAddress)) return unknownHost;
  return isRuntimePath(url) ? noRoute : null;
}

function tellAddress(request: IncomingMessage, addressHeader: string | undefined): void {
  const { headers } = request;
  dropRuntimeHeaders(headers, addressHeader);
  if (addressHeader?.toLowerCase() === platformAddressHeader) return;
  if (addressHeader !== undefined) return;
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '');
  if (address !== undefined) headers[platformAddressHeader] = address;
}

/** The refusal with an id of its own, as every answer has one; the log names it. */
function rendered({ status, code, message }: FrontRefusal) {
  const requestId = `req_${v7()}`;
  const body = JSON.stringify({ error: { code, message, requestId } });
  console.log(
    JSON.stringify({
      at: new Date().toISOString(),
      event: 'request',
      requestId,
      route: 'none',
      status,
      code,
    }),
  );
  const headers = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'x-request-id': requestId,
    connection: 'close',
  };
  return { headers, body };
}

function answer(response: ServerResponse, refusal: FrontRefusal): void {
  const { headers, body } = rendered(refusal);
  response.writeHead(refusal.status, headers).end(body);
}

function notReady(response: ServerResponse): void {
  console.log(JSON.stringify({ at: new Date().toISOString(), level: 50, event: 'gateway.disk_almost_full' }));
  response
    .writeHead(503, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ status: 'not ready' }));
}

function asText(refusal: FrontRefusal): string {
  const { headers, body } = rendered(refusal);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * What belongs to the runtime and not to the Worker: Miniflare serves buckets, databases and handlers under paths of its
 * own, and takes orders in headers of its own (its `CorePaths` and `CoreHeaders`). None of that is for whoever asks from
 * outside.
 */
const runtimeFolders = ['cdn-cgi', '__cf_local'];

/** A file name is never decoded so often. */
const decodedTimesMax = 5;

/**
 * Whether a request's target leads to a path of the runtime: read as a browser reads it, dots and backslashes resolved;
 * and, since a later release may read it more freely, decoded, in any case, and with any number of slashes in front.
 */
export function isRuntimePath(target: string): boolean {
  let text = target.split(/[?#]/, 1)[0] ?? '';
  for (let times = 0; times <= decodedTimesMax; times += 1) {
    const path = URL.parse(`http://gateway${text}`)?.pathname ?? text;
    const folder = path.split(/[/\\]+/).find((part) => part !== '') ?? '';
    if (runtimeFolders.includes(folder.toLowerCase())) return true;
    const decoded = decodedOnce(path);
    if (decoded === text) return false;
    text = decoded;
  }
  return true;
}

/** What cannot be decoded stays as it is. */
const decodedOnce = (text: string) =>
  text.replace(/%[0-7][0-9a-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/** Takes the headers out that the runtime obeys, and those that only the platform sets; `kept`: the one that the settings name. */
export function dropRuntimeHeaders(headers: IncomingHttpHeaders, kept: string | undefined): void {
  for (const name of Object.keys(headers)) {
    if (/^(mf|cf)-/i.test(name) && name.toLowerCase() !== kept?.toLowerCase()) delete headers[name];
  }
}

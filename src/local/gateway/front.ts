import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { ProxyServer } from 'httpxy';

/** The header in which the platform tells the address of the client, and here the front does. */
const platformAddressHeader = 'cf-connecting-ip';
/** A name or an address, and maybe a port. */
const hostPattern = /^(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:\d{1,5})?$/i;
/** More than the Worker takes, so that it can say so itself. */
const headerBytesMax = 64 * 1024;
/** The runtime closes a connection that has been idle for 5 s: one that is about to be closed is not used again. */
const idleConnectionMs = 3000;

interface FrontOptions {
  port: number;
  hosts: readonly string[];
  /** Where the runtime listens, for this front alone. */
  runtime: URL;
  /** The header that whatever stands in front of this one tells the client's address in; undefined: nothing does. */
  addressHeader: string | undefined;
}

/**
 * Listens in place of the runtime, and hands on what is valid HTTP. The runtime itself answers 500 to what is not, quotes
 * bodies in its log, and believes whatever address a client claims to have.
 */
export function openFront(options: FrontOptions): Promise<Server[]> {
  const agent = new Agent({ keepAlive: true, timeout: idleConnectionMs });
  const proxy = new ProxyServer({ target: options.runtime, agent });
  return Promise.all(options.hosts.map((host) => listenOn(host, options, proxy)));
}

async function listenOn(host: string, options: FrontOptions, proxy: ProxyServer): Promise<Server> {
  const server = createServer({ maxHeaderSize: headerBytesMax, requireHostHeader: false });
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => {
    answers.set(request.socket, response);
    if (!isWellAddressed(request)) return refuse(response);
    tellAddress(request, options.addressHeader);
    // Answered here.
    delete request.headers.expect;
    // No answer, as when the runtime itself had gone: whoever asked knows that it may ask again.
    proxy.web(request, response).catch(() => {
      // Behind a whole answer the runtime only closes its end: the rest of a body that it refused is dropped here.
      if (!response.headersSent) response.destroy();
    });
  });
  server.on('upgrade', (request, socket, head) => {
    if (!isWellAddressed(request)) return void socket.end(badRequest());
    tellAddress(request, options.addressHeader);
    proxy.ws(request, socket as Parameters<typeof proxy.ws>[1], {}, head).catch(() => socket.destroy());
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const answer = answers.get(socket);
    const isAnswering = answer?.headersSent === true && !answer.writableEnded;
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering) return void socket.destroy();
    socket.end(badRequest());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port, host }, resolve);
  });
  return server;
}

/** One host that is one, and a path on it: nothing for another proxy. */
function isWellAddressed({ rawHeaders, url }: IncomingMessage): boolean {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && /^host$/i.test(rawHeaders[index - 1] ?? ''),
  );
  const [host = ''] = hosts;
  const isHost = hostPattern.test(host) && URL.canParse(`http://${host}/`);
  return hosts.length === 1 && isHost && url?.startsWith('/') === true;
}

function tellAddress(request: IncomingMessage, addressHeader: string | undefined): void {
  const { headers } = request;
  if (addressHeader?.toLowerCase() === platformAddressHeader) return;
  delete headers[platformAddressHeader];
  if (addressHeader !== undefined) return;
  const address = request.socket.remoteAddress?.replace(/^::ffff:/, '');
  if (address !== undefined) headers[platformAddressHeader] = address;
}

const sentence = 'This is not a valid HTTP request.';
const body = JSON.stringify({ error: { code: 'VALIDATION_ERROR', message: sentence } });
const answerHeaders = {
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
  'cache-control': 'no-store',
  connection: 'close',
};

function refuse(response: ServerResponse): void {
  response.writeHead(400, answerHeaders).end(body);
}

const badRequest = () =>
  `HTTP/1.1 400 Bad Request\r\n${Object.entries(answerHeaders)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n${body}`;

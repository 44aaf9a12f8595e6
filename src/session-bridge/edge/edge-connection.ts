import WebSocket from 'ws';
import { bridgeProtocolVersion, frameBytesMax, linkCloseCodes } from '../../contract/bridge/bridge-frames.ts';
import { backoffMs } from '../backoff.ts';
import type { BridgeTimings } from '../config.ts';
import type { AfterCommit } from '../journal/database.ts';
import { errorText, type Log } from '../logging.ts';

export interface EdgeConnectionOptions {
  url: string;
  /** The bridge's own. */
  token: string;
  /** Further headers of the upgrade request, read when it is made. */
  headers?: () => Record<string, string>;
  timings: BridgeTimings;
  /** Nothing is said to the edge before the journal has it. */
  afterCommit: AfterCommit;
  log: Log;
  onOpen: () => void;
  /** One text frame that is no keepalive. Throwing closes the link as a protocol error. */
  onFrame: (text: string) => void;
  onClose: () => void;
  /** Decides by the close code what comes next; by the HTTP status, where the upgrade was refused. */
  afterClose: (code: number) => AfterClose;
  /** Where the pings do more than keep the link. */
  pings?: { everyMs: number; missedMax: number; onPing: () => void; onPong: () => void };
}

/** `reconnect refused`: slowly, and the operator is told, since only they can mend it. */
export type AfterClose = 'reconnect' | 'reconnect slowly' | 'reconnect refused' | 'stay closed';

/** How long an upgrade may take. */
const handshakeTimeoutMs = 10_000;
const normalClosure = 1000;
/** Pings without an answer, after which a link is given up. */
const missedPongsMax = 2;
const refusedToken =
  'The gateway does not accept the token of this bridge: it was revoked, its secret was replaced, or it is of another gateway. Let it in anew, with an empty BRIDGE_HOME.';
/** What the link did not take is said again over the next one. */
const dropped = () => {};

/**
 * A WebSocket to the gateway that reconnects by itself, with full-jitter backoff. The keepalive is the plain text `ping`,
 * which the edge answers with `pong` without waking anything. A dead link is found and replaced before the edge considers the
 * bridge lost.
 */
export class EdgeConnection {
  readonly #options: EdgeConnectionOptions;
  #socket: WebSocket | null = null;
  #keepalive: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #missedPongs = 0;
  #attempt = 0;
  #closed = false;

  constructor(options: EdgeConnectionOptions) {
    this.#options = options;
    this.#connect();
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Sends a frame, or drops it if there is no link. A sender that must be heard repeats it after the next open. */
  send(frame: unknown): void {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return;
    const text = JSON.stringify(frame);
    if (text.length > frameBytesMax) this.#options.log.error({ bytes: text.length }, 'edge.frame_too_large');
    this.#options.afterCommit(() => socket.send(text, dropped));
  }

  /** A peer that was heard of proves the link: the next failure starts at the shortest wait. */
  resetBackoff(): void {
    this.#attempt = 0;
  }

  /** Closes permanently, after what was sent before. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#retry);
    clearInterval(this.#keepalive);
    const socket = this.#socket;
    this.#options.afterCommit(() => socket?.close(normalClosure));
  }

  #connect(): void {
    const { url, token, headers, log } = this.#options;
    const socket = new WebSocket(url, {
      headers: { ...headers?.(), authorization: `Bearer ${token}` },
      handshakeTimeout: handshakeTimeoutMs,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    let refusedWith: number | undefined;
    socket.on('open', () => {
      this.#startKeepalive(socket);
      this.#options.onOpen();
    });
    socket.on('message', (data, isBinary) => this.#receive(socket, isBinary ? null : data.toString()));
    socket.on('error', (error) => log.debug({ error: errorText(error) }, 'edge.socket_error'));
    socket.on('unexpected-response', (_request, response) => {
      refusedWith = response.statusCode;
      log.warn({ status: refusedWith }, 'edge.refused');
      socket.terminate();
    });
    socket.on('close', (code, reason) => this.#lost(socket, refusedWith ?? code, reason.toString()));
  }

  #receive(socket: WebSocket, text: string | null): void {
    if (socket !== this.#socket || this.#closed) return;
    this.#missedPongs = 0;
    if (text === 'pong') {
      this.#options.pings?.onPong();
      return;
    }
    try {
      if (text === null) throw new Error('a binary frame');
      this.#options.onFrame(text);
    } catch (error) {
      this.#options.log.error({ error: errorText(error) }, 'edge.frame_not_understood');
      socket.close(linkCloseCodes.protocolError);
    }
  }

  #startKeepalive(socket: WebSocket): void {
    const { timings, pings } = this.#options;
    this.#missedPongs = 0;
    clearInterval(this.#keepalive);
    this.#keepalive = setInterval(() => this.#ping(socket), pings?.everyMs ?? timings.keepaliveMs);
  }

  #ping(socket: WebSocket): void {
    const { pings } = this.#options;
    if (this.#missedPongs >= (pings?.missedMax ?? missedPongsMax)) {
      socket.terminate();
      return;
    }
    this.#missedPongs += 1;
    pings?.onPing();
    socket.send('ping');
  }

  /** Says `ping` now, without waiting for the time of the next one. */
  ping(): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(this.#socket);
  }

  #lost(socket: WebSocket, code: number, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    clearInterval(this.#keepalive);
    this.#options.onClose();
    if (this.#closed) return;
    const next = this.#options.afterClose(code);
    if (next === 'stay closed') {
      this.#closed = true;
      return;
    }
    const { log } = this.#options;
    const { reconnectBaseMs: baseMs, edgeReconnectCapMs: capMs } = this.#options.timings;
    const waitMs = next === 'reconnect' ? backoffMs(this.#attempt, { baseMs, capMs }) : capMs;
    this.#attempt += 1;
    const isRefused = code === linkCloseCodes.protocolError && reason !== '';
    if (isRefused) log.error({ reason, version: bridgeProtocolVersion, waitMs }, 'edge.protocol_refused');
    else if (next === 'reconnect refused')
      log.error({ code, waitMs, reason: refusedToken }, 'edge.token_refused');
    else log.info({ code, waitMs }, 'edge.link_lost');
    this.#retry = setTimeout(() => this.#connect(), waitMs);
  }
}

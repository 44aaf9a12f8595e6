import './quiet-console.ts';
import './fast-signatures.ts';
import type { EventEmitter } from 'node:events';
import {
  type AuthenticationState,
  type BinaryNode,
  makeWASocket,
  proto,
  type SocketConfig,
  type WASocket,
} from '@whiskeysockets/baileys';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';
import type { BridgeConfig } from '../../config.ts';
import type { LeaseFence } from '../../edge/lease-clock.ts';
import { connectionCodes } from '../connection/connection-end.ts';
import { type Downloads, lateDispatcher, MediaHost } from '../files/media-host.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { journallingSignalRepository, type SignalRepositoryHooks } from '../keys/signal-repository.ts';
import { browserIdentity } from '../pairing/pairing.ts';
import { checkSocket, silentLogger } from './client-shapes.ts';
import { routeThrough } from './proxy.ts';
import type { WebVersion } from './web-version.ts';

/**
 * Rejects every waiting query when the connection has ended. A client that ends its own connection, for example after a stream
 * error, first removes the listeners of its queries (Baileys 7.0.0-rc14, `end` in `Socket/socket.js`). Without this, the
 * queries, and so the number's next messages, would wait for a minute.
 */
export function rejectQueries({ ws }: WASocket): void {
  const closed = Object.assign(new Error('Connection Closed'), {
    output: { statusCode: connectionCodes.closed },
  });
  ws.emit('error', closed);
}

const { INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA } = proto.HistorySync.HistorySyncType;
const wantedHistory: unknown[] = [INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA];

export interface ClientOptions {
  keys: DeviceKeys;
  /** How the session is to behave, at this moment. */
  settings: () => SessionSettings;
  config: BridgeConfig;
  version: WebVersion | undefined;
  /** Runs the action when what it writes to the network may be written, in order. */
  beforeWriting: (write: () => void) => void;
  /** Nothing leaves while it is closed. */
  fence: NetworkFence;
}

export interface ClientHooks extends Pick<SocketConfig, 'getMessage' | 'cachedGroupMetadata'> {
  signal: SignalRepositoryHooks;
}

/** The platform's own fetch takes a dispatcher, which its types do not say. */
const downloadsThrough = (dispatcher: unknown) => ({ dispatcher }) as RequestInit;

/** The client of one connection, on its way to the network by the number's proxy, and its files. */
export function makeClient(
  { keys, settings, config, version, beforeWriting, fence }: ClientOptions,
  { signal, ...hooks }: ClientHooks,
): { sock: WASocket; files: MediaHost } {
  const { network, networkSocketUrl, proxyPrivateHosts } = config;
  const { qrTimeoutMs } = config.timings;
  const { proxyUrl } = settings();
  const proxy = proxyUrl === null ? null : routeThrough(proxyUrl, proxyPrivateHosts);
  const own = proxy?.dispatcher ?? null;
  const downloads = network === 'whatsapp' ? own : leadOwnDownloads(() => files.host(), own);
  const sock = makeWASocket({
    auth: toldBeforeVersion(keys.auth, () => emptyBuffer(sock.ev)),
    ...(proxy && { agent: proxy.agent, fetchAgent: proxy.agent }),
    ...(downloads && { options: downloadsThrough(downloads) }),
    ...(networkSocketUrl && { waWebSocketUrl: networkSocketUrl }),
    ...(version && { version }),
    ...(qrTimeoutMs && { qrTimeout: qrTimeoutMs }),
    browser: browserIdentity,
    logger: silentLogger,
    markOnlineOnConnect: settings().presence === 'available',
    syncFullHistory: false,
    emitOwnEvents: false,
    // Of the history, what brings aliases, names and tokens of the contacts; the rest is of no use here.
    shouldSyncHistoryMessage: ({ syncType }) => wantedHistory.includes(syncType),
    userDevicesCache: keys.deviceLists,
    ...hooks,
    makeSignalRepository: journallingSignalRepository(signal),
  });
  const files = new MediaHost(sock, own ? downloadsThrough(own) : {});
  checkSocket(sock);
  takeInOrder(sock.ws);
  writeWhenAllowed(sock, beforeWriting, fence);
  return { sock, files };
}

/**
 * The client first stores the new version of the synchronised settings. It tells in the same turn what that has brought, such as
 * contacts, but holds it back in its buffer for a while. With the version in the journal and the contacts lost in a crash, nobody
 * would fetch them again. So the buffer is emptied in the turn in which the version is stored.
 */
function toldBeforeVersion({ creds, keys }: AuthenticationState, flush: () => void): AuthenticationState {
  const set: typeof keys.set = (data) => {
    // After what the client does at once, and before the journal's commit.
    if (data['app-state-sync-version']) process.nextTick(flush);
    return keys.set(data);
  };
  return { creds, keys: { ...keys, set } };
}

/**
 * Tells what the client holds back, and lets it hold back again: the end of its own work finds a buffer to empty. Without one, it
 * would plan no later end, and hold back what comes next for half a minute.
 */
export function emptyBuffer(ev: Pick<WASocket['ev'], 'flush' | 'buffer'>): void {
  if (ev.flush()) ev.buffer();
}

type Sent = (error?: Error) => void;

/** What is used of the WebSocket under the client. */
interface ClientSocket {
  send(data: Uint8Array, sent?: Sent): void;
  close(code?: number, reason?: string): void;
  once(event: 'close', listener: () => void): void;
  terminate(): void;
  /** Its TCP or TLS socket, once it is open. */
  _socket?: { cork(): void; uncork(): void; destroy(): void } | null;
}

/** How long the network may take to confirm the end of a connection. Without this limit the client waits for 30 s. */
const closeWaitMs = 2_000;

/** Whether anything may leave for the network now. */
type NetworkFence = Pick<LeaseFence, 'isOpen' | 'onceOpen'>;

/**
 * Holds everything that the client writes, in order, until `beforeWriting` lets it pass, and while the fence is closed. What
 * may leave in one turn leaves in one write. The client is told at once that a frame was written, since it would otherwise
 * send only one message in each turn. If a frame was not written after all, the connection ends, as with a frame that was lost
 * on the way.
 */
export function writeWhenAllowed(
  sock: WASocket,
  beforeWriting: (write: () => void) => void,
  fence: NetworkFence,
): void {
  const { socket } = sock.ws as unknown as { socket: ClientSocket };
  const send = socket.send.bind(socket);
  const close = socket.close.bind(socket);
  const waiting: Uint8Array[] = [];
  // The fence is checked in the same turn as the write, and again right before it: in between, the process could stall longer
  // than its lease.
  const flush = () => {
    if (waiting.length === 0) return;
    if (!fence.isOpen) {
      fence.onceOpen(flush);
      return;
    }
    const wire = socket._socket;
    wire?.cork();
    // A failure ends the connection, which is heard of there.
    for (const data of waiting.splice(0)) send(data, () => {});
    if (fence.isOpen) wire?.uncork();
    else wire?.destroy();
  };
  socket.send = (data, sent) => {
    beforeWriting(() => {
      if (waiting.push(data) === 1) process.nextTick(flush);
    });
    if (sent) process.nextTick(sent);
  };
  socket.close = (code, reason) => {
    beforeWriting(() => {
      flush();
      close(code, reason);
    });
    const timer = setTimeout(() => socket.terminate(), closeWaitMs);
    socket.once('close', () => clearTimeout(timer));
  };
}

const event = 'CB:message';
/** A message that takes longer than this holds up no other one. */
const waitMsMax = 10_000;

/**
 * Makes the client process the messages of each chat one after the other, in order of arrival. By itself it delays the first
 * message of somebody new until their alias is stored, and lets later ones pass. Call this before anybody else listens.
 */
function takeInOrder(ws: EventEmitter): void {
  const listeners = ws.listeners(event) as ((node: BinaryNode) => unknown)[];
  ws.removeAllListeners(event);
  const last = new Map<string, Promise<void>>();
  ws.on(event, (node: BinaryNode) => {
    const chat = node.attrs.from ?? '';
    const handle = async () => {
      await Promise.all(listeners.map((listener) => listener(node)));
    };
    const before = last.get(chat);
    const taken = before === undefined ? handle() : before.then(handle);
    const settled = settledIn(taken).finally(() => {
      if (last.get(chat) === settled) last.delete(chat);
    });
    last.set(chat, settled);
  });
}

/** When it is over, however it ends, or has taken too long. */
function settledIn(work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, waitMsMax);
    timer.unref();
    work
      .catch(() => {})
      .finally(() => {
        clearTimeout(timer);
        resolve();
      });
  });
}

/** Where the client downloads histories and settings by itself, whatever host the network names for files. */
const wellKnownOrigin = 'https://mmg.whatsapp.net';

const direct = lateDispatcher(({ Agent }) => new Agent());

/**
 * Sends these downloads to the host that the network has named, like all other files. It is for networks that are not the real
 * one, whose host the client does not know.
 */
function leadOwnDownloads(mediaHost: () => Promise<string>, way: Downloads | null): Downloads {
  const reach = way ?? direct;
  return {
    dispatch: (options, handler) => {
      if (String(options.origin) !== wellKnownOrigin) return reach.dispatch(options, handler);
      mediaHost().then(
        (host) => reach.dispatch({ ...options, origin: `https://${host}` }, handler),
        (error: Error) => handler.onResponseError?.(null as never, error),
      );
      return true;
    },
  };
}

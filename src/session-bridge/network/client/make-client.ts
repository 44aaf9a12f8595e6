import './quiet-console.ts';
import './native-signatures.ts';
import { makeWASocket, proto, type SocketConfig, type WASocket } from '@whiskeysockets/baileys';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';
import type { NetworkName } from '../../config.ts';
import { MediaHost } from '../files/media-host.ts';
import { leadOwnDownloads } from '../files/own-downloads.ts';
import { takeInOrder } from '../inbound/in-order.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';
import { journallingSignalRepository, type SignalRepositoryHooks } from '../keys/signal-repository.ts';
import { browserIdentity } from '../pairing/pairing.ts';
import { silentLogger } from './client-log.ts';
import { checkSocket } from './client-shapes.ts';
import { routeThrough } from './proxy.ts';
import type { WebVersion } from './web-version.ts';
import { type NetworkFence, writeWhenAllowed } from './write-when-allowed.ts';

const { INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA } = proto.HistorySync.HistorySyncType;
const wantedHistory: unknown[] = [INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA];

export interface ClientOptions {
  keys: DeviceKeys;
  /** How the session is to behave, at this moment. */
  settings: () => SessionSettings;
  network: NetworkName;
  /** Address of the network's socket; null takes the client's own. */
  socketUrl: string | null;
  /** Hosts of private networks at which a proxy may be. */
  proxyPrivateHosts: readonly string[];
  version: WebVersion | undefined;
  qrTimeoutMs: number | null;
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
  {
    keys,
    settings,
    network,
    socketUrl,
    proxyPrivateHosts,
    version,
    qrTimeoutMs,
    beforeWriting,
    fence,
  }: ClientOptions,
  { signal, ...hooks }: ClientHooks,
): { sock: WASocket; files: MediaHost } {
  const { proxyUrl } = settings();
  const proxy = proxyUrl === null ? null : routeThrough(proxyUrl, proxyPrivateHosts);
  const own = proxy?.dispatcher ?? null;
  const downloads = network === 'whatsapp' ? own : leadOwnDownloads(() => files.host(), own);
  const sock = makeWASocket({
    auth: keys.auth,
    ...(proxy && { agent: proxy.agent, fetchAgent: proxy.agent }),
    ...(downloads && { options: downloadsThrough(downloads) }),
    ...(socketUrl && { waWebSocketUrl: socketUrl }),
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

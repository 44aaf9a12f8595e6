import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { leaseTimes } from '../contract/bridge/bridge-frames.ts';
import { isLoopbackHost } from '../settings/private-hosts.ts';
import { isStrongKey, strongKeyMust } from '../settings/secrets.ts';
import { partsOf } from '../settings/setting.ts';
import type { LoginLimits } from './session/machine/login-turns.ts';

/** Which network a bridge connects to. Only the address differs: the client and the protocol are the same. */
export type NetworkName = 'simulator' | 'whatsapp';

/** Everything that takes time in a bridge, in milliseconds. */
export interface BridgeTimings {
  /** First step of the full-jitter backoff, for the network and for the edge. */
  reconnectBaseMs: number;
  /** How long a session must have been open before its end counts as the first one again. */
  stableAfterMs: number;
  /** Longest wait before a reconnect to the network. */
  reconnectCapMs: number;
  /** Longest wait before a reconnect to the edge. */
  edgeReconnectCapMs: number;
  /** The first pause after the network has limited queries. */
  rateHoldMs: number;
  /** How long evidence is awaited, after a login, for a message that may have left already. */
  inDoubtGraceMs: number;
  /** How long after a login the end of the offline queue is awaited. */
  catchUpWaitMs: number;
  /** How long after its first login a bridge fetches the settings of the account that have changed since. */
  settingsAfterMs: number;
  /** Facts that arrive within this time travel in one frame. */
  factTickMs: number;
  /** When the oldest fact that the edge has not acknowledged is sent again over the same link. */
  factRepeatMs: number;
  /** How long, at most, an acknowledgement to the network waits until the edge has stored the data. */
  holdNetworkMs: number;
  /** Interval of the keepalive on a link to the edge; two missed answers end the link. */
  keepaliveMs: number;
  /** How long a shutdown may take. */
  drainMs: number;
  /** How long a receipt waits for the phone number behind a privacy alias. */
  aliasLookupMs: number;
  /** Lifetime of a QR code; null leaves the network's own (60 s, then 20 s each). */
  qrTimeoutMs: number | null;
  /** How long a session whose messages are acknowledged may hear nothing itself before it is renewed. */
  deafAfterMs: number;
  /** How long a session may hear nothing before it is renewed even though it has sent nothing. */
  quietAfterMs: number;
  /** How long a pairing may take in all. */
  pairingMs: number;
  /** How long a resolved send is remembered after its outcome was stored at the edge. */
  resolvedKeepMs: number;
}

export interface BridgeConfig {
  /** `ws:` or `wss:` origin of the gateway. */
  gatewayUrl: string;
  /** Enrols a new bridge; null if the bridge may be enrolled already. */
  enrolmentToken: string | null;
  /** 32 bytes; only bridges hold it. */
  vaultKey: Uint8Array;
  /** The previous key of the vaults. It opens entries and seals none. Null if there is none. */
  vaultKeyPrevious: Uint8Array | null;
  /** Folder of the journal; the bridge's identity lives there. */
  home: string;
  /** Numbers this bridge takes at most. */
  capacity: number;
  logins: LoginLimits;
  network: NetworkName;
  /** Address of the network's socket; null takes the client's own. */
  networkSocketUrl: string | null;
  /** Hosts of private networks at which a number's proxy may be: names, addresses, CIDRs. */
  proxyPrivateHosts: readonly string[];
  /** Version of the web client to present, `2.3000.x`; null finds the current one. */
  webVersion: string | null;
  logLevel: string;
  /** Where `/livez` and `/readyz` are answered; null for nowhere. */
  health: { port: number; host: string } | null;
  /** Memory for vault entries of all numbers together. */
  vaultCacheBytesMax: number;
  /** How large the journal may become before messages are left with the network. */
  journalBytesMax: number;
  /** Disk for files on their way to the network. */
  mediaBytesMax: number;
  timings: BridgeTimings;
}

export const defaultTimings: BridgeTimings = {
  reconnectBaseMs: 1_000,
  stableAfterMs: 60_000,
  reconnectCapMs: 60_000,
  edgeReconnectCapMs: 10_000,
  rateHoldMs: 15_000,
  inDoubtGraceMs: 3_000,
  catchUpWaitMs: 5_000,
  settingsAfterMs: 10_000,
  factTickMs: 5,
  factRepeatMs: 15_000,
  // Longer than a lease lasts: a bridge that is cut off from the edge does not acknowledge to the network what it received
  // last.
  holdNetworkMs: leaseTimes.expiresMs,
  keepaliveMs: 5_000,
  drainMs: 10_000,
  aliasLookupMs: 2_000,
  qrTimeoutMs: null,
  deafAfterMs: 300_000,
  quietAfterMs: 6 * 3_600_000,
  pairingMs: 300_000,
  resolvedKeepMs: 3_600_000,
};

/** What one process on one core can handle: a login takes 20 to 50 ms of CPU, and up to a second on the network. */
export const defaultLogins: LoginLimits = { atOnce: 40, perSecond: 50 };

/** A variable of the environment is missing or wrong; the message is one sentence for the operator. */
export class ConfigError extends Error {}

const wholeNumber = z.coerce.number().int().min(1);
const webVersionPattern = /^\d+\.\d+\.\d+$/;

type Env = Record<string, string | undefined>;

function required(env: Env, name: string, what: string): string {
  const value = env[name];
  if (!value) throw new ConfigError(`${name} is not set: it must hold ${what}.`);
  return value;
}

function wholeNumberOf(env: Env, name: string, fallback: number): number {
  const value = env[name];
  if (!value) return fallback;
  const parsed = wholeNumber.safeParse(value);
  if (!parsed.success) throw new ConfigError(`${name} must be a whole number above 0, not "${value}".`);
  return parsed.data;
}

/** The origin of the gateway's sockets. Throws {@link ConfigError}. */
export function socketOrigin(env: Env): string {
  const value = required(env, 'GATEWAY_URL', 'the address of the gateway, such as http://127.0.0.1:8787');
  const url = URL.parse(value);
  if (!url || !/^(http|ws)s?:$/.test(url.protocol)) {
    throw new ConfigError(`GATEWAY_URL must be an http or https address, not "${value}".`);
  }
  // The enrolment token and the messages of every number are sent there.
  if (/^(http|ws):$/.test(url.protocol) && !isLoopbackHost(url.hostname) && env.GATEWAY_PLAINTEXT !== '1') {
    throw new ConfigError(
      `GATEWAY_URL must be an https address, not "${value}": without TLS anybody on the way reads the messages. In a network that ` +
        'you trust, GATEWAY_PLAINTEXT=1 lets it be.',
    );
  }
  return `${url.protocol.replace('http', 'ws')}//${url.host}`;
}

function vaultKeysOf(env: Env): Pick<BridgeConfig, 'vaultKey' | 'vaultKeyPrevious'> {
  const vaultKey = key32(required(env, 'VAULT_KEY', 'the base64 of 32 random bytes'), 'VAULT_KEY');
  const vaultKeyPrevious = env.VAULT_KEY_PREVIOUS
    ? key32(env.VAULT_KEY_PREVIOUS, 'VAULT_KEY_PREVIOUS')
    : null;
  if (vaultKeyPrevious?.equals(vaultKey)) {
    throw new ConfigError(
      'VAULT_KEY_PREVIOUS is the same key as VAULT_KEY: it must be another one, or not set.',
    );
  }
  return { vaultKey, vaultKeyPrevious };
}

function key32(value: string, name: string): Buffer {
  if (!isStrongKey(value)) throw new ConfigError(`${name} must be ${strongKeyMust}.`);
  return Buffer.from(value, 'base64');
}

function networkOf(env: Env): Pick<BridgeConfig, 'network' | 'networkSocketUrl'> {
  const network = env.NETWORK ?? 'whatsapp';
  if (network !== 'whatsapp' && network !== 'simulator') {
    throw new ConfigError(`NETWORK must be "simulator" or "whatsapp", not "${network}".`);
  }
  const socketUrl = env.NETWORK_SOCKET_URL ?? null;
  if (network === 'simulator' && !socketUrl) {
    throw new ConfigError(
      'NETWORK_SOCKET_URL is not set: with NETWORK=simulator it must hold the socket address of the simulator.',
    );
  }
  if (socketUrl && !/^wss?:$/.test(URL.parse(socketUrl)?.protocol ?? '')) {
    throw new ConfigError(`NETWORK_SOCKET_URL must be a ws or wss address, not "${socketUrl}".`);
  }
  return { network, networkSocketUrl: socketUrl };
}

function healthOf(env: Env): BridgeConfig['health'] {
  if (!env.HEALTH_PORT) return null;
  const port = wholeNumberOf(env, 'HEALTH_PORT', 0);
  if (port > 65_535) throw new ConfigError(`HEALTH_PORT must be a port up to 65535, not "${port}".`);
  const host = env.HEALTH_HOST || '127.0.0.1';
  if (isIP(host) === 0)
    throw new ConfigError(`HEALTH_HOST must be an address such as 127.0.0.1 or 0.0.0.0, not "${host}".`);
  return { port, host };
}

/** Reads the configuration from the environment. Throws {@link ConfigError} naming the variable that is wrong. */
export function readConfig(env: Env): BridgeConfig {
  const webVersion = env.WA_WEB_VERSION ?? null;
  if (webVersion && !webVersionPattern.test(webVersion)) {
    throw new ConfigError(`WA_WEB_VERSION must look like 2.3000.1043857760, not "${webVersion}".`);
  }
  const logLevel = env.LOG_LEVEL ?? 'info';
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(logLevel)) {
    throw new ConfigError(`LOG_LEVEL must be a pino level such as info or debug, not "${logLevel}".`);
  }
  const reconnectCapMs = wholeNumberOf(env, 'RECONNECT_CAP_MS', defaultTimings.reconnectCapMs);
  return {
    gatewayUrl: socketOrigin(env),
    enrolmentToken: env.BRIDGE_ENROLMENT_TOKEN || null,
    ...vaultKeysOf(env),
    home: resolve(required(env, 'BRIDGE_HOME', 'the folder for the journal')),
    capacity: wholeNumberOf(env, 'BRIDGE_CAPACITY', 400),
    logins: {
      atOnce: wholeNumberOf(env, 'LOGINS_AT_ONCE', defaultLogins.atOnce),
      perSecond: wholeNumberOf(env, 'LOGINS_PER_SECOND', defaultLogins.perSecond),
    },
    ...networkOf(env),
    proxyPrivateHosts: partsOf(env.WEBHOOK_PRIVATE_HOSTS ?? ''),
    webVersion,
    logLevel,
    health: healthOf(env),
    vaultCacheBytesMax: wholeNumberOf(env, 'VAULT_CACHE_MIB', 256) * 1024 * 1024,
    journalBytesMax: wholeNumberOf(env, 'JOURNAL_MIB', 256) * 1024 * 1024,
    mediaBytesMax: wholeNumberOf(env, 'MEDIA_MIB', 1024) * 1024 * 1024,
    timings: {
      ...defaultTimings,
      reconnectBaseMs: wholeNumberOf(env, 'RECONNECT_BASE_MS', defaultTimings.reconnectBaseMs),
      reconnectCapMs,
      edgeReconnectCapMs: Math.min(reconnectCapMs, defaultTimings.edgeReconnectCapMs),
      inDoubtGraceMs: wholeNumberOf(env, 'IN_DOUBT_GRACE_MS', defaultTimings.inDoubtGraceMs),
      drainMs: wholeNumberOf(env, 'DRAIN_MS', defaultTimings.drainMs),
    },
  };
}

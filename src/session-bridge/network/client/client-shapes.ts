import {
  type AuthenticationCreds,
  addTransactionCapability,
  DEFAULT_CONNECTION_CONFIG,
  proto,
  type SignalKeyStore,
  type WASocket,
} from '@whiskeysockets/baileys';
import { withSaltCapture } from '../tokens.ts';

/** The client would log stanzas, keys and addresses. The session logs what matters in its own words. */
export const silentLogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
};

/** The client is not the one that the bridge was made for; the message is one sentence for the operator. */
export class ClientMismatchError extends Error {
  constructor(missing: string) {
    super(
      `The network client in node_modules is not the version that this bridge was made for: ${missing}. Run npm ci.`,
    );
  }
}

const noKeys: SignalKeyStore = { get: async () => ({}), set: async () => {} };
const repositoryCalls = [
  'decryptMessage',
  'decryptGroupMessage',
  'encryptMessage',
  'encryptGroupMessage',
  'getSenderKeyDistributionMessage',
  'hasSenderKey',
  'getSessionInfo',
  'injectE2ESession',
  'validateSession',
  'migrateSession',
  'deleteSession',
] as const;
const socketCalls = [
  'relayMessage',
  'getUSyncDevices',
  'resyncAppState',
  'fetchAccountReachoutTimelock',
  'fetchNewChatMessageCap',
  'sendNode',
  'query',
] as const;

/** The smallest messages that hold a salt, in the fields in which the network puts it. */
const historyWithSalt = Uint8Array.from([8, 0, 0x9a, 1, 1, 7]);
const settingWithSalt = Uint8Array.from([0x82, 5, 3, 0x0a, 1, 7]);

/**
 * Checks the private parts of the client that the bridge depends on. Those that need a connection are checked by {@link
 * checkSocket}. Throws {@link ClientMismatchError}.
 */
export function checkClient(): void {
  let salts = 0;
  withSaltCapture(
    () => (salts += 1),
    () => {
      proto.HistorySync.decode(historyWithSalt);
      proto.SyncActionValue.decode(settingWithSalt);
    },
  );
  if (salts !== 2) throw new ClientMismatchError('its decoders are called otherwise');
  const options = { maxCommitRetries: 1, delayBetweenTriesMs: 0 };
  const keys = addTransactionCapability(noKeys, silentLogger, options);
  const repository = DEFAULT_CONNECTION_CONFIG.makeSignalRepository(
    { creds: {} as AuthenticationCreds, keys },
    silentLogger,
    async () => [],
  );
  const missing = repositoryCalls.find((name) => typeof repository[name] !== 'function');
  const hasMapping = typeof repository.lidMapping?.storeLIDPNMappings === 'function';
  repository.close?.();
  if (missing) throw new ClientMismatchError(`its Signal repository has no ${missing}`);
  if (!hasMapping) throw new ClientMismatchError('its Signal repository maps no aliases');
}

/** The same for a connection that was just made. */
export function checkSocket(sock: WASocket): void {
  const missing = socketCalls.find((name) => typeof sock[name] !== 'function');
  if (missing) throw new ClientMismatchError(`its socket has no ${missing}`);
  const { socket } = sock.ws as unknown as { socket?: { send?: unknown; close?: unknown } };
  if (typeof socket?.send !== 'function' || typeof socket.close !== 'function') {
    throw new ClientMismatchError('its socket hides the one under it');
  }
}

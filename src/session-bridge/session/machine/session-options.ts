import type { BridgeConfig } from '../../config.ts';
import type { LeaseFence } from '../../edge/lease-clock.ts';
import type { BridgeCounting } from '../../health/counting.ts';
import type { FactLog } from '../../journal/facts.ts';
import { errorText, type Log } from '../../logging.ts';
import type { WebVersionSource } from '../../network/client/web-version.ts';
import type { NetworkConnection, NetworkEvents } from '../../network/connection/connection.ts';
import type { openConnection } from '../../network/connection/open-connection.ts';
import { DeviceKeys } from '../../network/keys/auth-state.ts';
import type { VaultPort } from '../../vault/vault.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { LoginTurns } from './login-turns.ts';

/** What a connection says about messages, whoever holds it. */
type MessageEvents = Pick<
  NetworkEvents,
  | 'onAck'
  | 'roomForInbound'
  | 'onInbound'
  | 'onChange'
  | 'onCall'
  | 'onTyping'
  | 'onContacts'
  | 'onGroupNotice'
  | 'onNothing'
  | 'contentOf'
  | 'uploaded'
> & {
  onReceipt: (receipt: Parameters<NetworkEvents['onReceipt']>[0], connection: NetworkConnection) => void;
};

export interface SessionMachineOptions {
  config: BridgeConfig;
  /** How the network is reached. */
  open: typeof openConnection;
  facts: FactLog;
  vault: VaultPort;
  outbox: Outbox;
  versions: WebVersionSource;
  /** Shared by all numbers of the bridge. */
  logins: LoginTurns;
  /** Shared by all of them, too. */
  counting: BridgeCounting;
  /** Nothing is said to the network before the journal has it, and the edge what was heard from the network. */
  beforeWriting: (write: () => void) => void;
  /** Nor while the lease is not certain. */
  fence: LeaseFence;
  messages: MessageEvents;
  /** The session is open and takes messages. */
  onOpened: () => void;
  /** It is not open any more, for whatever reason. */
  onClosed: () => void;
  log: Log;
}

/** The keys of the linked device; null when there are none, or none that this bridge can open. */
export async function storedKeys(vault: VaultPort, log: Log): Promise<DeviceKeys | null> {
  try {
    return await DeviceKeys.load(vault);
  } catch (error) {
    log.error({ error: errorText(error) }, 'vault.unreadable');
    return null;
  }
}

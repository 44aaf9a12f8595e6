import type { DeviceListReaders } from './accounts/device-list-readers.ts';
import type { Profiles } from './accounts/profiles.ts';
import type { Device, User } from './accounts/user.ts';
import type { Users } from './accounts/users.ts';
import type { ActivityRecord } from './activity/activity.ts';
import type { SettingsCollections } from './app-state/collections.ts';
import type { Groups, OutdatedMembers } from './groups/groups.ts';
import type { Logger } from './log.ts';
import type { LoginLog } from './login/login-log.ts';
import type { MediaStore } from './media/media-store.ts';
import type { ServerIdentity } from './noise/server-identity.ts';
import type { PendingPairings } from './pairing/pending-pairings.ts';
import type { PhoneAction } from './phones/phone-action.ts';
import type { SignalEndpoints } from './phones/signal-endpoint.ts';
import type { DeviceQueue } from './routing/device-queue.ts';
import type { Store } from './store.ts';
import type { ClientConnection } from './wire/client-connection.ts';
import type { Stanza } from './wire/stanza.ts';

/** Faults of the network as a whole. They hold until they are changed or the process ends. */
type NetworkFaults = {
  ackDelayMs: number;
  dropAckRate: number;
  refuseConnections: boolean;
  /** No upload is taken, a phone's included. */
  refuseUploads: boolean;
  /** What is downloaded has another last byte. */
  corruptMedia: boolean;
  /** What is up- or downloaded stands still halfway, until this is over. */
  holdMedia: boolean;
};

/** What the network has accepted for phones. `answersRetry`: the sender repeats the message because a phone asked for it. */
type Inbox = {
  put(user: User, sender: Device, message: Stanza, answersRetry: boolean): void;
  /** Resolves once every phone has read what it has now. */
  settled(): Promise<void>;
};

/** What phones are to do later; what is due now is done at once. */
type Due = { schedule(user: User, delayMs: number, action: PhoneAction): void };

/** Everything a part of the network may need of the others; made in `start-simulator.ts`. */
export type Network = {
  store: Store;
  log: Logger;
  serverIdentity: ServerIdentity;
  users: Users;
  profiles: Profiles;
  groups: Groups;
  /** Which devices do not know who is in a group now. */
  outdated: OutdatedMembers;
  /** Who wants to hear of new devices of somebody. */
  listReaders: DeviceListReaders;
  queue: DeviceQueue;
  endpoints: SignalEndpoints;
  settings: SettingsCollections;
  inbox: Inbox;
  due: Due;
  media: MediaStore;
  pairings: PendingPairings;
  activity: ActivityRecord;
  faults: NetworkFaults;
  logins: LoginLog;
  connections: Set<ClientConnection>;
  /** Uploads that clients have made; forgotten with the process. */
  uploads: number;
  /** Up- and downloads that stand still. */
  heldMedia: number;
  /** Logins of devices that were logged in already, as happens when two bridges speak for one number. */
  replacedLogins: number;
  /** Host and port under which media are up- and downloaded over TLS. */
  mediaHost: () => string;
  /** Timers whose loss at the end of the process does no harm; cleared on close. */
  timers: Set<NodeJS.Timeout>;
};

export function afterDelay(network: Network, delayMs: number, action: () => void): void {
  if (delayMs <= 0) {
    action();
    return;
  }
  const timer = setTimeout(() => {
    network.timers.delete(timer);
    action();
  }, delayMs);
  network.timers.add(timer);
}

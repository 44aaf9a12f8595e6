import './quiet-console.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DeviceListReaders } from './accounts/device-list-readers.ts';
import { Profiles } from './accounts/profiles.ts';
import { Users } from './accounts/users.ts';
import { ActivityRecord } from './activity/activity.ts';
import { SettingsCollections } from './app-state/collections.ts';
import { Groups, OutdatedMembers } from './groups/groups.ts';
import { createLog, type Logger } from './log.ts';
import { LoginLog } from './login/login-log.ts';
import { MediaStore } from './media/media-store.ts';
import type { Network } from './network.ts';
import { loadServerIdentity } from './noise/server-identity.ts';
import { PendingPairings } from './pairing/pending-pairings.ts';
import { DueActions } from './phones/due-actions.ts';
import { PhoneInbox } from './phones/phone-inbox.ts';
import { SignalEndpoints } from './phones/signal-endpoint.ts';
import { DeviceQueue } from './routing/device-queue.ts';
import { loadCertificate } from './server/certificate.ts';
import { type Listener, listen } from './server/listeners.ts';
import { Store } from './store.ts';

type SimulatorOptions = {
  /** The plain port; 0 takes any free one. */
  port: number;
  /** The port with TLS; 0 takes any free one. */
  tlsPort: number;
  /** The folder of all state, made where it is missing. One simulator at a time may use it. */
  home: string;
  log?: Logger;
};

export type Simulator = {
  port: number;
  tlsPort: number;
  /** What clients must trust for the port with TLS. */
  certificatePath: string;
  close(): Promise<void>;
};

/** Starts the network and resolves when it listens. Throws with a sentence when a port is taken or the state unusable. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  mkdirSync(options.home, { recursive: true });
  const certificate = await loadCertificate(options.home);
  const store = new Store(join(options.home, 'network.db'));
  const listeners: Listener[] = [];
  const inbox = new PhoneInbox(() => network);
  const due = new DueActions(() => network);
  const network: Network = createNetwork(
    store,
    options,
    { inbox, due },
    () => `127.0.0.1:${listeners[1]?.port}`,
  );
  const close = async (): Promise<void> => {
    inbox.close();
    due.close();
    for (const timer of network.timers) clearTimeout(timer);
    for (const connection of network.connections) connection.cut();
    await Promise.all(listeners.map((listener) => listener.close()));
    network.endpoints.close();
    store.close();
  };
  try {
    listeners.push(await listenOn(network, options.port, undefined, 'SIMULATOR_PORT'));
    listeners.push(await listenOn(network, options.tlsPort, certificate, 'SIMULATOR_PORT + 1, for TLS:'));
    await inbox.resume();
    due.resume();
    await store.committed();
  } catch (error) {
    await close();
    throw error;
  }
  const [plain, tls] = listeners;
  if (!plain || !tls) throw new Error('a listener is missing');
  return { port: plain.port, tlsPort: tls.port, certificatePath: certificate.certificatePath, close };
}

function createNetwork(
  store: Store,
  options: SimulatorOptions,
  phones: Pick<Network, 'inbox' | 'due'>,
  mediaHost: () => string,
): Network {
  const users = new Users(store);
  return {
    ...phones,
    store,
    log: options.log ?? createLog('silent'),
    serverIdentity: loadServerIdentity(store),
    users,
    profiles: new Profiles(store),
    groups: new Groups(store, users),
    outdated: new OutdatedMembers(),
    listReaders: new DeviceListReaders(),
    queue: new DeviceQueue(store),
    endpoints: new SignalEndpoints(store),
    settings: new SettingsCollections(),
    media: new MediaStore(join(options.home, 'media')),
    pairings: new PendingPairings(),
    activity: new ActivityRecord(),
    logins: new LoginLog(),
    faults: {
      ackDelayMs: 0,
      dropAckRate: 0,
      refuseConnections: false,
      refuseUploads: false,
      corruptMedia: false,
      holdMedia: false,
    },
    uploads: 0,
    heldMedia: 0,
    replacedLogins: 0,
    connections: new Set(),
    mediaHost,
    timers: new Set(),
  };
}

async function listenOn(
  network: Network,
  port: number,
  certificate: Parameters<typeof listen>[2],
  name: string,
): Promise<Listener> {
  try {
    return await listen(network, port, certificate);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE') throw error;
    throw new Error(`${name} ${port} is in use; stop what listens there, or choose another port.`, {
      cause: error,
    });
  }
}

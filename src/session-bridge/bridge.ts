import './network/client/small-pool.ts';
import './network/client/quiet-console.ts';
import './network/client/fast-signatures.ts';
import type { DestinationStream } from 'pino';
import type { BridgeConfig, ConfigError } from './config.ts';
import { Credential, EnrolmentRefused } from './edge/enrolment.ts';
import { freeBytesAt, openHealth, type Readiness, ReadinessCheck } from './health/health-server.ts';
import { JournalDatabase } from './journal/database.ts';
import { errorText, makeLog } from './logging.ts';
import { checkClient } from './network/client/client-shapes.ts';
import { WebVersionSource } from './network/client/web-version.ts';
import { Supervisor } from './supervisor.ts';

export interface RunningBridge {
  readonly bridgeId: string;
  /** Whether it can do its work now, and why not. */
  readiness(): Readiness;
  /** Finishes what is in flight, gives up the leases, and ends; takes `drainMs` at most. */
  drain(): Promise<void>;
  /** Ends at once; leases and facts stay on disk. */
  close(): Promise<void>;
}

export interface BridgeHooks {
  /** Where log lines go; standard output by default. */
  logDestination?: DestinationStream;
  /** The disk failed: the process must end. */
  onBroken?: (error: unknown) => void;
  /** The edge refuses this enrolment token: the process must end. */
  onRefused?: () => void;
  /** A setting asks for something that this machine does not have: the process must end. */
  onImpossible?: (error: ConfigError) => void;
}

const pruneEveryMs = 600_000;

/**
 * Starts a bridge in this process. It connects and reconnects by itself until it is closed. Throws a `ClientMismatchError` if
 * the installed client of the network is not the one that this code expects, and a `ConfigError` if the bridge is not enrolled
 * and has no enrolment token.
 */
export function startBridge(config: BridgeConfig, hooks: BridgeHooks = {}): RunningBridge {
  checkClient();
  const log = makeLog(config.logLevel, hooks.logDestination);
  const db = new JournalDatabase(config.home, (error) => {
    log.fatal({ error: errorText(error) }, 'journal.broken');
    hooks.onBroken?.(error);
  });
  const versions = new WebVersionSource(config.network, config.webVersion, {
    load: () => db.meta('webVersion'),
    save: (version) => db.setMeta('webVersion', version),
  });
  const { bridgeId } = db;
  const credential = credentialOf(config, db, log);
  log.info({ bridgeId, network: config.network, capacity: config.capacity }, 'bridge.started');
  let supervisor: Supervisor | null = null;
  const begin = () => {
    supervisor = new Supervisor({ config, db, token: credential.token, versions, log });
    supervisor.prune();
  };
  const enrolling = new AbortController();
  if (credential.isKnown) begin();
  else
    credential.enrol(enrolling.signal).then(begin, (error) => {
      if (enrolling.signal.aborted) return;
      log.fatal({ error: errorText(error) }, 'bridge.not_enrolled');
      if (error instanceof EnrolmentRefused) hooks.onRefused?.();
      else hooks.onBroken?.(error);
    });
  const pruning = setInterval(() => supervisor?.prune(), pruneEveryMs);
  let ending: Promise<void> | null = null;
  const check = new ReadinessCheck(db, () => freeBytesAt(config.home));
  const readiness = () =>
    check.judge({
      isEnrolled: credential.isKnown,
      isLinked: supervisor?.isLinked ?? false,
      isEnding: ending !== null,
    });
  const health =
    config.health &&
    openHealth({ ...config.health, readiness, onRefused: (error) => hooks.onImpossible?.(error) });
  const end = (work: (running: Supervisor) => Promise<void>) => {
    enrolling.abort();
    ending ??= (supervisor ? work(supervisor) : Promise.resolve()).finally(() => {
      clearInterval(pruning);
      health?.close();
      health?.closeAllConnections();
      db.close();
      log.info({ bridgeId }, 'bridge.stopped');
    });
    return ending;
  };
  return {
    bridgeId,
    readiness,
    drain: () => end((running) => running.drain()),
    close: () => end((running) => running.close()),
  };
}

/** If a bridge cannot start, the next process can open its journal. */
function credentialOf(...parts: ConstructorParameters<typeof Credential>): Credential {
  try {
    return new Credential(...parts);
  } catch (error) {
    parts[1].close();
    throw error;
  }
}

import './network/small-pool.ts';
import './network/quiet-console.ts';
import type { DestinationStream } from 'pino';
import type { BridgeConfig } from './config.ts';
import { JournalDatabase } from './journal/database.ts';
import { errorText, makeLog } from './logging.ts';
import { checkClient } from './network/client-shapes.ts';
import { WebVersionSource } from './network/web-version.ts';
import { Supervisor } from './supervisor.ts';

export interface RunningBridge {
  readonly bridgeId: string;
  /** Finishes what is in flight, gives up the leases, and ends; takes `drainMs` at most. */
  drain(): Promise<void>;
  /** Ends at once; leases and facts stay on disk. */
  close(): Promise<void>;
}

export interface BridgeHooks {
  /** Where log lines go; standard output where it is left out. */
  logDestination?: DestinationStream;
  /** The disk failed: the process must end. */
  onBroken?: (error: unknown) => void;
}

const pruneEveryMs = 600_000;

/**
 * Starts a bridge in this process. It connects by itself, and comes back by itself, until it is closed.
 * Throws a `ClientMismatchError` where the network's client is another one than it was made for.
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
  log.info({ bridgeId, network: config.network, capacity: config.capacity }, 'bridge.started');
  const supervisor = new Supervisor({ config, db, versions, log });
  supervisor.prune();
  const pruning = setInterval(() => supervisor.prune(), pruneEveryMs);
  let ending: Promise<void> | null = null;
  const end = (work: () => Promise<void>) => {
    ending ??= work().finally(() => {
      clearInterval(pruning);
      db.close();
      log.info({ bridgeId }, 'bridge.stopped');
    });
    return ending;
  };
  return {
    bridgeId,
    drain: () => end(() => supervisor.drain()),
    close: () => end(() => supervisor.close()),
  };
}

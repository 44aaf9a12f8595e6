import type { BridgeConfig } from '../config.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { FactLog } from '../journal/facts.ts';
import type { Lease } from '../journal/leases.ts';
import type { SendInterval } from '../journal/send-interval.ts';
import type { Log } from '../logging.ts';
import type { EdgeConnection } from './edge-connection.ts';
import { type NumberLinkOptions, openNumberLink } from './edge-link.ts';

export interface ReportsOptions {
  config: BridgeConfig;
  db: JournalDatabase;
  /** What the bridge proves itself with. */
  token: string;
  interval: SendInterval;
  log: Log;
  /** The number was deleted. */
  onGone: (numberId: string) => void;
}

/** The report-only links of a bridge: for numbers whose lease is over, until the edge has what the journal holds for them. */
export class Reports {
  readonly #options: ReportsOptions;
  readonly #links = new Map<string, ReportLink>();

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** Opens a link for a lease that is over, unless there is one. */
  begin(lease: Lease): void {
    const { numberId, epoch } = lease;
    if (this.#links.has(numberId)) return;
    const { config, db, token, interval, onGone } = this.#options;
    const log = this.#options.log.child({ numberId, epoch });
    log.info('report.began');
    const facts = new FactLog({
      db,
      ...lease,
      interval,
      repeatAfterMs: config.timings.factRepeatMs,
      holdNetworkMs: config.timings.holdNetworkMs,
      reportOnly: true,
      log,
      onVaultStored: () => {},
    });
    const link = new ReportLink({
      config,
      bridgeId: db.bridgeId,
      token,
      lease,
      facts,
      afterCommit: db.afterCommit,
      log,
      onEnd: (end) => {
        log.info({ end }, 'report.ended');
        if (this.#links.get(numberId) === link) this.#links.delete(numberId);
        if (end === 'gone') onGone(numberId);
      },
    });
    this.#links.set(numberId, link);
  }

  close(numberId: string): void {
    this.#links.get(numberId)?.close();
  }

  closeAll(): void {
    for (const numberId of [...this.#links.keys()]) this.close(numberId);
  }
}

/**
 * `drained`: the edge has everything. `gone`: the number was deleted. `refused`: the edge does not accept reports at the
 * moment. `closed`: the bridge drives the number again, or stops.
 */
type ReportEnd = 'drained' | 'gone' | 'refused' | 'closed';

interface ReportLinkOptions extends NumberLinkOptions {
  onEnd: (end: ReportEnd) => void;
}

/**
 * Delivers what the journal holds for a number whose lease is over: outcomes, receipts and messages. It sends no queries and
 * accepts no commands, and it ends when the edge has everything.
 */
class ReportLink {
  readonly #options: ReportLinkOptions;
  readonly #connection: EdgeConnection;
  #isClosed = false;

  constructor(options: ReportLinkOptions) {
    this.#options = options;
    this.#connection = openNumberLink(options, {
      onCaughtUp: () => {},
      onFrame: () => {},
      onClose: () => {},
      onOver: (why) => this.#end(why === 'gone' ? 'gone' : 'refused'),
    });
    void options.facts.drained().then(() => this.#end('drained'));
  }

  close(): void {
    this.#end('closed');
  }

  #end(end: ReportEnd): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#connection.close();
    this.#options.facts.detach();
    this.#options.onEnd(end);
  }
}

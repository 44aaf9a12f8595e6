import type { BridgeConfig } from '../config.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { FactLog } from '../journal/facts.ts';
import type { Lease } from '../journal/leases.ts';
import type { SendInterval } from '../journal/send-interval.ts';
import type { Log } from '../logging.ts';
import { ReportLink } from './report-link.ts';

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

/** The report-only links of a bridge: of numbers whose lease is over, until the edge has what the journal holds of them. */
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
    this.#links.delete(numberId);
  }

  closeAll(): void {
    for (const numberId of [...this.#links.keys()]) this.close(numberId);
  }
}

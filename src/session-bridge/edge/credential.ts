import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs } from '../backoff.ts';
import { type BridgeConfig, ConfigError } from '../config.ts';
import type { JournalDatabase } from '../journal/database.ts';
import { errorText, type Log } from '../logging.ts';
import { askForToken, EnrolmentRefused } from './enrolment.ts';

/**
 * What the bridge proves itself with. A new bridge asks the edge for it once, with the enrolment token that the operator
 * gave it, and keeps it in its journal: it belongs to the identity that lives there.
 */
export class Credential {
  readonly #config: BridgeConfig;
  readonly #db: JournalDatabase;
  readonly #log: Log;

  /** Throws {@link ConfigError} where the bridge has neither a credential nor what it takes to get one. */
  constructor(config: BridgeConfig, db: JournalDatabase, log: Log) {
    this.#config = config;
    this.#db = db;
    this.#log = log;
    if (this.#stored === null && config.enrolmentToken === null) {
      throw new ConfigError(
        'BRIDGE_ENROLMENT_TOKEN is not set: a new bridge needs the token that the operator of the gateway makes for it.',
      );
    }
  }

  get isKnown(): boolean {
    return this.#stored !== null;
  }

  get token(): string {
    const token = this.#stored;
    if (token === null) throw new Error('the bridge is not enrolled yet');
    return token;
  }

  /** Resolves once the edge has let the bridge in; tries until then, with growing waits. Throws {@link EnrolmentRefused}. */
  async enrol(signal: AbortSignal): Promise<void> {
    const { reconnectBaseMs: baseMs, edgeReconnectCapMs: capMs } = this.#config.timings;
    for (let attempt = 0; this.#stored === null; attempt += 1) {
      try {
        const { gatewayUrl, enrolmentToken } = this.#config;
        const token = await askForToken(gatewayUrl, enrolmentToken ?? '', this.#db.bridgeId, signal);
        this.#db.setMeta('token', token);
        this.#log.info({ bridgeId: this.#db.bridgeId }, 'bridge.enrolled');
      } catch (error) {
        if (error instanceof EnrolmentRefused || signal.aborted) throw error;
        const waitMs = backoffMs(attempt, { baseMs, capMs });
        this.#log.info({ waitMs, error: errorText(error) }, 'bridge.enrolment_failed');
        await wait(waitMs, undefined, { signal });
      }
    }
  }

  get #stored(): string | null {
    return this.#db.meta('token');
  }
}

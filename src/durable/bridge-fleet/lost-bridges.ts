import { clockSlackMs, earliest, endOfWait } from '../due-times.ts';
import type { Fact } from '../event-log/facts.ts';
import { logOf } from '../event-log/log-of.ts';
import { logFault } from '../log.ts';
import { Tables } from '../storage/rows.ts';

export const bridgeLossTablesSql = `
  -- Accounts whose numbers wait for a bridge that is gone, until they know that it is over.
  CREATE TABLE bridge_losses (
    bridge_id TEXT NOT NULL,
    account_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    numbers INTEGER NOT NULL,
    ended_at INTEGER,
    -- 1: the account knows how it is.
    is_told INTEGER NOT NULL,
    PRIMARY KEY (bridge_id, account_id)
  ) WITHOUT ROWID;
`;

/** Until what could not be told is told again. */
const againMs = 30_000;

/** Numbers of an account that wait for a bridge that is gone, or for any. */
type Loss = {
  /** Empty: no bridge has them, and none has taken them. */
  bridge_id: string;
  account_id: string;
  /** Since when; milliseconds since 1970. */
  at: number;
  numbers: number;
  ended_at: number | null;
  is_told: number;
};

interface Parts {
  sql: SqlStorage;
  env: Pick<Env, 'EVENT_LOG'>;
  /** So long a number may be away before its owner is told. */
  graceMs: number;
  /** Of the fleet. */
  region: string | null;
  /** The bridges that take numbers now. */
  bridges: () => number;
}

const waiting = 'FROM leases WHERE wanted = 1 AND bridge_id IS NULL AND account_id IS NOT NULL';

/**
 * Tells accounts when their numbers have no bridge, and when they have one again. A number has none if its bridge is lost and
 * no other has room, or if no bridge has ever taken it, for example in a region without bridges. Numbers that have moved to
 * another bridge meanwhile are not reported.
 */
export class LostBridges extends Tables {
  readonly #parts: Parts;
  /** Something has changed since the losses were looked at. */
  #isStale: boolean;
  #againAt: number | null = null;

  constructor(parts: Parts) {
    super(parts.sql);
    this.#parts = parts;
    this.#isStale = this.#rows().length > 0;
  }

  /** A bridge came back, a lease has another holder, or one more number waits. */
  changed(): void {
    this.#isStale = true;
  }

  dueAt(): number | null {
    const againAt = this.#againAt && endOfWait(this.#againAt, againMs);
    return earliest([againAt, this.#isStale && this.#rows().length > 0 ? 0 : null, this.#nextLossAt()]);
  }

  async run(now: number): Promise<void> {
    this.#isStale = false;
    this.#againAt = null;
    this.#compare(now);
    const untold = this.#rows().filter(({ is_told }) => is_told === 0);
    if (untold.length === 0) return;
    // Should this life end now, or a call fail: what is not told yet is told later.
    this.#againAt = now + againMs;
    await Promise.all(untold.map((loss) => this.#tell(loss)));
    if (this.#rows().every(({ is_told }) => is_told === 1)) this.#againAt = null;
  }

  /** When the next bridge has been gone long enough; null: none is gone that still holds numbers. */
  #nextLossAt(): number | null {
    const select = `SELECT min(leases_until) FROM bridges WHERE is_expired = 1 AND leases > 0 AND EXISTS (
        SELECT 1 FROM leases WHERE leases.bridge_id = bridges.bridge_id AND wanted = 1 AND account_id IS NOT NULL
          AND NOT EXISTS (SELECT 1 FROM bridge_losses AS known
            WHERE known.bridge_id = leases.bridge_id AND known.account_id = leases.account_id))`;
    const none = `SELECT min(waits_since) ${waiting} AND NOT EXISTS (
        SELECT 1 FROM bridge_losses AS known WHERE known.bridge_id = '' AND known.account_id = leases.account_id)`;
    const lostAt = earliest([this.queryValue<number>(select), this.queryValue<number>(none)]);
    const { graceMs } = this.#parts;
    return lostAt === null ? null : endOfWait(lostAt + graceMs, graceMs + clockSlackMs);
  }

  /** What is lost now, against what was. */
  #compare(now: number): void {
    const { graceMs } = this.#parts;
    const lost = `SELECT leases.bridge_id, account_id, leases_until AS at, count(*) AS numbers
      FROM leases JOIN bridges ON bridges.bridge_id = leases.bridge_id
      WHERE is_expired = 1 AND (leases_until <= ?1 OR leases_until > ?2) AND wanted = 1 AND account_id IS NOT NULL
      GROUP BY leases.bridge_id, account_id`;
    const none = `SELECT '' AS bridge_id, account_id, min(waits_since) AS at, count(*) AS numbers ${waiting}
      GROUP BY account_id HAVING min(waits_since) <= ?1 OR min(waits_since) > ?2`;
    // Or lost by a clock that went back since.
    const losses = [lost, none].flatMap((query) =>
      this.queryAll<Loss>(query, now - graceMs, now + clockSlackMs),
    );
    for (const { bridge_id, account_id, at, numbers } of losses) {
      this.sql.exec(
        `INSERT INTO bridge_losses (bridge_id, account_id, at, numbers, is_told) VALUES (?, ?, ?, ?, 0)
         ON CONFLICT DO UPDATE SET numbers = excluded.numbers, is_told = 0
         WHERE ended_at IS NULL AND numbers <> excluded.numbers`,
        ...[bridge_id, account_id, at, numbers],
      );
    }
    for (const loss of this.#rows()) {
      const lasts = losses.some((it) => isSame(it, loss) && (it.at === loss.at || it.bridge_id === ''));
      if (lasts || loss.ended_at !== null) continue;
      this.#change('UPDATE bridge_losses SET ended_at = ?, is_told = 0', now, loss);
    }
  }

  async #tell(loss: Loss): Promise<void> {
    const { bridge_id: bridgeId, account_id: accountId, at, numbers, ended_at: endedAt } = loss;
    const { env, region, bridges } = this.#parts;
    const [subject, detail] =
      bridgeId === ''
        ? [`region:${region ?? 'none'}`, { numbers, bridges: bridges() }]
        : [`bridge:${bridgeId}`, { numbers }];
    const facts: Fact[] = [{ kind: 'alert.raised', trouble: { kind: 'bridge.lost', subject, at, detail } }];
    if (endedAt !== null) facts.push({ kind: 'alert.ended', kinds: ['bridge.lost'], subject, at: endedAt });
    try {
      const { taken } = await logOf(env, accountId).take(facts);
      if (taken < facts.length) return;
    } catch (error) {
      logFault('bridge.loss_not_told', error, { accountId, bridgeId });
      return;
    }
    // Its end, or another number, may have come while it was told.
    if (endedAt === null)
      this.#change('UPDATE bridge_losses SET is_told = ended_at IS NULL AND numbers = ?', numbers, loss);
    else this.#change('DELETE FROM bridge_losses', null, loss);
  }

  #change(statement: string, value: number | null, { bridge_id, account_id }: Loss): void {
    const values = value === null ? [] : [value];
    const where = `${statement} WHERE bridge_id = ? AND account_id = ?`;
    this.sql.exec(where, ...values, bridge_id, account_id);
  }

  #rows(): Loss[] {
    return this.queryAll<Loss>('SELECT * FROM bridge_losses');
  }
}

const isSame = (a: Loss, b: Loss) => a.bridge_id === b.bridge_id && a.account_id === b.account_id;

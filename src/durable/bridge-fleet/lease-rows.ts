import { leaseTimes, revokedDrainMs } from '../../contract/bridge/bridge-frames.ts';
import { Tables } from '../storage/rows.ts';

export type Lease = { number_id: string; bridge_id: string | null; epoch: number };

/** Who drove a number last, and under which epoch. */
export interface LastHolder {
  bridgeId: string;
  epoch: number;
}

/** How long a bridge may still drive a number that was taken from it, whether it hears of that or not. No number waits longer. */
export const revokedForMs = revokedDrainMs + leaseTimes.expiresMs;
/** Holders of a number that are remembered. */
const holdersMax = 20;

const lost = 'SELECT bridge_id FROM bridges WHERE is_expired = 1';

/**
 * The waiting numbers; first those whose account would then have the fewest leases, so that no account takes more than its
 * share while others wait. A number whose bridge has lost its leases waits too, although no other bridge has it yet.
 */
const nextInTurn = `
  SELECT number_id, bridge_id, epoch FROM (
    SELECT *, row_number() OVER (PARTITION BY account_id ORDER BY number_id) + (
      SELECT count(*) FROM leases AS held
      WHERE held.account_id IS leases.account_id AND held.bridge_id IS NOT NULL AND held.bridge_id NOT IN (${lost})
    ) AS turn
    FROM leases WHERE wanted = 1 AND (free_at IS NULL OR free_at <= ?)
      AND (bridge_id IS NULL OR bridge_id IN (${lost}))
  ) ORDER BY turn, number_id LIMIT ?`;

/** Which bridge drives which number. A lease has one holder, and its epoch rises with each new one. */
export class LeaseRows extends Tables {
  find(numberId: string): Lease | undefined {
    return this.queryFirst<Lease>('SELECT * FROM leases WHERE number_id = ?', numberId);
  }

  heldBy(bridgeId: string): Lease[] {
    return this.queryAll<Lease>('SELECT * FROM leases WHERE bridge_id = ?', bridgeId);
  }

  /** How many have no bridge, or one that has lost its leases. */
  waitingCount(): number {
    const count = `SELECT count(*) AS numbers FROM leases WHERE wanted = 1
      AND (bridge_id IS NULL OR bridge_id IN (${lost}))`;
    return this.queryOne<{ numbers: number }>(count).numbers;
  }

  /** In turn by account. */
  waiting(limit: number, now: number): Lease[] {
    return this.queryAll<Lease>(nextInTurn, now, limit);
  }

  want(numberId: string, accountId: string | null): void {
    this.sql.exec(
      `INSERT INTO leases (number_id, bridge_id, epoch, wanted, account_id, waits_since) VALUES (?1, NULL, 0, 1, ?2, ?3)
       ON CONFLICT DO UPDATE SET wanted = 1, waits_since = ?3 WHERE wanted = 0`,
      numberId,
      accountId,
      Date.now(),
    );
  }

  /** The number needs no bridge any more. Should it want one again, it gets none before `freeAt`. Inside a transaction. */
  unwant(lease: Lease, freeAt: number): void {
    this.sql.exec('UPDATE leases SET wanted = 0 WHERE number_id = ?', lease.number_id);
    if (lease.bridge_id !== null) this.takeBack(lease, freeAt);
  }

  /** Its bridge may drive the number no more, but may do so until `freeAt`: nobody gets it before. Inside a transaction. */
  takeBack(lease: Lease, freeAt: number): void {
    this.assign(lease, null, lease.epoch);
    this.holdBack(lease.number_id, freeAt);
  }

  /** Nobody gets the number before `freeAt`. Inside a transaction. */
  holdBack(numberId: string, freeAt: number): void {
    this.sql.exec('UPDATE leases SET free_at = ? WHERE number_id = ?', freeAt, numberId);
  }

  /** The bridge has given up what it had under this epoch. Inside a transaction. */
  released(numberId: string, bridgeId: string, epoch: number): void {
    const lease = this.find(numberId);
    if (lease?.epoch !== epoch) return;
    if (lease.bridge_id === bridgeId) this.assign(lease, null, epoch);
    else if (lease.bridge_id === null && this.wasHeld(numberId, bridgeId, epoch))
      this.sql.exec('UPDATE leases SET free_at = NULL WHERE number_id = ?', numberId);
  }

  /**
   * Learns an epoch that is higher than the known one; false: nothing is new. The bridge that had the number under it may
   * report what it knows. No bridge gets the number before `freeAt`. Call inside a transaction.
   */
  recover(numberId: string, { bridgeId, epoch }: LastHolder, freeAt: number): boolean {
    const lease = this.find(numberId);
    if (lease === undefined || lease.epoch >= epoch) return false;
    this.#noteHolder(numberId, bridgeId, epoch);
    this.takeBack({ ...lease, epoch }, freeAt);
    return true;
  }

  /** When the next number that somebody may still drive can be given to a bridge; null without any. */
  freeAt(): number | null {
    const next = 'SELECT min(free_at) FROM leases WHERE wanted = 1 AND bridge_id IS NULL';
    return this.queryValue<number>(next);
  }

  /** No number waits for longer than until then: a time further ahead was set by a clock that went back since. */
  freeBy(at: number): void {
    this.sql.exec('UPDATE leases SET free_at = ?1 WHERE free_at > ?1', at);
  }

  /** Their time is over: what is due is waiting as any other. */
  free(now: number): void {
    this.sql.exec('UPDATE leases SET free_at = NULL WHERE free_at <= ?', now);
  }

  /** Every change of a lease's holder comes here, inside a transaction, so that the bridges' counts stay right. */
  assign(lease: Lease, bridgeId: string | null, epoch: number): void {
    this.sql.exec(
      `UPDATE leases SET bridge_id = ?1, epoch = ?2, waits_since = iif(?1 IS NULL, coalesce(waits_since, ?4), NULL)
       WHERE number_id = ?3`,
      bridgeId,
      epoch,
      lease.number_id,
      Date.now(),
    );
    if (bridgeId !== null) this.#noteHolder(lease.number_id, bridgeId, epoch);
    this.sql.exec('UPDATE bridges SET leases = leases - 1 WHERE bridge_id = ?', lease.bridge_id);
    this.sql.exec('UPDATE bridges SET leases = leases + 1 WHERE bridge_id = ?', bridgeId);
  }

  /** Whether the bridge has held the number under this epoch, as far back as that is remembered. */
  wasHeld(numberId: string, bridgeId: string, epoch: number): boolean {
    const held = 'SELECT 1 FROM lease_holders WHERE number_id = ? AND epoch = ? AND bridge_id = ?';
    return this.queryAny(held, numberId, epoch, bridgeId);
  }

  #noteHolder(numberId: string, bridgeId: string, epoch: number): void {
    this.sql.exec('INSERT OR REPLACE INTO lease_holders VALUES (?, ?, ?)', numberId, epoch, bridgeId);
    const tooOld = 'DELETE FROM lease_holders WHERE number_id = ? AND epoch <= ?';
    this.sql.exec(tooOld, numberId, epoch - holdersMax);
  }
}

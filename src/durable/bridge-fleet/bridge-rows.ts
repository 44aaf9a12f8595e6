import type { BridgeCounts } from '../../contract/bridge/bridge-counts.ts';
import { Tables } from '../storage/rows.ts';

/** What the fleet knows of a bridge. Times are milliseconds since 1970. */
export interface BridgeRow {
  bridgeId: string;
  capacity: number;
  /** Numbers that it holds. */
  leases: number;
  /** It takes no more numbers: it is shutting down, or the operator wants it empty. */
  draining: boolean;
  /** The operator wants it empty. */
  isDrained: boolean;
  linkedAt: number | null;
  /** When its leases run out; null while it is linked. */
  leasesUntil: number | null;
  residentBytes: number | null;
  /** Of the protocol, as its last hello said; null: it has not linked since that is noted. */
  version: number | null;
  /** Of the package that it runs, as that hello said; null where it did not. */
  release: string | null;
  /** What its process has counted, as it said last; null where it does not say. */
  counts: BridgeCounts | null;
}

const columns = `bridge_id AS bridgeId, capacity, leases, draining + is_drained AS draining, is_drained AS isDrained, linked_at AS linkedAt,
  leases_until AS leasesUntil, resident_bytes AS residentBytes, version, release, counts`;
type Row = Omit<BridgeRow, 'draining' | 'isDrained' | 'counts'> & {
  draining: number;
  isDrained: number;
  counts: string | null;
};

/** What a bridge says of itself. */
interface Hello {
  bridgeId: string;
  version: number;
  release?: string | null | undefined;
}

/** A bridge without leases that was not linked for this long is deleted: its disk is gone. */
const forgottenAfterMs = 7 * 86_400_000;

/** The bridges, linked or not. */
export class BridgeRows extends Tables {
  all(): BridgeRow[] {
    return this.queryAll<Row>(`SELECT ${columns} FROM bridges ORDER BY bridge_id`).map(shown);
  }

  find(bridgeId: string): BridgeRow | null {
    return (
      this.queryAll<Row>(`SELECT ${columns} FROM bridges WHERE bridge_id = ?`, bridgeId).map(shown)[0] ?? null
    );
  }

  /** A bridge has said hello. What the operator wanted of it stays so. */
  linked({ bridgeId, version, release = null }: Hello, capacity: number, now: number): void {
    this.sql.exec(
      `INSERT INTO bridges (bridge_id, capacity, draining, leases, linked_at, version, release)
       VALUES (?1, ?2, 0, 0, ?3, ?4, ?5)
       ON CONFLICT DO UPDATE SET capacity = excluded.capacity, draining = 0, linked_at = ?3, version = ?4,
         release = ?5, leases_until = NULL, is_expired = 0`,
      bridgeId,
      capacity,
      now,
      version,
      release,
    );
    const forget = 'DELETE FROM bridges WHERE leases = 0 AND leases_until < ?';
    this.sql.exec(forget, now - forgottenAfterMs);
  }

  /** The link of a bridge is gone. */
  lost(bridgeId: string, leasesUntil: number): void {
    const change = 'UPDATE bridges SET leases_until = ? WHERE bridge_id = ? AND leases_until IS NULL';
    this.sql.exec(change, leasesUntil, bridgeId);
  }

  noteDraining(bridgeId: string): void {
    this.sql.exec('UPDATE bridges SET draining = 1 WHERE bridge_id = ?', bridgeId);
  }

  /** As the operator wants it. */
  setDrained(bridgeId: string, isDrained: boolean): void {
    this.sql.exec('UPDATE bridges SET is_drained = ? WHERE bridge_id = ?', isDrained ? 1 : 0, bridgeId);
  }

  noteStatus(bridgeId: string, residentBytes: number, counts: BridgeCounts | null): void {
    const change = 'UPDATE bridges SET resident_bytes = ?, counts = ? WHERE bridge_id = ?';
    this.sql.exec(change, residentBytes, counts && JSON.stringify(counts), bridgeId);
  }

  /** When the first lost bridge loses its leases; null if none has any. */
  expiryDueAt(): number | null {
    const first = 'SELECT min(leases_until) FROM bridges WHERE is_expired = 0 AND leases > 0';
    return this.queryValue<number>(first);
  }

  /** No lease of a lost bridge lasts longer than until then: a time further ahead was set by a clock that went back since. */
  expireBy(at: number): void {
    this.sql.exec('UPDATE bridges SET leases_until = ?1 WHERE is_expired = 0 AND leases_until > ?1', at);
  }

  /** The bridges whose leases have run out now. */
  expire(now: number): string[] {
    const change = `UPDATE bridges SET is_expired = 1
      WHERE is_expired = 0 AND leases_until <= ? RETURNING bridge_id`;
    return this.queryValues<string>(change, now);
  }
}

const shown = (row: Row): BridgeRow => ({
  ...row,
  draining: row.draining > 0,
  isDrained: row.isDrained > 0,
  counts: row.counts === null ? null : JSON.parse(row.counts),
});

/** A bridge that is linked now, as far as its room is concerned. */
type BridgeLoad = Pick<BridgeRow, 'bridgeId' | 'capacity' | 'draining' | 'leases'>;

/** The bridge that takes one more number: the one with the largest free share; null when none has room. */
export function placeNumber(bridges: readonly BridgeLoad[]): string | null {
  let best: { bridgeId: string; freeShare: number } | null = null;
  for (const { bridgeId, capacity, draining, leases } of bridges) {
    if (draining || leases >= capacity) continue;
    const freeShare = 1 - leases / capacity;
    if (best === null || freeShare > best.freeShare) best = { bridgeId, freeShare };
  }
  return best?.bridgeId ?? null;
}

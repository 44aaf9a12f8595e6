import { logFault } from '../log.ts';

export const revokedLinkTablesSql = `
  -- Numbers that a revoked bridge held once and may still report to; a row goes when its number knows.
  CREATE TABLE revoked_links (
    bridge_id TEXT NOT NULL,
    number_id TEXT NOT NULL,
    PRIMARY KEY (bridge_id, number_id)
  ) WITHOUT ROWID;
`;

/** Numbers that are told at a time. */
const toldAtATime = 50;
/** Until what could not be told is told again. */
const againMs = 30_000;

interface Parts {
  sql: SqlStorage;
  env: Pick<Env, 'PHONE_NUMBER'>;
}

/**
 * A bridge keeps links to numbers that other bridges drive by now, until it has reported what its journal holds for them. When
 * it is revoked these numbers are told, so that its links end there too and it cannot open new ones.
 */
export class RevokedLinks {
  readonly #parts: Parts;
  #dueAt: number | null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#dueAt = this.#next().length > 0 ? 0 : null;
  }

  /** The bridge is no bridge any more. Call inside a transaction. */
  add(bridgeId: string): void {
    this.#parts.sql.exec(
      `INSERT OR IGNORE INTO revoked_links (bridge_id, number_id)
       SELECT DISTINCT bridge_id, number_id FROM lease_holders WHERE bridge_id = ?`,
      bridgeId,
    );
    this.#dueAt = 0;
  }

  dueAt(): number | null {
    return this.#dueAt;
  }

  /** Tells the next numbers. */
  async run(now: number): Promise<void> {
    this.#dueAt = now + againMs;
    const told = await Promise.all(this.#next().map((link) => this.#tell(link)));
    this.#dueAt = this.#next().length === 0 ? null : told.includes(false) ? now + againMs : 0;
  }

  async #tell({ bridge_id: bridgeId, number_id: numberId }: RevokedLink): Promise<boolean> {
    try {
      await this.#parts.env.PHONE_NUMBER.getByName(numberId).dropBridge(bridgeId);
    } catch (error) {
      logFault('bridge.revocation_not_told', error, { bridgeId, numberId });
      return false;
    }
    const told = 'DELETE FROM revoked_links WHERE bridge_id = ? AND number_id = ?';
    this.#parts.sql.exec(told, bridgeId, numberId);
    return true;
  }

  #next(): RevokedLink[] {
    return this.#parts.sql.exec<RevokedLink>('SELECT * FROM revoked_links LIMIT ?', toldAtATime).toArray();
  }
}

type RevokedLink = { bridge_id: string; number_id: string };

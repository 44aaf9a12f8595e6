import { randomBytes } from 'node:crypto';
import { Tables } from '../storage/rows.ts';

/** What the fleet knows of a bridge's right to be one. */
export interface Enrolled {
  /** What the operator called it; null where nobody did. */
  name: string | null;
  enrolledAt: number;
  revokedAt: number | null;
}

export const bridgeCredentialTablesSql = `
  -- The bridges that were let in; a revoked one stays, so that it never comes back under this id.
  CREATE TABLE enrolled_bridges (
    bridge_id TEXT PRIMARY KEY,
    name TEXT,
    enrolled_at INTEGER NOT NULL,
    revoked_at INTEGER
  ) WITHOUT ROWID;
  -- Tokens that let one bridge in; bridge_id: the one that has used it.
  CREATE TABLE enrolment_tokens (
    token_hash TEXT PRIMARY KEY,
    name TEXT,
    expires_at INTEGER NOT NULL,
    bridge_id TEXT
  ) WITHOUT ROWID;
`;

/** Appended to the tables above. let_in_by: the hash of the token, or 'standing'; null: by an earlier release. */
export const bridgeGenerationSql = `
  ALTER TABLE enrolled_bridges ADD COLUMN let_in_by TEXT;
  ALTER TABLE enrolled_bridges ADD COLUMN generation TEXT;
`;

/** In place of a token's hash: the deployment's own token, which lets in every bridge that presents it. */
const standing = 'standing';

/** What came of a bridge that asked to be let in, and what its token is made with. */
export interface LetIn {
  enrolled: 'enrolled' | 'refused' | 'revoked' | 'taken';
  generation: string | null;
}

/** What makes a bridge's token one that nobody derives from its id. */
export const newGeneration = (): string => randomBytes(16).toString('hex');

/** Tokens that wait for their bridge; the oldest ones go first. */
const openTokensMax = 1_000;

/** Which bridges were let in, which are no longer, and the tokens that let new ones in. */
export class CredentialRows extends Tables {
  find(bridgeId: string): Enrolled | null {
    const rows = this.sql.exec<{ name: string | null; enrolledAt: number; revokedAt: number | null }>(
      `SELECT name, enrolled_at AS enrolledAt, revoked_at AS revokedAt
       FROM enrolled_bridges WHERE bridge_id = ?`,
      bridgeId,
    );
    return rows.toArray()[0] ?? null;
  }

  isRevoked(bridgeId: string): boolean {
    return (this.find(bridgeId)?.revokedAt ?? null) !== null;
  }

  addToken(tokenHash: string, name: string | null, expiresAt: number): void {
    const tooMany = `DELETE FROM enrolment_tokens WHERE token_hash IN
      (SELECT token_hash FROM enrolment_tokens ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`;
    this.sql.exec(tooMany, openTokensMax - 1);
    const add = 'INSERT INTO enrolment_tokens (token_hash, name, expires_at) VALUES (?, ?, ?)';
    this.sql.exec(add, tokenHash, name, expiresAt);
  }

  /**
   * Uses the token up for this bridge. Returns the name that the operator gave with it; undefined if the token is unknown,
   * expired, or was used by another bridge. Call inside a transaction.
   */
  useToken(tokenHash: string, bridgeId: string, now: number): string | null | undefined {
    this.sql.exec('DELETE FROM enrolment_tokens WHERE expires_at <= ?', now);
    const use = `UPDATE enrolment_tokens SET bridge_id = ?2
      WHERE token_hash = ?1 AND (bridge_id IS NULL OR bridge_id = ?2) RETURNING name`;
    return this.queryFirst<{ name: string | null }>(use, tokenHash, bridgeId)?.name;
  }

  /** Whether it was this token that let the bridge in; null: the deployment's own. */
  wasLetInBy(bridgeId: string, tokenHash: string | null): boolean {
    const by = 'SELECT 1 FROM enrolled_bridges WHERE bridge_id = ? AND let_in_by = ?';
    if (this.queryAny(by, bridgeId, tokenHash ?? standing)) return true;
    const used = 'SELECT 1 FROM enrolment_tokens WHERE token_hash = ? AND bridge_id = ?';
    return this.queryAny(used, tokenHash, bridgeId);
  }

  /** What was drawn when the bridge was let in; null where an earlier release has. */
  generationOf(bridgeId: string): string | null {
    const drawn = 'SELECT generation FROM enrolled_bridges WHERE bridge_id = ?';
    return this.queryValue<string>(drawn, bridgeId);
  }

  add(
    bridgeId: string,
    { name, tokenHash, generation }: { name: string | null; tokenHash: string | null; generation: string },
    now: number,
  ): void {
    this.sql.exec(
      `INSERT INTO enrolled_bridges (bridge_id, name, enrolled_at, let_in_by, generation) VALUES (?, ?, ?, ?, ?)`,
      bridgeId,
      name,
      now,
      tokenHash ?? standing,
      generation,
    );
  }

  revoke(bridgeId: string, now: number): void {
    this.sql.exec(
      `INSERT INTO enrolled_bridges (bridge_id, enrolled_at, revoked_at) VALUES (?1, ?2, ?2)
       ON CONFLICT DO UPDATE SET revoked_at = coalesce(revoked_at, ?2)`,
      bridgeId,
      now,
    );
  }
}

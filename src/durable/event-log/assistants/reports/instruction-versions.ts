import { fieldsOf, type RowOf, Tables } from '../../../storage/rows.ts';

/** The text that an assistant was told, under a short name that follows from it. */
export interface UsedInstructions {
  version: string;
  text: string;
}

export interface InstructionVersion extends UsedInstructions {
  id: number;
  firstUsedAt: number;
  lastUsedAt: number;
  /** Turns that ended so under it. */
  answered: number;
  handedOff: number;
}

type Row = RowOf<InstructionVersion> & { assistant_id: string };

/** As long as the counts of a day. */
const keptMs = 400 * 24 * 3_600_000;

/** What each assistant was told, and what came of it: where answers get worse, this says since which wording. */
export class InstructionVersions extends Tables {
  /** Call inside a transaction, as what follows. */
  note(assistantId: string, { version, text }: UsedInstructions, now: number): void {
    this.sql.exec(
      `INSERT INTO assistant_instructions (assistant_id, version, text, first_used_at, last_used_at, answered, handed_off)
       VALUES (?1, ?2, ?3, ?4, ?4, 0, 0) ON CONFLICT (assistant_id, version) DO NOTHING`,
      ...[assistantId, version, text, now],
    );
  }

  /** A turn that was thought under it has ended. */
  count(assistantId: string, version: string, outcome: 'answered' | 'handed_off', now: number): void {
    this.sql.exec(
      `UPDATE assistant_instructions SET ${outcome} = ${outcome} + 1, last_used_at = ? WHERE assistant_id = ? AND version = ?`,
      ...[now, assistantId, version],
    );
  }

  /** The newest wording first, one more than `limit` where there are more. */
  page(assistantId: string, limit: number, before: number | null): InstructionVersion[] {
    return this.queryAll<Row>(
      `SELECT * FROM assistant_instructions WHERE assistant_id = ?1 AND (?2 IS NULL OR id < ?2) ORDER BY id DESC LIMIT ?3`,
      ...[assistantId, before, limit + 1],
    ).map(({ assistant_id, ...row }) => fieldsOf<InstructionVersion>(row));
  }

  forgetOld(now: number): void {
    this.sql.exec('DELETE FROM assistant_instructions WHERE last_used_at < ?', now - keptMs);
  }
}

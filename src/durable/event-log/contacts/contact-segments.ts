import type { ContactFilter } from '../../../contract/contacts/contact-filter.ts';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { newUuid } from '../../new-ids.ts';

/** A filter that has a name. Times are milliseconds since 1970. */
export interface ContactSegment {
  segmentId: string;
  name: string;
  filter: ContactFilter;
  createdAt: number;
  updatedAt: number;
}

const segmentsMax = 200;

type Row = { segment_id: string; name: string; filter: string; created_at: number; updated_at: number };

/** The segments of an account. Who is in one is found out when it is asked for. */
export class ContactSegments {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Newest first, one more than `limit` where there are more. */
  page(limit: number, before: string | null): ContactSegment[] {
    return this.#read('segment_id < ? ORDER BY segment_id DESC LIMIT ?', before ?? '\uffff', limit + 1);
  }

  find(segmentId: string): ContactSegment | null {
    return this.#read('segment_id = ?', segmentId)[0] ?? null;
  }

  create(name: string, filter: ContactFilter, now: number): ({ ok: true } & ContactSegment) | Refusal {
    const { n } = this.#sql.exec<{ n: number }>('SELECT count(*) AS n FROM contact_segments').one();
    if (n >= segmentsMax) return refuse('CONFLICT', `At most ${segmentsMax} segments.`);
    return this.#put({ segmentId: newUuid(), name, filter, createdAt: now, updatedAt: now });
  }

  /** Null: there is no such segment. */
  change(
    segmentId: string,
    changes: { name?: string | undefined; filter?: ContactFilter | undefined },
    now: number,
  ): ({ ok: true } & ContactSegment) | Refusal | null {
    const before = this.find(segmentId);
    if (before === null) return null;
    const { name = before.name, filter = before.filter } = changes;
    return this.#put({ ...before, name, filter, updatedAt: now });
  }

  remove(segmentId: string): ContactSegment | null {
    const segment = this.find(segmentId);
    this.#sql.exec('DELETE FROM contact_segments WHERE segment_id = ?', segmentId);
    return segment;
  }

  #put(segment: ContactSegment): ({ ok: true } & ContactSegment) | Refusal {
    const { segmentId, name, filter, createdAt, updatedAt } = segment;
    const same = this.#read('name = ? AND segment_id <> ?', name, segmentId);
    if (same.length > 0) {
      const message = 'There is a segment of this name.';
      return refuse('CONFLICT', message, { details: [{ path: 'name', message }] });
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO contact_segments (segment_id, name, filter, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?)`,
      ...[segmentId, name, JSON.stringify(filter), createdAt, updatedAt],
    );
    return { ok: true, ...segment };
  }

  #read(condition: string, ...values: SqlStorageValue[]): ContactSegment[] {
    return this.#sql
      .exec<Row>(`SELECT * FROM contact_segments WHERE ${condition}`, ...values)
      .toArray()
      .map((row) => ({
        segmentId: row.segment_id,
        name: row.name,
        filter: JSON.parse(row.filter),
        createdAt: row.created_at,
        updatedAt: row.updated_at,
      }));
  }
}

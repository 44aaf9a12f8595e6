import type { RecipientStatus, SkipReason } from '../../contract/campaigns/campaign.ts';
import type { TemplateValues } from '../../contract/campaigns/template.ts';
import type { MessageErrorCode } from '../../contract/messages/message.ts';
import { formsOf } from '../account/recipients/two-forms.ts';
import { fieldsOf, type RowOf, rowOf, Tables, updateRow } from '../storage/rows.ts';
import {
  aliasesFrom,
  count,
  type RecipientState,
  recipientIdOf,
  stateCodes,
  stateOf,
  type Tally,
} from './recipient.ts';

/** Somebody whom the campaign is for. Times are milliseconds since 1970. */
export interface Recipient {
  /** The phone number as a number, or of the alias what {@link recipientIdOf} says; below 0: they were erased. */
  id: number;
  contactId: string | null;
  state: RecipientState;
  /** Which text; null: that is not known yet. */
  variant: number | null;
  /** Its zone in the table of zones. */
  zone: number;
  /** What the texts say of them, where they say anything. */
  values: TemplateValues;
  /** Why it was skipped, or failed: a code. */
  reason: SkipReason | MessageErrorCode | string | null;
  /** Of a failure, for a person. */
  errorMessage: string | null;
  /** Which message it is: the last that was made, or the one to be made. Each has an idempotency key of its own. */
  attempt: number;
  messageId: string | null;
  numberId: string | null;
  /** The digits to which it goes, where the network has others than {@link id}. */
  address: number | null;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  repliedAt: number | null;
  optedOutAt: number | null;
}

type NewRecipient = Pick<Recipient, 'id' | 'contactId' | 'state' | 'variant' | 'zone' | 'values' | 'reason'>;

type SameInRow = Omit<Recipient, 'state' | 'values'>;
type Row = RowOf<SameInRow> & { state: number; vals: string | null };

/** Rows that one page of a list looks at. */
const lookedAtMax = 10_000;

export interface RecipientFilter {
  status: RecipientStatus | 'replied' | 'opted_out' | null;
}

/** The recipients of a campaign, a row each, under their phone numbers: so nobody is there twice. */
export class RecipientRows extends Tables {
  /** False: the campaign has them already. */
  insert({ id, contactId, state, variant, zone, values, reason }: NewRecipient): boolean {
    const json = Object.keys(values).length === 0 ? null : JSON.stringify(values);
    return this.queryAny(
      `INSERT INTO recipients (id, contact_id, state, variant, zone, vals, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO NOTHING RETURNING 1`,
      id,
      contactId,
      stateCodes[state],
      variant,
      zone,
      json,
      reason,
    );
  }

  find(id: number): Recipient | null {
    return this.queryAll<Row>('SELECT * FROM recipients WHERE id = ?', id).map(recipientOf)[0] ?? null;
  }

  /** By their phone number, also as the network has it, or by an alias as `<digits>@lid`; null: the campaign is not for them. */
  at(address: string): Recipient | null {
    const id = recipientIdOf(address);
    const query = 'SELECT * FROM recipients WHERE address = ?';
    return id === null ? null : (this.find(id) ?? this.queryAll<Row>(query, id).map(recipientOf)[0] ?? null);
  }

  /**
   * Everybody who is the person with these digits: under these themselves, as the network has told, or as the numbering plan
   * says. `address`: the digits that the network has for them, where those are others.
   */
  ofPerson(id: number, address: number | null = null): Recipient[] {
    const forms = id < aliasesFrom ? formsOf(String(id)).map(Number) : [];
    const digits = JSON.stringify([...new Set([id, ...forms, ...(address === null ? [] : [address])])]);
    return this.queryAll<Row>(
      `SELECT * FROM recipients WHERE id IN (SELECT value FROM json_each(?1))
         UNION SELECT * FROM recipients WHERE address IN (SELECT value FROM json_each(?1))`,
      digits,
    ).map(recipientOf);
  }

  /** Whose message it is, of those who are known by an alias: events name them by whatever is known by then. */
  ofAlias(messageId: string): Recipient | null {
    const query = `SELECT * FROM recipients WHERE message_id = ? AND id >= ${aliasesFrom}`;
    return this.queryAll<Row>(query, messageId).map(recipientOf)[0] ?? null;
  }

  /** Stores what has changed of somebody. */
  save(recipient: Recipient): void {
    const { state, values: _, contactId: _contact, zone: _zone, ...others } = recipient;
    const row = { ...rowOf<typeof others>(others), state: stateCodes[state] };
    updateRow(this.sql, 'recipients', ['id'], { id: recipient.id }, row);
  }

  /** The same, and counts whom it has brought into another state. */
  change(tally: Tally, recipient: Recipient, changes: Partial<Recipient>): void {
    const changed = { ...recipient, ...changes };
    this.save(changed);
    count(tally, recipient.state, changed.state, changed.variant);
  }

  /** Somebody who waits turned out to be another recipient. */
  drop(tally: Tally, { id, state }: Recipient): void {
    this.sql.exec('DELETE FROM recipients WHERE id = ?', id);
    tally.states[state] -= 1;
  }

  /** Those of some zones whose turn it is. */
  next(zones: readonly number[], limit: number): Recipient[] {
    const found: Recipient[] = [];
    for (const zone of zones) {
      if (found.length >= limit) break;
      const query = 'SELECT * FROM recipients WHERE state = 0 AND zone = ? ORDER BY id LIMIT ?';
      found.push(...this.queryAll<Row>(query, zone, limit - found.length).map(recipientOf));
    }
    return found;
  }

  /** Those in a state behind `after`, in the order of their ids. */
  inState(state: RecipientState, after: number, limit: number): Recipient[] {
    // The planner uses a partial index only where the query says its condition literally.
    const condition = `state = ${stateCodes[state]}`;
    return this.queryAll<Row>(
      `SELECT * FROM recipients WHERE ${condition} AND id > ? ORDER BY id LIMIT ?`,
      after,
      limit,
    ).map(recipientOf);
  }

  /** All of them one after the other, behind `after`, null: from the first one on. `nextAfter` null: these are the last. */
  walk(after: number | null, limit: number): { recipients: Recipient[]; nextAfter: number | null } {
    const query = 'SELECT * FROM recipients WHERE id > ? ORDER BY id LIMIT ?';
    const rows = this.queryAll<Row>(query, after ?? Number.MIN_SAFE_INTEGER, limit);
    const last = rows.length < limit ? undefined : rows.at(-1);
    return { recipients: rows.map(recipientOf), nextAfter: last?.id ?? null };
  }

  /** Whether a message has failed for another reason than these, of somebody who was not erased. */
  hasFailed(except: readonly string[]): boolean {
    const query = `SELECT 1 FROM recipients WHERE state = ${stateCodes.failed} AND id >= 0
      AND coalesce(reason, '') NOT IN (SELECT value FROM json_each(?)) LIMIT 1`;
    return this.queryAny(query, JSON.stringify(except));
  }

  /** The zones that somebody still waits in. */
  zonesWaiting(): number[] {
    return this.queryValues<number>('SELECT DISTINCT zone FROM recipients WHERE state = 0');
  }

  /** Messages that are under way, by number. */
  underWay(): Map<string, number> {
    const found = this.queryAll<{ number_id: string; n: number }>(
      'SELECT number_id, count(*) AS n FROM recipients WHERE state = 2 GROUP BY number_id',
    );
    return new Map(found.map(({ number_id, n }) => [number_id, n] as const));
  }

  /** Of the messages that left between two times, how many there are, and how many have arrived. */
  arrivals(from: number, to: number): { sent: number; arrived: number } {
    return this.queryOne<{ sent: number; arrived: number }>(
      `SELECT count(*) AS sent, count(*) FILTER (WHERE state > 3) AS arrived FROM recipients
         WHERE sent_at BETWEEN ? AND ? AND state IN (3, 4, 5)`,
      ...[from, to],
    );
  }

  /** In the order of their phone numbers, aliases last, behind `after`. A page may be short and have a next one all the same. */
  page(
    { status }: RecipientFilter,
    limit: number,
    after: number | null,
  ): { recipients: Recipient[]; nextAfter: number | null } {
    const condition = conditionOf(status);
    const rows = this.queryAll<Row>(
      `SELECT * FROM (SELECT * FROM recipients WHERE id > ? ORDER BY id LIMIT ${lookedAtMax}) WHERE ${condition} LIMIT ?`,
      after ?? Number.MIN_SAFE_INTEGER,
      limit + 1,
    );
    const recipients = rows.slice(0, limit).map(recipientOf);
    if (rows.length > limit) return { recipients, nextAfter: recipients.at(-1)?.id ?? null };
    const nextAfter = this.queryValue<number>(
      `SELECT id FROM recipients WHERE id > ? ORDER BY id LIMIT 1 OFFSET ${lookedAtMax - 1}`,
      after ?? Number.MIN_SAFE_INTEGER,
    );
    return { recipients, nextAfter };
  }

  /** Nothing tells any more who it was; the row stays, and counts. */
  forget(id: number): void {
    const least = this.queryOne<{ id: number }>('SELECT coalesce(min(id), 0) AS id FROM recipients').id;
    this.sql.exec(
      'UPDATE recipients SET id = ?, address = NULL, contact_id = NULL, vals = NULL, error_message = NULL WHERE id = ?',
      Math.min(least, 0) - 1,
      id,
    );
  }
}

function conditionOf(status: RecipientFilter['status']): string {
  switch (status) {
    case null:
      return 'true';
    case 'replied':
      return 'replied_at IS NOT NULL';
    case 'opted_out':
      return 'opted_out_at IS NOT NULL';
    case 'pending':
      return `state IN (${stateCodes.pending}, ${stateCodes.held})`;
    default:
      return `state = ${stateCodes[status]}`;
  }
}

function recipientOf({ state, vals, ...row }: Row): Recipient {
  const values = vals === null ? {} : JSON.parse(vals);
  return { ...fieldsOf<SameInRow>(row), state: stateOf(state), values };
}

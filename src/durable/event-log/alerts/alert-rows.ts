import type { AlertKind } from '../../../contract/alerts/alerts.ts';
import { earliest } from '../../due-times.ts';
import { derivedUuid } from '../../new-ids.ts';
import { fieldsOf, type RowOf, Tables } from '../../storage/rows.ts';
import { isEndTold, type ToldAlert } from './deliveries/alert-order.ts';

/** What the owner of an account has to be told. Times are milliseconds since 1970. */
export interface Alert extends ToldAlert {
  /** When somebody said that they know of it. */
  acknowledgedAt: number | null;
}

/** An alert with the channels that were told of it. */
export interface AlertToEnd extends Alert {
  told: string[];
}

/** A trouble as it is seen. */
export interface Trouble {
  kind: AlertKind;
  subject: string;
  at: number;
  detail: Alert['detail'];
  /** When it is over by itself. */
  endsAt?: number;
  /** It is over already: told for its own sake. */
  isOver?: boolean;
}

/** Beside the alert: whom it was told, and when it is to be. */
type Telling = Record<'ends_at' | 'tell_at' | 'tell_end_at' | 'announced_at', number | null>;
type Row = RowOf<Alert> & Telling & { told: string | null };

/** A trouble that lasts. */
interface OpenTrouble {
  kind: AlertKind;
  subject: string;
  at: number;
  endsAt: number | null;
}

/** Alerts of an account that are kept. */
const keptMax = 1_000;

const alertOf = ({ ends_at, tell_at, tell_end_at, announced_at, told, ...row }: Row): Alert =>
  fieldsOf<Alert>(row, ['detail']);

const nameOf = (kind: AlertKind, subject: string) => `${kind} ${subject}`;

/**
 * The table of alerts: one problem is one alert, however often it is seen. Call methods that write inside a transaction. Open
 * alerts are in memory too, so that looking for them costs nothing.
 */
export class AlertRows extends Tables {
  /** What comes within this time of one another is told together. */
  readonly #gatherMs: number;
  readonly #changed: () => void;
  readonly #open = new Map<string, OpenTrouble>();
  #tellAt: number | null = null;

  /** `changed` hears of every alert that begins, ends or is acknowledged, inside the transaction. */
  constructor(sql: SqlStorage, gatherMs: number, changed: () => void) {
    super(sql);
    this.#gatherMs = gatherMs;
    this.#changed = changed;
    this.reload();
  }

  /** When the channels are to be told of something; null: of nothing. */
  get tellAt(): number | null {
    return this.#tellAt;
  }

  get open(): readonly OpenTrouble[] {
    return [...this.#open.values()];
  }

  isOpen(kind: AlertKind, subject: string): boolean {
    return this.#open.has(nameOf(kind, subject));
  }

  /** A trouble is there: a new alert, or the one that stands for it gets the newest detail. To repeat it changes nothing. */
  raise({ kind, subject, at, detail, endsAt, isOver = false }: Trouble): void {
    const json = JSON.stringify(detail);
    if (this.isOpen(kind, subject)) {
      this.sql.exec(
        'UPDATE alerts SET detail = ? WHERE kind = ? AND subject = ? AND ended_at IS NULL',
        ...[json, kind, subject],
      );
      return;
    }
    const id = derivedUuid(at, kind, subject);
    const isNew = this.queryAny(
      `INSERT INTO alerts (id, kind, subject, at, detail, ended_at, ends_at, tell_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING 1`,
      ...[id, kind, subject, at, json, isOver ? at : null, endsAt ?? null, this.#soon()],
    );
    if (!isNew) return;
    if (!isOver) this.#open.set(nameOf(kind, subject), { kind, subject, at, endsAt: endsAt ?? null });
    this.#dropOldest();
    this.#changed();
  }

  /** The troubles of these kinds are over; those that were there. */
  end(kinds: readonly AlertKind[], subject: string, at: number): OpenTrouble[] {
    return kinds.flatMap((kind) => {
      const trouble = this.#open.get(nameOf(kind, subject));
      if (trouble === undefined) return [];
      this.sql.exec(
        `UPDATE alerts SET ended_at = max(at, ?), tell_end_at = iif(tell_at IS NULL AND told <> '[]', ?, NULL),
           tell_at = iif(tell_at > ?, NULL, tell_at)
         WHERE kind = ? AND subject = ? AND ended_at IS NULL`,
        // What was put off is over before anybody was told.
        ...[at, isEndTold(kind) ? this.#soon() : null, Date.now() + this.#gatherMs, kind, subject],
      );
      this.#open.delete(nameOf(kind, subject));
      this.#changed();
      return [trouble];
    });
  }

  /** Somebody knows of it; the first one who said so stands. Null: there is no such alert. */
  acknowledge(id: string, by: string, at: number): Alert | null {
    this.sql.exec(
      'UPDATE alerts SET acknowledged_at = ?, acknowledged_by = ? WHERE id = ? AND acknowledged_at IS NULL',
      ...[at, by, id],
    );
    this.#changed();
    return this.find(id);
  }

  /**
   * What alerts are about goes by another id now; also in the messages to channels, which have them as they were, and which may
   * be kept for longer.
   */
  readdress(subject: string, id: string): void {
    const [kind = '', before = ''] = subject.split(':');
    this.sql.exec(
      'UPDATE alerts SET subject = ?, detail = replace(detail, ?, ?) WHERE subject = ?',
      ...[`${kind}:${id}`, before, id, subject],
    );
    this.sql.exec(
      'UPDATE alert_deliveries SET alerts = replace(alerts, ?1, ?2) WHERE instr(alerts, ?1) > 0',
      ...[before, id],
    );
  }

  /** What this is called is known no more, also in the messages to channels. */
  forgetName(subject: string): void {
    this.sql.exec("UPDATE alerts SET detail = json_remove(detail, '$.name') WHERE subject = ?", subject);
    this.sql.exec(
      `UPDATE alert_deliveries SET alerts = (SELECT json_group_array(json(
           iif(value ->> '$.subject' = ?1, json_remove(value, '$.detail.name'), value))) FROM json_each(alerts))
         WHERE instr(alerts, ?1) > 0`,
      subject,
    );
    this.#changed();
  }

  find(id: string): Alert | null {
    return this.queryAll<Row>('SELECT * FROM alerts WHERE id = ?', id).map(alertOf)[0] ?? null;
  }

  /** Newest first, those with an id below `before`; `isOpen`: those that last, or those that are over. */
  newest(limit: number, before: string | null, isOpen: boolean | null): Alert[] {
    const select = `SELECT * FROM alerts WHERE (?1 IS NULL OR id < ?1) AND (?2 IS NULL OR (ended_at IS NULL) = ?2)
      ORDER BY id DESC LIMIT ?3`;
    const wanted = isOpen === null ? null : Number(isOpen);
    return this.queryAll<Row>(select, before, wanted, limit).map(alertOf);
  }

  /** Those whose channels are to be told now, oldest first. */
  toTell(now: number): Alert[] {
    return this.queryAll<Row>('SELECT * FROM alerts WHERE tell_at <= ? ORDER BY at, id', now).map(alertOf);
  }

  /** Those whose channels are to be told now that they are over, oldest first. */
  endsToTell(now: number): AlertToEnd[] {
    return this.queryAll<Row>('SELECT * FROM alerts WHERE tell_end_at <= ? ORDER BY at, id', now).map(
      (row) => ({ ...alertOf(row), told: JSON.parse(row.told ?? '[]') }),
    );
  }

  /** These channels were told. */
  noteTold(id: string, channelIds: readonly string[], now: number): void {
    const set = 'UPDATE alerts SET tell_at = NULL, told = ?, announced_at = ? WHERE id = ?';
    this.sql.exec(set, JSON.stringify(channelIds), now, id);
  }

  noteEndTold(id: string): void {
    this.sql.exec('UPDATE alerts SET tell_end_at = NULL WHERE id = ?', id);
  }

  /** Nobody is told before then. */
  putOff(id: string, until: number): void {
    this.sql.exec('UPDATE alerts SET tell_at = ? WHERE id = ?', until, id);
  }

  /**
   * What was put off is looked at again, except what waits for one of these times: whoever muted it may have changed their mind,
   * or the clock was set back.
   */
  lookAgain(now: number, except: readonly number[] = []): void {
    const soon = now + this.#gatherMs;
    this.sql.exec(
      'UPDATE alerts SET tell_at = ?1 WHERE tell_at > ?1 AND tell_at NOT IN (SELECT value FROM json_each(?2))',
      ...[soon, JSON.stringify(except)],
    );
    this.sql.exec('UPDATE alerts SET tell_end_at = ?1 WHERE tell_end_at > ?1', soon);
    this.lookWhenToTell();
  }

  /** Call after changes of what is to be told. */
  lookWhenToTell(): void {
    const select = 'SELECT min(tell_at) AS first, min(tell_end_at) AS ends FROM alerts';
    const { first, ends } = this.queryOne<{ first: number | null; ends: number | null }>(select);
    this.#tellAt = earliest([first, ends]);
  }

  /** What began, ended or lasted since then, newest first. */
  since(at: number, rowsMax: number): Alert[] {
    const select = `SELECT * FROM alerts WHERE at >= ?1 OR ended_at >= ?1 OR ended_at IS NULL ORDER BY id DESC LIMIT ?2`;
    return this.queryAll<Row>(select, at, rowsMax).map(alertOf);
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#open.clear();
    for (const row of this.sql.exec<Row>('SELECT * FROM alerts WHERE ended_at IS NULL')) {
      const { kind, subject, at } = row;
      this.#open.set(nameOf(kind, subject), { kind, subject, at, endsAt: row.ends_at });
    }
    this.lookWhenToTell();
  }

  /** Once others that come at the same time have come. */
  #soon(): number {
    const at = Date.now() + this.#gatherMs;
    this.#tellAt = Math.min(this.#tellAt ?? at, at);
    return at;
  }

  #dropOldest(): void {
    const dropped = this.queryAll<{ kind: AlertKind; subject: string; ended_at: number | null }>(
      `DELETE FROM alerts WHERE id <= (SELECT id FROM alerts ORDER BY id DESC LIMIT 1 OFFSET ?)
         RETURNING kind, subject, ended_at`,
      keptMax,
    );
    for (const { kind, subject, ended_at } of dropped) {
      if (ended_at === null) this.#open.delete(nameOf(kind, subject));
    }
  }
}

import type { SenderReport } from '../../hand-over/number-news.ts';
import { fieldsOf, insertRow, type RowOf, rowOf, Tables } from '../../storage/rows.ts';
import { canSend, leftToday, newSender, type Sender, type SenderLoad, shownHealth } from './sender.ts';

type SameInRow = Omit<Sender, 'turn'>;
type Row = RowOf<SameInRow> & { turn_start: number; turn_end: number };

/**
 * The account's numbers as senders, a row each, all of them in memory. Who changes one saves it in the same transaction.
 */
export class Senders extends Tables {
  readonly #senders = new Map<string, Sender>();
  readonly #watchers: Set<string>[] = [];
  /** Which numbers have been linked to a phone number. */
  readonly #byPhone = new Map<string, Set<string>>();

  constructor(sql: SqlStorage) {
    super(sql);
    this.reload();
  }

  /** After a transaction that was rolled back, and at the beginning of a life. */
  reload(): void {
    this.#senders.clear();
    this.#byPhone.clear();
    for (const row of this.sql.exec<Row>('SELECT * FROM senders')) {
      const sender = senderOf(row);
      this.#senders.set(row.number_id, sender);
      this.#notePhone(sender);
      this.noteChanged(row.number_id);
    }
  }

  /** The number, also one that has said nothing yet. */
  of(numberId: string): Sender {
    const known = this.#senders.get(numberId);
    if (known) return known;
    const sender = newSender(numberId);
    this.#senders.set(numberId, sender);
    return sender;
  }

  /** The number of the account that is linked to this phone number; null when none is. One that was deleted is none. */
  linkedTo(phoneNumber: string, existing: { has(numberId: string): boolean }): string | null {
    for (const numberId of this.#byPhone.get(phoneNumber) ?? []) {
      const report = this.#senders.get(numberId)?.report;
      if (isLinked(report) && report.phoneNumber === phoneNumber && existing.has(numberId)) return numberId;
    }
    return null;
  }

  get all(): Iterable<Sender> {
    return this.#senders.values();
  }

  /** The ids of numbers that change from now on are put into this set; whoever asked for it takes them out. */
  watch(): Set<string> {
    const changed = new Set(this.#senders.keys());
    this.#watchers.push(changed);
    return changed;
  }

  save(sender: Sender): void {
    const { turn, ...fields } = sender;
    const row = { ...rowOf<SameInRow>(fields), turn_start: turn.start, turn_end: turn.end };
    insertRow(this.sql, 'INSERT OR REPLACE INTO senders', row);
    this.#notePhone(sender);
    this.noteChanged(sender.numberId);
  }

  /** Something else about the number is another than before. */
  noteChanged(numberId: string): void {
    for (const watcher of this.#watchers) watcher.add(numberId);
  }

  #notePhone({ numberId, report }: Sender): void {
    if (!isLinked(report) || report.phoneNumber === null) return;
    const numbers = this.#byPhone.get(report.phoneNumber) ?? new Set();
    this.#byPhone.set(report.phoneNumber, numbers.add(numberId));
  }

  /** Each number as it last reported itself. */
  reports(now: number): Record<string, SenderReport> {
    const entries = [...this.#senders.values()].flatMap(({ numberId, report }) =>
      report === null ? [] : [[numberId, { ...report, health: shownHealth(report.health, now) }] as const],
    );
    return Object.fromEntries(entries);
  }

  /** What each number has to send, and may. */
  loads(): Record<string, SenderLoad> {
    const entries = [...this.#senders.values()].map((sender) => {
      const left = leftToday(sender);
      const load = { waiting: sender.backlog, dailyRemaining: left === null ? null : Math.max(0, left) };
      return [sender.numberId, load] as const;
    });
    return Object.fromEntries(entries);
  }
}

/**
 * Stores a report, unless a newer one is stored. The report's room and daily limit count only if it knows of every batch that
 * has got a response, since a response may have overtaken it.
 */
export function takeReport(sender: Sender, report: SenderReport, now: number): void {
  if (sender.report && report.revision < sender.report.revision) return;
  sender.report = report;
  sender.awaySince = canSend(sender) ? null : (sender.awaySince ?? now);
  if (report.takenUpTo < sender.takenUpTo) return;
  const { takenUpTo, room, dailyRemaining } = report;
  Object.assign(sender, { takenUpTo, room, dailyRemaining });
}

const isLinked = (report: SenderReport | null | undefined): report is SenderReport =>
  report?.state === 'connected' || report?.state === 'disconnected';

function senderOf({ turn_start: start, turn_end: end, ...row }: Row): Sender {
  return { ...fieldsOf<SameInRow>(row, ['report', 'batch']), turn: { start, end } };
}

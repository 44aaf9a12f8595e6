import { Tables } from '../../storage/rows.ts';
/** Which of the account's numbers have had which phone numbers: a phone number can move to another number. */
export class OwnPhones extends Tables {
  #numbers = new Map<string, Set<string>>();

  constructor(sql: SqlStorage) {
    super(sql);
    this.reload();
  }

  /** Call it inside a transaction. */
  note(phone: string | null, numberId: string): void {
    if (phone === null || phone === '' || this.#numbers.get(phone)?.has(numberId)) return;
    this.sql.exec('INSERT OR IGNORE INTO own_phones (phone, number_id) VALUES (?, ?)', phone, numberId);
    this.#add(phone, numberId);
  }

  numbersOf(phone: string): string[] {
    return [...(this.#numbers.get(phone) ?? [])];
  }

  /** At the beginning of a life, and after a transaction that was rolled back. */
  reload(): void {
    this.#numbers = new Map();
    const rows = this.sql.exec<{ phone: string; number_id: string }>('SELECT * FROM own_phones');
    for (const { phone, number_id } of rows) this.#add(phone, number_id);
  }

  #add(phone: string, numberId: string): void {
    const numbers = this.#numbers.get(phone) ?? new Set();
    this.#numbers.set(phone, numbers.add(numberId));
  }
}

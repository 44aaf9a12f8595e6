import type { Refusal } from '../../../contract/errors.ts';
import { log, logFault, shortNumber } from '../../log.ts';
import { SweptTable } from '../../storage/housekeeping.ts';
import type { SendCounts } from '../admission/send-counts.ts';

/** How long an answer of the network is believed: people leave seldom, and who is missing may come any day. */
const presentForMs = 30 * 24 * 3600 * 1000;
const missingForMs = 24 * 3600 * 1000;

/** What the network has said about recipients. */
export class RecipientChecks extends SweptTable {
  constructor(sql: SqlStorage) {
    super(sql, {
      table: 'recipient_checks',
      key: 'phone_number',
      // By which digits the network knows somebody stays true.
      isOver: 'at < ?1 AND address IS NULL',
      keptMs: presentForMs,
    });
  }

  /** Whether the recipient is on the network; null when that is not known, or not any more. */
  known(phoneNumber: string, now: number): boolean | null {
    const row = this.queryFirst<{ on_network: number; at: number }>(
      'SELECT on_network, at FROM recipient_checks WHERE phone_number = ?',
      phoneNumber,
    );
    if (!row) return null;
    const onNetwork = row.on_network === 1;
    return now - row.at < (onNetwork ? presentForMs : missingForMs) ? onNetwork : null;
  }

  /** The other digits by which the network knows them; null: it knows them by these, or has not said. */
  addressOf(phoneNumber: string): string | null {
    const query = 'SELECT address FROM recipient_checks WHERE phone_number = ?';
    return this.queryValue<string>(query, phoneNumber);
  }

  /** All digits of a recipient of whom these are some: those of the network first, and those that were dialled. */
  digitsOf(phoneNumber: string): string[] {
    const address = this.addressOf(phoneNumber) ?? phoneNumber;
    const query = 'SELECT phone_number FROM recipient_checks WHERE address = ?';
    return [address, ...this.queryValues<string>(query, address)];
  }

  /** `address`: the digits by which the network knows them, where those are others. */
  note(phoneNumber: string, onNetwork: boolean, now: number, address: string | null = null): void {
    const isOther = address !== null && address !== phoneNumber;
    this.sql.exec(
      'INSERT OR REPLACE INTO recipient_checks (phone_number, on_network, at, address) VALUES (?, ?, ?, ?)',
      ...[phoneNumber, onNetwork ? 1 : 0, now, isOther ? address : null],
    );
    // Under their own digits nothing has to be asked of them.
    if (isOther) this.note(address, onNetwork, now);
  }

  forget(phoneNumber: string): void {
    this.sql.exec('DELETE FROM recipient_checks WHERE phone_number = ?1 OR address = ?1', phoneNumber);
  }
}

/** `address`: the digits by which the network knows them, where those are others. */
type Answer = { ok: true; onNetwork: boolean; address?: string | undefined } | Refusal;

/** Questions to the network about recipients: one at a time about each, counted against the asking number's day. */
export class LookUps {
  readonly #checks: RecipientChecks;
  readonly #counts: SendCounts;
  readonly #ask: (numberId: string, phoneNumber: string) => Promise<Answer>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(
    checks: RecipientChecks,
    counts: SendCounts,
    ask: (numberId: string, phoneNumber: string) => Promise<Answer>,
  ) {
    this.#checks = checks;
    this.#counts = counts;
    this.#ask = ask;
  }

  /** Asks about a recipient through a number and keeps the answer. Never throws: what cannot be asked stays unknown. */
  lookUp(phoneNumber: string, numberId: string): Promise<void> {
    const running = this.#running.get(phoneNumber);
    if (running) return running;
    const lookUp = this.#lookUp(phoneNumber, numberId).finally(() => this.#running.delete(phoneNumber));
    this.#running.set(phoneNumber, lookUp);
    return lookUp;
  }

  async #lookUp(phoneNumber: string, numberId: string): Promise<void> {
    this.#counts.noteCheck(numberId, Date.now());
    try {
      const answer = await this.#ask(numberId, phoneNumber);
      if (answer.ok) this.#checks.note(phoneNumber, answer.onNetwork, Date.now(), answer.address);
      const outcome = answer.ok ? { onNetwork: answer.onNetwork } : { code: answer.code };
      log('recipient.looked_up', { numberId, phoneNumber: shortNumber(phoneNumber), ...outcome });
    } catch (error) {
      logFault('recipient.look_up_failed', error, { numberId });
    }
  }
}

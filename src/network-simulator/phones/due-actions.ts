import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { sendPhoneReceipt } from '../routing/receipts.ts';
import type { PhoneAction } from './phone-action.ts';
import { writeText } from './phone-writing.ts';

/** What phones are to do later. It stands on disk until it is done, so a restart in between forgets nothing. */
export class DueActions {
  readonly #network: () => Network;
  readonly #timers = new Set<NodeJS.Timeout>();
  #closed = false;

  /** The network is asked for when it is needed: it holds this object in turn. */
  constructor(network: () => Network) {
    this.#network = network;
  }

  schedule(user: User, delayMs: number, action: PhoneAction): void {
    if (delayMs <= 0 && action.kind === 'receipt') {
      this.#sendReceipt(user, action);
      return;
    }
    const { rowId } = this.#network().store.write(
      'INSERT INTO due_actions (due_at, user_id, action) VALUES (?, ?, ?)',
      Date.now() + delayMs,
      user.id,
      JSON.stringify(action),
    );
    this.#arm(rowId, user, delayMs, action);
  }

  /** Takes up what an earlier process left undone; what is overdue is done at once. */
  resume(): void {
    for (const row of this.#network().store.all('SELECT * FROM due_actions ORDER BY due_at, seq')) {
      const user = this.#network().users.byId(Number(row.user_id));
      const delayMs = Math.max(0, Number(row.due_at) - Date.now());
      if (user) this.#arm(Number(row.seq), user, delayMs, JSON.parse(String(row.action)) as PhoneAction);
    }
  }

  close(): void {
    this.#closed = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #arm(seq: number, user: User, delayMs: number, action: PhoneAction): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#perform(user, action)
        .catch((error: unknown) => {
          this.#network().log.warn({ reason: String(error) }, 'phone.action-failed');
        })
        .then(() => {
          if (!this.#closed) this.#network().store.write('DELETE FROM due_actions WHERE seq = ?', seq);
        });
    }, delayMs);
    this.#timers.add(timer);
  }

  async #perform(user: User, action: PhoneAction): Promise<void> {
    if (action.kind === 'receipt') {
      this.#sendReceipt(user, action);
      return;
    }
    const target = action.groupId ?? this.#network().users.byId(action.senderId)?.phone;
    if (target) await writeText(this.#network(), user, target, action.text);
  }

  #sendReceipt(user: User, action: PhoneAction & { kind: 'receipt' }): void {
    const author = this.#network().users.byId(action.senderId);
    if (author) sendPhoneReceipt(this.#network(), user, author, action);
  }
}

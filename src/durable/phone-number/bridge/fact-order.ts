import { log } from '../../log.ts';
import { sendTo } from './bridge-link.ts';

/** How far the facts of each link have come in this life of the object, and the answers to them. */
export class FactOrder {
  readonly #numberId: () => string;
  readonly #progress = new WeakMap<WebSocket, { received: number; settled: number }>();

  constructor(numberId: () => string) {
    this.#numberId = numberId;
  }

  /**
   * Whether this fact is next. A repeat of a settled fact is acknowledged again; a repeat of a waiting one is ignored. If this
   * object has not received an earlier fact since its start, it waits for the repeat of that one, since an acknowledgement
   * would cover it too.
   */
  isNext(socket: WebSocket, { seq, after }: { seq: number; after: number }): boolean {
    const { received, settled } = this.#of(socket);
    if (seq <= settled) sendTo(socket, { type: 'fact.ack', seq });
    if (seq <= received || after > received) return false;
    this.#progress.set(socket, { received: seq, settled });
    return true;
  }

  /** Everything up to this fact is stored, here or in the log. */
  acknowledge(socket: WebSocket, seq: number): void {
    this.#progress.set(socket, { ...this.#of(socket), settled: seq });
    sendTo(socket, { type: 'fact.ack', seq });
  }

  /** A fact that can never be taken goes back to the bridge, and holds up nothing. */
  refuse(socket: WebSocket, reason: string, seq: number): void {
    log('link.fact_refused', { numberId: this.#numberId(), reason, seq });
    sendTo(socket, { type: 'fact.refused', seq, reason });
  }

  /** The link ends: the bridge says what is not settled again over its next one. */
  forget(socket: WebSocket): void {
    this.#progress.delete(socket);
  }

  #of(socket: WebSocket): { received: number; settled: number } {
    return this.#progress.get(socket) ?? { received: 0, settled: 0 };
  }
}

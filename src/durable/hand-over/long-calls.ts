import { withinDeadline } from '../deadline.ts';
import { logFault } from '../log.ts';
import type { NamedTimer } from '../named-timers.ts';

/** The platform may end an object that has had no event for about a minute, whatever it waits for. */
const wakeMs = 30_000;

interface Parts<Order> {
  name: string;
  waitUntil: (work: Promise<void>) => void;
  /** Makes a call of the Worker: an invocation of its own. */
  call: (order: Order) => Promise<void>;
  atOnceMax: number;
  /** A call that takes longer is lost. */
  callMsMax: number;
  /** A call has failed, or is lost. */
  failed?: (order: Order) => void;
  /** There is room for another call. */
  freed: () => void;
}

/**
 * Calls of the Worker that take as long as some server elsewhere. Nobody waits for them, so that one that hangs holds up no
 * other account, and of its own account not more than `atOnceMax` of them. They are only in memory: rows say what is to be done, and
 * from when on a call counts as lost.
 */
export class LongCalls<Order> {
  readonly #parts: Parts<Order>;
  readonly #underWay: Order[] = [];
  #wakeAt = 0;

  constructor(parts: Parts<Order>) {
    this.#parts = parts;
  }

  /** How many calls may begin now. */
  get room(): number {
    return this.#parts.atOnceMax - this.#underWay.length;
  }

  /** What has a call under way. A lost call counts no more, and may still answer. */
  get underWay(): readonly Order[] {
    return this.#underWay;
  }

  /** Keeps the object awake while calls are under way. */
  get timer(): NamedTimer {
    return {
      name: this.#parts.name,
      dueAt: () => (this.#underWay.length > 0 ? this.#wakeAt : null),
      run: (now) => {
        this.#wakeAt = now + wakeMs;
      },
    };
  }

  begin(orders: readonly Order[], now: number): void {
    if (this.#underWay.length === 0) this.#wakeAt = now + wakeMs;
    for (const order of orders) this.#parts.waitUntil(this.#make(order));
  }

  async #make(order: Order): Promise<void> {
    const { name, call, callMsMax, failed, freed } = this.#parts;
    this.#underWay.push(order);
    try {
      await withinDeadline(call(order), callMsMax);
    } catch (error) {
      logFault('call.lost', error, { name });
      failed?.(order);
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(order), 1);
      freed();
    }
  }
}

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
  #underWay = 0;
  #wakeAt = 0;

  constructor(parts: Parts<Order>) {
    this.#parts = parts;
  }

  /** How many calls may begin now. */
  get room(): number {
    return this.#parts.atOnceMax - this.#underWay;
  }

  /** Keeps the object awake while calls are under way. */
  get timer(): NamedTimer {
    return {
      name: this.#parts.name,
      dueAt: () => (this.#underWay > 0 ? this.#wakeAt : null),
      run: (now) => {
        this.#wakeAt = now + wakeMs;
      },
    };
  }

  begin(orders: readonly Order[], now: number): void {
    if (this.#underWay === 0) this.#wakeAt = now + wakeMs;
    for (const order of orders) this.#parts.waitUntil(this.#make(order));
  }

  async #make(order: Order): Promise<void> {
    const { name, call, callMsMax, freed } = this.#parts;
    this.#underWay += 1;
    try {
      await withinDeadline(call(order), callMsMax);
    } catch (error) {
      logFault('call.lost', error, { name });
    } finally {
      this.#underWay -= 1;
      freed();
    }
  }
}

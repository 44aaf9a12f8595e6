import { defaultAccountSettings } from '../../../contract/account-settings.ts';
import type { Configuration } from '../configuration/snapshot.ts';
import type { Backlog } from './backlog.ts';
import type { Placement } from './placement.ts';

/** Messages that one transaction gives to their numbers. */
const sliceMax = 64;

export interface ScheduleParts {
  backlog: Backlog;
  placement: Placement;
  change: <Result>(work: () => Result) => Result;
  configuration: () => Configuration | null;
}

/** Gives messages with a `sendAt` to their numbers when it has come. What their numbers cannot send moves as ever. */
export class Schedule {
  readonly #parts: ScheduleParts;
  /** Undefined: to be read. */
  #nextAt: number | null | undefined;

  constructor(parts: ScheduleParts) {
    this.#parts = parts;
  }

  /** A message was accepted that is to leave then. */
  note(sendAt: number): void {
    if (this.#nextAt !== undefined) this.#nextAt = Math.min(this.#nextAt ?? sendAt, sendAt);
  }

  dueAt(): number | null {
    if (this.#nextAt === undefined) this.#nextAt = this.#parts.backlog.nextSendAt();
    return this.#nextAt;
  }

  async run(now: number): Promise<void> {
    const { placement, change, configuration } = this.#parts;
    const { stickyHours } = configuration()?.settings ?? defaultAccountSettings;
    for (;;) {
      const released = change(() => {
        const count = placement.release(now, sliceMax, stickyHours);
        placement.finish(now);
        // Before the commit has set the alarm.
        this.reload();
        return count;
      });
      if (released < sliceMax) return;
      // Others have their turn.
      await scheduler.wait(0);
    }
  }

  /** After a change that this does not know of, and after a transaction that was rolled back. */
  reload(): void {
    this.#nextAt = undefined;
  }
}

import { clockSlackMs } from './due-times.ts';

/** Notices when the clock is set back while the object lives. */
export class ClockWatch {
  #latest = 0;

  /** Whether it was set back since the last call. */
  wentBack(now: number): boolean {
    const wentBack = now < this.#latest - clockSlackMs;
    this.#latest = now;
    return wentBack;
  }
}

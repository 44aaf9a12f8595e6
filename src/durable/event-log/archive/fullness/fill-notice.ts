import { dayMs } from '../../../../contract/times.ts';
import { log, logFault } from '../../../log.ts';
import type { LogState } from '../../log-state.ts';
import { type Fullness, sizeLimits } from './fullness.ts';

/** Percents of what an object holds of which the operator is told. */
export const fillLevels = [60, 80] as const;
/** What a log has to fall below a level before it is under it: it does not go to and fro. */
const slackPercent = 2;
const retryMs = 60_000;

interface Told {
  /** 0: it is under all of them. */
  level: number;
  at: number;
}

const toldName = 'archive.fillTold';

/**
 * Tells the operator that an object is filling up: when it passes a level, each day while it is above one, and when it is below
 * all again.
 */
export class FillNotice {
  readonly #accountId: string;
  readonly #state: LogState;
  readonly #fullness: Fullness;
  readonly #tell: (bytes: number | null) => Promise<void>;
  #told: Told;
  #restUntil = 0;

  /** `tell`: how large the log is; null: it is under all levels again. */
  constructor(
    accountId: string,
    state: LogState,
    fullness: Fullness,
    tell: (bytes: number | null) => Promise<void>,
  ) {
    this.#accountId = accountId;
    this.#state = state;
    this.#fullness = fullness;
    this.#tell = tell;
    this.#told = state.get<Told>(toldName) ?? { level: 0, at: 0 };
  }

  dueAt(): number | null {
    const { level, at } = this.#told;
    if (this.#level() !== level) return this.#restUntil;
    return level === 0 ? null : Math.max(at + dayMs, this.#restUntil);
  }

  async run(now: number): Promise<void> {
    this.#restUntil = now + retryMs;
    const level = this.#level();
    const { bytes } = this.#fullness;
    try {
      await this.#tell(level === 0 ? null : bytes);
      this.#told = { level, at: now };
      this.#state.put(toldName, this.#told);
      this.#restUntil = 0;
      log('log.filling', { accountId: this.#accountId, bytes, percent: level });
    } catch (error) {
      logFault('log.filling_not_told', error);
    }
  }

  #level(): number {
    const percent = (this.#fullness.bytes / sizeLimits.objectBytes) * 100;
    const isAbove = (level: number) => percent >= level - (level <= this.#told.level ? slackPercent : 0);
    return fillLevels.findLast(isAbove) ?? 0;
  }
}

import { dayMs } from '../../../contract/times.ts';
import { endOfWait } from '../../due-times.ts';
import { log, logFault } from '../../log.ts';
import { Tables } from '../../storage/rows.ts';
import type { LogState } from '../log-state.ts';

/** An object holds 10 GB. Tests make all of it small. */
export const sizeLimits = {
  /** A log that is larger gives away more than what is too old, the oldest of it first... */
  bytesMax: 4_500_000_000,
  /** ...but above what cannot go, what can has so much room at least, as long as there is as much left. */
  roomBytes: 1_000_000_000,
  /** Only a log that is larger than this gives away what is younger than a day. */
  pressingBytes: 8_000_000_000,
  objectBytes: 10_000_000_000,
};

/** `full`: rows older than a day are archived, the oldest first. `pressing`: rows older than an hour are archived too. */
export type Pressure = 'none' | 'full' | 'pressing';

const staysName = 'archive.stays';

/**
 * How full a log is, counting only what can be archived. If a log is too large and has nothing more to archive, the rest is not
 * counted from then on: the log is full again only when new rows fill it.
 */
export class Fullness extends Tables {
  readonly #state: LogState;
  /** What was left when nothing more could go; 0: that was never so. Never more than there is. */
  #stays: number;

  constructor(sql: SqlStorage, state: LogState) {
    super(sql);
    this.#state = state;
    this.#stays = state.get<number>(staysName) ?? 0;
  }

  get bytes(): number {
    return this.sql.databaseSize;
  }

  get pressure(): Pressure {
    const { bytes } = this;
    const { bytesMax, roomBytes, pressingBytes, objectBytes } = sizeLimits;
    this.#stays = Math.min(this.#stays, bytes);
    const room = Math.min(roomBytes, Math.max(0, objectBytes - this.#stays) / 2);
    if (bytes <= Math.max(bytesMax, this.#stays + (this.#stays > 0 ? room : 0))) return 'none';
    return bytes > pressingBytes ? 'pressing' : 'full';
  }

  /** Nothing more may go. */
  foundNothing(): void {
    if (this.pressure === 'none') return;
    this.#stays = this.bytes;
    this.#state.put(staysName, this.#stays);
  }
}

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
    const restUntil = endOfWait(this.#restUntil, retryMs);
    if (this.#level() !== level) return restUntil;
    return level === 0 ? null : Math.max(endOfWait(at + dayMs, dayMs), restUntil);
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

import type { LogState } from '../../log-state.ts';

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
export class Fullness {
  readonly #sql: SqlStorage;
  readonly #state: LogState;
  /** What was left when nothing more could go; 0: that was never so. Never more than there is. */
  #stays: number;

  constructor(sql: SqlStorage, state: LogState) {
    this.#sql = sql;
    this.#state = state;
    this.#stays = state.get<number>(staysName) ?? 0;
  }

  get bytes(): number {
    return this.#sql.databaseSize;
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

import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { addressBlock } from '../../http/request/address-block.ts';

/** So long an address waits once it has failed too often; then it is looked again. */
const waitMs = 10_000;
const waitsMax = 20_000;

/** The network addresses that have failed too often. Of this process alone: what is forgotten is only counted once more. */
export class AddressWaits {
  readonly #waits = new LRUCache<string, number>({ max: waitsMax });

  get isEmpty(): boolean {
    return this.#waits.size === 0;
  }

  /** 429 for an address that waits; null for every other, and where the address is not known. */
  refusal(address: string | null): Refusal | null {
    const until = address === null ? undefined : this.#waits.get(addressBlock(address));
    return until === undefined || until <= Date.now() ? null : tooMany(until);
  }

  /** From now on it waits; what it is answered. */
  begin(address: string): Refusal {
    const until = Date.now() + waitMs;
    this.#waits.set(addressBlock(address), until);
    return tooMany(until);
  }
}

function tooMany(until: number): Refusal {
  return refuse(
    'RATE_LIMITED',
    'Too many wrong credentials came from your network address: try again later.',
    {
      retryAfterSeconds: Math.ceil((until - Date.now()) / 1000),
    },
  );
}

/** As the platform's counter has it in `wrangler.toml`. */
const failuresMax = 60;
const failuresWindowMs = 60_000;
const addressesMax = 20_000;
/** So many a second have a line each in the log. More than that is a flood. */
const linesPerSecond = 10;

/**
 * Counts the forged credentials that this process has received, by address and in total. Each process counts by itself:
 * calling the platform's counter would cost more than the refusal.
 */
export class ForgedCredentials {
  readonly waits = new AddressWaits();
  readonly #failures = new LRUCache<string, { count: number; until: number }>({ max: addressesMax });
  readonly #lines = { second: 0, count: 0 };

  /** Whether any may be refused by {@link refusalAtOnce}: where not, nothing need be looked at. */
  get isAnyRefusedAtOnce(): boolean {
    return !this.waits.isEmpty || this.#isFlood();
  }

  /**
   * The response to a forged credential that needs no line in the log: 429 if its address has to wait, and in a flood the
   * response that {@link failed} gives. Null for every other; with `refusal` null in a flood too.
   */
  refusalAtOnce(address: string | null, refusal: Refusal | null): Refusal | null {
    const waiting = this.waits.refusal(address);
    if (waiting !== null || refusal === null || !this.#isFlood()) return waiting;
    return this.failed(address, refusal);
  }

  /** One has failed: `refusal`, or 429 when that came too often from its address, which waits from now on. */
  failed(address: string | null, refusal: Refusal): Refusal {
    if (address === null) return refusal;
    const now = Date.now();
    const block = addressBlock(address);
    const known = this.#failures.get(block);
    const failures = known && known.until > now ? known : { count: 0, until: now + failuresWindowMs };
    failures.count += 1;
    this.#failures.set(block, failures);
    return failures.count <= failuresMax ? refusal : this.waits.begin(address);
  }

  /** Whether one more has a line of its own in the log; a flood fills no log, from however many addresses it comes. */
  takeLine(): boolean {
    if (this.#isFlood()) return false;
    const second = currentSecond();
    if (this.#lines.second !== second) Object.assign(this.#lines, { second, count: 0 });
    this.#lines.count += 1;
    return true;
  }

  #isFlood(): boolean {
    return this.#lines.second === currentSecond() && this.#lines.count >= linesPerSecond;
  }
}

const currentSecond = () => Math.floor(Date.now() / 1000);

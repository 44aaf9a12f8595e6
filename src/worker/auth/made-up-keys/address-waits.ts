import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import { addressBlock } from '../../http/request/address-block.ts';

/** So long an address waits once it has failed too often; then it is looked again. */
const waitMs = 10_000;
const addressesMax = 20_000;

/** The network addresses that have failed too often. Of this process alone: what is forgotten is only counted once more. */
export class AddressWaits {
  readonly #waits = new LRUCache<string, number>({ max: addressesMax });

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
  return refuse('RATE_LIMITED', 'Too many wrong credentials came from your network address: try later.', {
    retryAfterSeconds: Math.ceil((until - Date.now()) / 1000),
  });
}

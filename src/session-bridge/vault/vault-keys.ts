import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/**
 * The keys of a deployment's vaults: `VAULT_KEY` seals, and `VAULT_KEY_PREVIOUS` still opens what it has sealed. Neither is
 * used for an entry itself. Each number has a key that is derived from it, so that the random nonces of different numbers
 * never collide under one key.
 */
export class VaultKeys {
  readonly current: VaultKey;
  readonly previous: VaultKey | null;

  constructor(current: Uint8Array, previous: Uint8Array | null = null) {
    this.current = new VaultKey(current, 'VAULT_KEY');
    this.previous = previous && new VaultKey(previous, 'VAULT_KEY_PREVIOUS');
  }

  get all(): VaultKey[] {
    return this.previous ? [this.current, this.previous] : [this.current];
  }
}

const idBytes = 4;
const keyBytes = 32;

/** One key, as the operator has set it. */
export class VaultKey {
  /** The setting that holds it. */
  readonly setting: string;
  /** Tells keys apart, and says nothing about them. */
  readonly id: Buffer;
  /** Itself: entries of the form without a prefix are sealed under it. */
  readonly bare: KeyObject;

  constructor(bytes: Uint8Array, setting: string) {
    this.setting = setting;
    this.bare = createSecretKey(bytes);
    this.id = derived(this.bare, 'heliograph vault key id', idBytes);
  }

  /** What the entries of a number are sealed with. */
  sealing(numberId: string): KeyObject {
    return createSecretKey(derived(this.bare, `heliograph vault 1 entries ${numberId}`, keyBytes));
  }

  /** What the parts of a number's large entries are named with. */
  naming(numberId: string): KeyObject {
    return createSecretKey(derived(this.bare, `heliograph vault 1 names ${numberId}`, keyBytes));
  }
}

/** HKDF-SHA256. The keys are random: there is nothing that a salt would add. */
function derived(key: KeyObject, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', info, bytes));
}

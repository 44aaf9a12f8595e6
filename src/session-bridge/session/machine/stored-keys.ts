import { errorText, type Log } from '../../logging.ts';
import { DeviceKeys } from '../../network/keys/auth-state.ts';
import type { VaultPort } from '../../vault/vault.ts';

/** The keys of the linked device; null when there are none, or none that this bridge can open. */
export async function storedKeys(vault: VaultPort, log: Log): Promise<DeviceKeys | null> {
  try {
    return await DeviceKeys.load(vault);
  } catch (error) {
    log.error({ error: errorText(error) }, 'vault.unreadable');
    return null;
  }
}

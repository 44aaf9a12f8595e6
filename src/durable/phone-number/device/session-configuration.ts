import type { NumberDownFrame } from '../../../contract/bridge/bridge-frames.ts';
import {
  defaultStoredSession,
  type SessionSettings,
  type StoredSessionSettings,
} from '../../../contract/bridge/session-settings.ts';
import { openSecret, type SealingKeys } from '../../sealed-secret.ts';
import type { NumberState } from '../number-state.ts';
import { instruction } from './device.ts';
import type { DeviceStore } from './device-store.ts';

/** How the number's session is to behave at the network, as the account has it. A proxy's address is stored sealed. */
export class SessionConfiguration {
  readonly #state: NumberState;
  readonly #sealingKeys: SealingKeys;

  constructor(state: NumberState, sealingKeys: SealingKeys) {
    this.#state = state;
    this.#sealingKeys = sealingKeys;
  }

  /** Whether anything is another than before; what is older than what is known changes nothing. */
  configure(session: StoredSessionSettings, revision: number): boolean {
    if (revision < (this.#state.get<number>('sessionRevision') ?? 0)) return false;
    const isChanged = JSON.stringify(this.#stored()) !== JSON.stringify(session);
    this.#state.put('sessionRevision', revision);
    if (isChanged) this.#state.put('session', session);
    return isChanged;
  }

  /**
   * What the bridge is to do with the session of this device now, and how; null when the number needs none.
   * `freshSessionsFor`: see the frame.
   */
  async instruction(device: DeviceStore, freshSessionsFor: string[]): Promise<NumberDownFrame | null> {
    const settings = await this.#settings(device.known.numberId);
    return instruction(device.known, settings, freshSessionsFor);
  }

  /** Throws where the proxy's address cannot be opened: past it nothing may connect. */
  async #settings(numberId: string): Promise<SessionSettings> {
    const { presence, rejectCalls, markRead, sealedProxyUrl } = this.#stored();
    const proxyUrl =
      sealedProxyUrl === null ? null : await openSecret(this.#sealingKeys, numberId, sealedProxyUrl);
    return { presence, rejectCalls, markRead, proxyUrl };
  }

  #stored(): StoredSessionSettings {
    return this.#state.get<StoredSessionSettings>('session') ?? defaultStoredSession;
  }
}

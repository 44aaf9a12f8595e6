import { ALL_WA_PATCH_NAMES, type WASocket } from '@whiskeysockets/baileys';
import { errorText } from '../../logging.ts';
import type { DeviceKeys } from '../keys/auth-state.ts';

/** Whether it is done. */
export const firstSyncNote = { type: 'first-sync', id: 'done' } as const;

export interface FirstSyncOptions {
  sock: WASocket;
  keys: DeviceKeys;
  /** How long after a login a bridge that has taken the number over fetches what has changed. */
  catchUpAfterMs: number;
  onDone: () => void;
  onFailed: (detail: string) => void;
}

/**
 * Fetches the synchronised settings of an account once after a pairing: its name, the address book, labels, and whatever else
 * the phone synchronises. Later changes are announced by the network and fetched by the client. The client alone would first
 * wait for the history, which nobody needs here.
 *
 * A bridge that takes a number over fetches once what has changed since the version in the vault. The bridge before may have
 * acknowledged a change to the network that it could not report any more, since its lease was over. This waits a while: sends
 * wait for it.
 */
export class FirstSync {
  readonly #options: FirstSyncOptions;
  #running: Promise<void> | null = null;

  constructor(options: FirstSyncOptions) {
    this.#options = options;
    // The phone gives away the key for it soon after the pairing.
    options.sock.ev.on('creds.update', ({ myAppStateKeyId }) => {
      if (myAppStateKeyId) this.begin();
    });
  }

  /** Does it where it is still to be done, and can be. */
  begin(): void {
    this.#running ??= this.#run()
      .catch((error) => this.#options.onFailed(errorText(error)))
      .finally(() => {
        this.#running = null;
      });
  }

  async #run(): Promise<void> {
    const { sock, keys, catchUpAfterMs, onDone } = this.#options;
    const { creds } = keys.auth;
    if (!sock.ws.isOpen || !creds.me || !creds.myAppStateKeyId) return;
    if (keys.hasSettings) return;
    const isFirst = (await keys.readNote(firstSyncNote.type, firstSyncNote.id)) === null;
    if (!isFirst) await new Promise((resolve) => setTimeout(resolve, catchUpAfterMs).unref());
    if (!sock.ws.isOpen) return;
    await sock.resyncAppState(ALL_WA_PATCH_NAMES, isFirst);
    keys.hasSettings = true;
    if (!isFirst) return;
    keys.writeNote(firstSyncNote.type, firstSyncNote.id, JSON.stringify(new Date().toISOString()));
    // By this the client knows that no history is to be waited for.
    sock.ev.emit('creds.update', { accountSyncCounter: (creds.accountSyncCounter || 0) + 1 });
    onDone();
  }
}

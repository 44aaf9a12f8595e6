import type { WASocket } from '@whiskeysockets/baileys';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';

/**
 * Whether the number is shown as online. Where it is not, its phone goes on getting notifications. The client takes
 * "not online" for a reason to confirm messages as received by nobody; whoever wrote them would not see that they have
 * arrived. It is therefore told that it is online, while the network is told otherwise. With each change of its
 * credentials the client says something about itself that may be taken for being online: then it is said anew.
 */
export class Presence {
  readonly #sock: WASocket;
  readonly #wanted: () => SessionSettings['presence'];
  /** Whether the client knows its account's name; it shows nothing without. */
  readonly #hasName: () => boolean;
  #isOpen = false;
  #shown: SessionSettings['presence'] | null = null;

  constructor(sock: WASocket, wanted: () => SessionSettings['presence'], hasName: () => boolean) {
    this.#sock = sock;
    this.#wanted = wanted;
    this.#hasName = hasName;
    sock.ev.on('creds.update', () => {
      if (this.#shown === 'unavailable') this.#shown = null;
      setImmediate(() => this.show());
    });
  }

  opened(): void {
    this.#isOpen = true;
    this.#confirmDeliveries();
    this.show();
  }

  closed(): void {
    this.#isOpen = false;
  }

  /** The settings may have changed, or the account's name has become known, without which nothing can be shown. */
  show(): void {
    const wanted = this.#wanted();
    if (!this.#isOpen || this.#shown === wanted || !this.#hasName()) return;
    this.#shown = wanted;
    // One that is lost with the connection is said again by the next.
    this.#sock.sendPresenceUpdate(wanted).catch(() => {});
    this.#confirmDeliveries();
  }

  #confirmDeliveries(): void {
    this.#sock.ev.emit('connection.update', { isOnline: true });
  }
}

import type { User } from '../accounts/users.ts';
import type { Stanza } from './stanza.ts';

/** What the rest of the network may do with a client's connection. */
export type DeviceLink = {
  /** True once everything that waited for the device was handed over: new stanzas go straight to it from then on. */
  readonly caughtUp: boolean;
  /** Of whom the client wants to hear what they do. */
  readonly watched: ReadonlySet<User>;
  send(stanza: Stanza): void;
  /** Sends a stanza that is encoded already. */
  sendEncoded(encoded: Uint8Array): void;
  /** Sends a last word, then closes the connection. */
  end(lastWord: Stanza): void;
  /** Cuts the connection without a word. */
  cut(): void;
};

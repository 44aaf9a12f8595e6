import type { Stanza } from '../wire/stanza.ts';
import type { DeviceFaults } from './device-faults.ts';
import type { PhoneScript } from './phone-script.ts';

/** One account of the network: a phone (device 0) and the devices linked to it. */
export type User = {
  id: number;
  phone: string;
  /** The privacy alias: digits that do not give the number away. */
  lid: string;
  name: string;
  script: PhoneScript;
  banned: boolean;
  devices: Map<number, Device>;
  faults: DeviceFaults;
  /** Messages to this account that the network refused, since the start. */
  refusedMessages: number;
  /** Queries of its linked devices by namespace, since the start. */
  queries: Record<string, number>;
};

/** A linked device (companion). Its number is also the index of its key in the account's device list. */
export type Device = {
  id: number;
  user: User;
  number: number;
  noiseKey: Buffer;
  identityKey: Buffer;
  platform: string;
  historyShared: boolean;
  /** The connection that is logged in as this device now. */
  link: DeviceLink | undefined;
};

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

import type { Addressing } from '../wire/addresses.ts';
import type { Stanza } from '../wire/stanza.ts';

/** How queries of one kind go wrong. */
type QueryFault = {
  /** They are answered with this code, such as `429`. */
  error?: string | undefined;
  /** They are answered that much later. */
  delayMs?: number | undefined;
  /** They are not answered at all. */
  silent?: boolean | undefined;
};

/** What goes wrong for the linked devices of one number. It holds until it is changed or the process ends. */
export type DeviceFaults = {
  /** Acknowledgements of their messages come that much later, in milliseconds. */
  ackDelayMs: number;
  /** Their logins are cut off. */
  refuseConnections: boolean;
  /** Their messages are taken, and nothing is sent to them: until the next login, as with a session gone stale. */
  isDeaf: boolean;
  /** They may begin no new chats before that time, in milliseconds since 1970; they are only told so. */
  newChatsFrom: number | null;
  /**
   * They are put out and refused with this reason, such as `402` or `406`, until `endsAt` (milliseconds since 1970; null
   * for good). An end is told in seconds from then on, as the network does for a ban that passes.
   */
  failure: { reason: string; endsAt: number | null } | null;
  /** Their messages to people are refused (463) unless they bear a token. */
  needsTokens: boolean;
  /** Their link is cut after so many more stanzas of theirs, once; null for not at all. */
  cutAfter: number | null;
  /** By namespace, such as `usync` or `encrypt`. */
  queries: Record<string, QueryFault>;
};

export const noDeviceFaults: DeviceFaults = {
  ackDelayMs: 0,
  refuseConnections: false,
  isDeaf: false,
  newChatsFrom: null,
  failure: null,
  needsTokens: false,
  cutAfter: null,
  queries: {},
};

/** What a simulated phone does by itself. Changes apply to what comes later. */
export type PhoneScript = {
  /** Whether the number is on the network at all. */
  registered: boolean;
  /** Confirms the delivery of each message. */
  autoDeliver: boolean;
  /** Reads each message, after it was delivered. */
  autoRead: boolean;
  /** Written back for each text that comes from a linked device of somebody else. */
  replyWith: string | null;
  /** How long the phone waits before each of delivery, read and reply. */
  delayMs: number;
  /** Which address its messages and receipts bear: the phone number, or the privacy alias. */
  addressing: Addressing;
  /** The network refuses messages to this phone with this code in the acknowledgement. */
  rejectWith: string | null;
  /** The same, but only for messages that bear the phone number, or the alias. */
  rejectPnWith: string | null;
  rejectLidWith: string | null;
  /** So many messages are refused, then no more; null for all. */
  rejections: number | null;
  /** The network gives its phone number to nobody: others know it by its alias alone. */
  hidesNumber: boolean;
  /** What others get who ask for its keys, or for those of its linked devices: keys, an error, or keys that are none. */
  keys: 'usable' | 'missing' | 'broken';
  /**
   * Nobody is told of a device that it links or unlinks, its other devices included. Acknowledgements of messages to it or
   * from its devices bear a `phash`, until the sender asks for its devices.
   */
  linksQuietly: boolean;
  /** Whether a device that it links finds the salt for its tokens in the history. */
  saltInHistory: boolean;
  /** A device that it links downloads its history and its first settings, instead of finding them in a message. */
  sharesByDownload: boolean;
  /**
   * Messages to this phone end the connection that they came over, with an error that names them: so many, and whether
   * the network has taken them by then.
   */
  endsStream: { times: number; isTaken: boolean } | null;
  /**
   * Other digits that are looked up for it: the network answers that it is there, under its own number. Nothing reaches it
   * under these, and nobody is there.
   */
  foundAs: string[];
};

export const initialScript: PhoneScript = {
  registered: true,
  autoDeliver: true,
  autoRead: false,
  replyWith: null,
  delayMs: 0,
  addressing: 'pn',
  rejectWith: null,
  rejectPnWith: null,
  rejectLidWith: null,
  rejections: null,
  hidesNumber: false,
  keys: 'usable',
  linksQuietly: false,
  saltInHistory: true,
  sharesByDownload: false,
  endsStream: null,
  foundAs: [],
};

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

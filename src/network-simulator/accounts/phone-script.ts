import type { Addressing } from '../wire/addresses.ts';

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

import type { InboundMessage } from '../../../contract/bridge/bridge-frames.ts';
import type {
  NetworkQuery,
  QueryAnswer,
  QueryFailure,
  QueryVerb,
} from '../../../contract/bridge/network-queries.ts';
import type { SeenContact } from '../../../contract/contacts/contact.ts';
import type { OutboundContent } from '../../../contract/messages/actions.ts';
import type { IncomingCall, MessageChange } from '../../../contract/messages/changes.ts';
import type { FileContent } from '../../../contract/messages/content.ts';
import type { ChatType } from '../../../contract/messages/message.ts';
import type { Group, GroupChange } from '../../../contract/numbers/group.ts';
import type { UploadTicket } from '../../media/upload-tickets.ts';
import type { NetworkFiles } from '../files/network-files.ts';
import type { SentContent } from '../outbound/resend-contents.ts';
import type { RawTyping } from '../stanzas/typing.ts';
import type { Remedy } from './send-refusals.ts';

/** How a connection to the network ended, in the network's own codes. */
export interface ConnectionEnd {
  code: number;
  /** For the log; free of addresses and numbers. */
  detail: string;
  /** How long the network continues to refuse, if it says so. */
  expiresInMs?: number;
}

/** What the network says about messages that were sent, before aliases are resolved. */
export interface RawReceipt {
  providerMessageIds: string[];
  /** `evidence`: it only proves that the network has the messages. */
  kind: 'delivered' | 'read' | 'evidence';
  /** Our own phone confirms that it has its copy. */
  isFromOwnDevice: boolean;
  at: string;
  /** The group in which the message stands; null in a chat of two. */
  groupId: string | null;
  recipient: string | null;
  recipientLid: string | null;
}

/** What the network tells of changes in a group. */
export interface GroupNotice {
  noticeId: string;
  groupId: string;
  at: string;
  changes: GroupChange[];
}

export interface NetworkEvents {
  /** A new QR code; each must reach the screen. */
  onQr(qr: string, expiresAtMs: number): void;
  /** The network asks for a passkey, which a linked device cannot give. */
  onPasskeyRequested(): void;
  /** The device is linked and its credentials are stored; the network now ends the connection with a restart. */
  onPaired(): void;
  onOpen(phoneNumber: string): void;
  /** Everything that waited at the network during the absence has been received. */
  onCaughtUp(): void;
  onClose(end: ConnectionEnd): void;
  /** The network's own answer to a send; `errorCode` where it refused. */
  onAck(providerMessageId: string, errorCode: string | null): void;
  /** Must be journalled when it returns: the network's acknowledgement follows the commit. */
  onReceipt(receipt: RawReceipt): void;
  /**
   * Resolves when there is room for another message; rejects if the signal comes first. Until then the message is neither
   * decrypted nor acknowledged, and the network keeps it.
   */
  roomForInbound(signal: AbortSignal): Promise<void>;
  /**
   * Must be journalled when it returns: the network's acknowledgement follows the commit. `authorLater` finds the phone
   * number of an author who is known by alias alone so far.
   */
  onInbound(message: InboundMessage, authorLater: (() => Promise<string | null>) | null): void;
  /** Must be journalled when it returns, as a message. */
  onChange(change: MessageChange): void;
  onCall(call: IncomingCall): void;
  /** The other side of a watched chat types, records or has stopped. */
  onTyping(typing: RawTyping): void;
  /** Something came in that nobody has written, or that cannot be read. */
  onNothing(what: string | null): void;
  /** The synchronised settings could not be fetched; it is tried again after the next login. */
  onSyncFailed(detail: string): void;
  /** The address book of the phone has these people. */
  onContacts(contacts: SeenContact[]): void;
  /** The network tells of a change in a group. Must be journalled when it returns. */
  onGroupNotice(notice: GroupNotice): void;
  /** The content of a message sent earlier, for a device that asks once more. */
  contentOf(providerMessageId: string): Promise<SentContent | null>;
  /** Returns where the network has the file of a message, and uploads it first if it does not have it yet. */
  uploaded(content: FileContent, files: NetworkFiles): Promise<UploadTicket>;
}

export interface HandedMessage {
  providerMessageId: string;
  /** Digits of a phone number, an alias as `<digits>@lid`, or a group id. */
  to: string;
  chatType: ChatType;
  content: OutboundContent;
}

/** The network lets a number begin no new chats, or does. */
export interface NewChatRestriction {
  isActive: boolean;
  /** ISO 8601; null where no end is known. */
  until: string | null;
}

/** A hand-over that did not end well. */
export class HandOverError extends Error {
  /**
   * `unprepared`: it certainly never left this process, since it could not be prepared. `unconnected`: the same, because the
   * connection was gone. `limited`: the same, because the network limits queries. `uncertain`: it may have left.
   */
  readonly kind: 'unprepared' | 'unconnected' | 'limited' | 'uncertain';

  /**
   * Why it could not be prepared: the network's code for the failed query, or one of `preparationFailures`. Null for the other
   * kinds.
   */
  readonly refusal: string | null;

  constructor(cause: unknown, kind: HandOverError['kind'], refusal: string | null = null) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kind;
    this.refusal = refusal;
  }
}

/** Every question but a sync, whose answer comes as facts. */
export type PlainQuery = Exclude<NetworkQuery, { verb: 'groups.sync' }>;

/** A question that the network has not answered. */
export class QueryError extends Error {
  readonly failure: QueryFailure;

  constructor(failure: QueryFailure, cause?: unknown) {
    super(`${failure.reason} ${failure.code ?? ''}`.trim(), { cause });
    this.failure = failure;
  }
}

/** One connection to the network. It is used up once `onClose` was called; the next one is a new object. */
export interface NetworkConnection {
  /**
   * Hands a message over under the given id. Resolves when it is certain to be written after the journal's next commit, unless
   * the connection ends before that; throws {@link HandOverError}.
   */
  send(message: HandedMessage): Promise<void>;
  /**
   * The network refused the message. Prepares another way for its next hand-over, and returns whether there is one. The
   * recipient's other address is one only if it was not refused lately.
   */
  remedy(providerMessageId: string, remedy: Remedy): Promise<boolean>;
  /** The session's settings have changed. */
  settingsChanged(): void;
  /** The network took the message. */
  taken(providerMessageId: string): void;
  /** Asks for a code to type on the phone. Resolves with what the network confirmed; rejects when it refuses. */
  requestPairingCode(phoneNumber: string): Promise<{ code: string; expiresAtMs: number }>;
  /** Shows the recipient that somebody is typing, until the message comes. */
  showTyping(to: string, chatType: ChatType): Promise<void>;
  /** Sends a query to the network; throws {@link QueryError} if there is no response. */
  ask(query: PlainQuery): Promise<QueryAnswer<QueryVerb>>;
  /** All groups that the number is in. Throws {@link QueryError}. */
  groups(): Promise<Group[]>;
  /** What the network says about new chats of this number; null where it does not say. */
  newChatRestriction(): Promise<NewChatRestriction | null>;
  /** Asks the network for a sign of life; whether one came in time. */
  probe(): Promise<boolean>;
  /** The phone number of a privacy alias (both digits), if it is known or in the group's member list. */
  phoneNumberOfAlias(lid: string, groupId: string | null): Promise<string | null>;
  /**
   * Removes this device from the account. Resolves when the network has confirmed it, and rejects when it refuses. How long to
   * wait for either is for the caller to say, who then closes the connection.
   */
  logout(): Promise<void>;
  /** Ends the connection; the device stays linked. */
  close(): Promise<void>;
  /** Files at the network. */
  readonly files: NetworkFiles;
  /** When the network was last heard of. */
  readonly lastHeardAtMs: number;
}

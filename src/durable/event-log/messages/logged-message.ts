import type { MessageAction } from '../../../contract/messages/actions.ts';
import type { MessageContent } from '../../../contract/messages/content.ts';
import type {
  ChatType,
  MessageErrorCode,
  MessageOrigin,
  SenderSource,
} from '../../../contract/messages/message.ts';
import type { MessageStatus } from '../../../contract/messages/message-status.ts';
import { aliasAddress, aliasIn, shownRecipient } from '../../../contract/messages/recipient.ts';
import { providerMessageIdOf } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { OutboundRecord } from '../facts.ts';
import type { MemberReceipt } from './member-receipts.ts';

/** An id is a time in microseconds: one millisecond has room for so many messages, and what is more goes into the next. */
export const idsPerMs = 1_000;

interface MessageCommon {
  /** Its place among the account's messages, by its time: see migrations.ts. */
  id: number;
  messageId: string;
  numberId: string;
  /** The recipient, or the author. */
  peer: string;
  /** The author's privacy alias, where the network used one. */
  peerLid: string | null;
  /** The phone number on this side, where it is known. */
  ownPhone: string | null;
  chatType: ChatType;
  content: MessageContent;
  groupId: string | null;
  providerMessageId: string;
  /** What was done to it since; milliseconds since 1970. */
  editedAt: number | null;
  deletedAt: number | null;
  /** By who has given them; an empty emoji was taken back. */
  reactions: Record<string, { emoji: string; at: number }>;
  votes: Record<string, { options: string[]; at: number }>;
  /** What the account wanted done to it and what came to nothing, oldest first. */
  failedActions: FailedAction[];
}

/** An edit, a reaction and the like that was accepted, and that the network has not taken. */
export interface FailedAction {
  /** The id of the message that carried it. */
  messageId: string;
  action: MessageAction['type'];
  acceptedAt: number;
  failedAt: number;
  errorMessage: string;
  errorCode: MessageErrorCode | null;
}

/** A message to which nothing was done yet. */
export const unchanged = {
  editedAt: null,
  deletedAt: null,
  reactions: {},
  votes: {},
  failedActions: [] as FailedAction[],
} as const;

/** One of ours of which nothing is known yet but that it was accepted. */
export const notYetSent = {
  sentAt: null,
  deliveredAt: null,
  readAt: null,
  failedAt: null,
  errorMessage: null,
  errorCode: null,
} as const;

/** An outbound message as the log keeps it. Times are milliseconds since 1970. */
export interface LoggedOutbound extends MessageCommon {
  direction: 'outbound';
  status: MessageStatus;
  /** Null: its owner has written it on the phone. */
  senderSource: SenderSource | null;
  errorMessage: string | null;
  errorCode: MessageErrorCode | null;
  clientReference: string | null;
  sendAt: number | null;
  /** Whom it went to, where only an alias was known: {@link MessageCommon.peer} is that alias then. */
  contactId?: string | null;
  /** The digits that the send named, where the network knows the person by others. */
  dialled?: string | null;
  /** The trace that its request belongs to, where it had one. */
  traceparent?: string;
  /** No event tells of it. */
  isQuiet: boolean;
  /** Null: an API key has sent it, or its owner on the phone. */
  origin: MessageOrigin | null;
  queuedAt: number;
  sentAt: number | null;
  deliveredAt: number | null;
  readAt: number | null;
  failedAt: number | null;
  /** Of a message to a group, where it was asked for by itself. */
  receipts?: MemberReceipt[];
}

export interface LoggedInbound extends MessageCommon {
  direction: 'inbound';
  status: 'received';
  receivedAt: number;
}

export type LoggedMessage = LoggedOutbound | LoggedInbound;
/** Where a message went, or an answer to one would go: digits, a group id, or an alias as `<digits>@lid`. */
export const chatAddressOf = ({
  groupId,
  peer,
  peerLid,
}: Pick<MessageCommon, 'groupId' | 'peer' | 'peerLid'>): string =>
  groupId ?? (peer === peerLid ? aliasAddress(peer) : peer);

/** The chat of a message as the network names it: a group, a phone number, or an alias where no more is known. */
export const networkChatOf = (message: Pick<MessageCommon, 'groupId' | 'peer' | 'peerLid'>): string =>
  message.groupId === null && message.peer !== message.peerLid
    ? `${message.peer}@s.whatsapp.net`
    : chatAddressOf(message);

/** The recipient of a message of ours, as records and events show it. */
export const recipientOf = (message: Omit<LoggedOutbound, 'id'>) =>
  shownRecipient({
    to: message.chatType === 'group' ? message.peer : chatAddressOf(message),
    dialled: message.dialled ?? undefined,
    contactId: message.contactId ?? undefined,
  });

/** Whether it was accepted to leave at a later time. */
export const isForLater = ({ sendAt, queuedAt }: Pick<LoggedOutbound, 'sendAt' | 'queuedAt'>): boolean =>
  sendAt !== null && sendAt > queuedAt;

/** A message that has no place in the log yet. */
export type NewMessage = Omit<LoggedOutbound, 'id'> | Omit<LoggedInbound, 'id'>;

/** A row of the table `messages`, but for its key. */
export type StoredMessage = {
  id: number;
  message_id: string;
  direction: 'outbound' | 'inbound';
  status: MessageStatus | 'received';
  number_id: string;
  peer: string;
  own_phone: string | null;
  chat_type: ChatType;
  message_type: string;
  content: string;
  group_id: string | null;
  provider_message_id: string;
  sender_source: SenderSource | null;
  error_message: string | null;
  queued_at: number | null;
  sent_at: number | null;
  delivered_at: number | null;
  read_at: number | null;
  failed_at: number | null;
  received_at: number | null;
  // Missing in what was archived before they were kept.
  client_reference?: string | null;
  send_at?: number | null;
  error_code?: MessageErrorCode | null;
  quiet?: number | null;
  origin?: string | null;
  peer_lid?: string | null;
  contact_id?: string | null;
  dialled?: string | null;
  traceparent?: string | null;
  edited_at?: number | null;
  deleted_at?: number | null;
  reactions?: string | null;
  votes?: string | null;
  failed_actions?: string | null;
  /** Only of what is archived: the receipts of a group's members, as JSON. */
  receipts?: string | null;
};

export function loggedMessage(row: StoredMessage): LoggedMessage {
  const common = {
    id: row.id,
    messageId: row.message_id,
    numberId: row.number_id,
    peer: row.peer,
    peerLid: row.peer_lid ?? null,
    ownPhone: row.own_phone,
    chatType: row.chat_type,
    content: JSON.parse(row.content) as MessageContent,
    groupId: row.group_id,
    providerMessageId: row.provider_message_id,
    editedAt: row.edited_at ?? null,
    deletedAt: row.deleted_at ?? null,
    reactions: row.reactions ? JSON.parse(row.reactions) : {},
    votes: row.votes ? JSON.parse(row.votes) : {},
    failedActions: row.failed_actions ? JSON.parse(row.failed_actions) : [],
  };
  if (row.direction === 'inbound') {
    return { ...common, direction: 'inbound', status: 'received', receivedAt: row.received_at ?? 0 };
  }
  return {
    ...common,
    direction: 'outbound',
    status: row.status as MessageStatus,
    senderSource: row.sender_source,
    errorMessage: row.error_message,
    errorCode: row.error_code ?? null,
    clientReference: row.client_reference ?? null,
    sendAt: row.send_at ?? null,
    contactId: row.contact_id ?? null,
    dialled: row.dialled ?? null,
    ...(row.traceparent && { traceparent: row.traceparent }),
    isQuiet: row.quiet === 1,
    origin: row.origin ? JSON.parse(row.origin) : null,
    queuedAt: row.queued_at ?? 0,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    readAt: row.read_at,
    failedAt: row.failed_at,
    ...(row.receipts && { receipts: JSON.parse(row.receipts) as MemberReceipt[] }),
  };
}

/** A message as it is when nothing is known of it but that it was accepted. */
export function acceptedMessage(record: OutboundRecord<MessageContent>): Omit<LoggedOutbound, 'id'> {
  const { messageId, numberId, from, to, chatType, content, senderSource, queuedAt } = record;
  const lid = aliasIn(to);
  return {
    direction: 'outbound',
    messageId,
    numberId,
    peer: lid ?? to,
    peerLid: lid,
    ownPhone: from,
    chatType,
    content,
    groupId: chatType === 'group' ? to : null,
    providerMessageId: providerMessageIdOf(messageId),
    ...unchanged,
    ...notYetSent,
    senderSource,
    status: 'queued',
    clientReference: record.clientReference ?? null,
    sendAt: record.sendAt ?? null,
    contactId: record.contactId ?? null,
    dialled: record.dialled ?? null,
    ...(record.traceparent !== undefined && { traceparent: record.traceparent }),
    isQuiet: record.isQuiet === true,
    origin: record.origin ?? null,
    queuedAt,
  };
}

/** Hears of messages as they are stored, inside that transaction; events that come of it go behind those of the message. */
export interface MessageListener {
  received(message: LoggedInbound): EventDraft[];
  sentFromPhone(message: LoggedOutbound): EventDraft[];
  /** A message of ours is new in the log. */
  accepted(message: LoggedOutbound): EventDraft[];
  /** The network has taken it. */
  sent(message: LoggedOutbound): EventDraft[];
  failed(message: LoggedOutbound): EventDraft[];
}

/** Several that hear of the same, one after the other. */
export const listeners = (...all: readonly MessageListener[]): MessageListener => ({
  received: (message) => all.flatMap((one) => one.received(message)),
  sentFromPhone: (message) => all.flatMap((one) => one.sentFromPhone(message)),
  accepted: (message) => all.flatMap((one) => one.accepted(message)),
  sent: (message) => all.flatMap((one) => one.sent(message)),
  failed: (message) => all.flatMap((one) => one.failed(message)),
});

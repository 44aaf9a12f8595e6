/*
 * The events of a gateway, as its webhooks carry them. A test holds these types to the gateway's own schemas; they are
 * written down here so that the package needs nothing else.
 */

type ChatType = 'personal' | 'group';

/** `unsupported`: something that came in and is not carried; `unsupportedType` is the network's name for it. */
type MessageType =
  | 'text'
  | 'image'
  | 'video'
  | 'audio'
  | 'document'
  | 'sticker'
  | 'location'
  | 'contacts'
  | 'poll'
  | 'unsupported';

/** A file of a message. */
interface MessageMedia {
  mediaId: string;
  /** This and the next two are left out while nobody has the file yet. */
  mimetype?: string | undefined;
  bytes?: number | undefined;
  /** Lower-case hex SHA-256 of the file. */
  sha256?: string | undefined;
  fileName?: string | undefined;
  caption?: string | undefined;
  durationSeconds?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
  /** A voice note. */
  voice?: true | undefined;
  status: 'ready' | 'pending' | 'unavailable';
  /** Where anybody may fetch it for an hour; only of one that is `ready`. */
  url?: string | undefined;
}

/** What a message carries; what does not apply is left out. */
interface MessageContent {
  messageType: MessageType;
  /** The caption of a file; empty where there are no words. */
  text: string;
  media?: MessageMedia | undefined;
  location?:
    | {
        latitude: number;
        longitude: number;
        name?: string | undefined;
        address?: string | undefined;
        isLive?: true | undefined;
      }
    | undefined;
  contacts?:
    | { name: string; phoneNumber?: string | undefined; organisation?: string | undefined }[]
    | undefined;
  /** `selectableCount`: how many options one voter may choose; 0 for any number. */
  poll?: { name: string; options: string[]; selectableCount: number } | undefined;
  /** The message that it answers, where it is one of yours. */
  quotedMessageId?: string | undefined;
  /** Digits of phone numbers; of an alias where no phone number is known. */
  mentions?: string[] | undefined;
  isForwarded?: boolean | undefined;
  /** It disappears on the phones after a time. */
  isEphemeral?: boolean | undefined;
  /** The advertisement that the chat began with. */
  referral?:
    | {
        sourceType?: string | undefined;
        sourceId?: string | undefined;
        sourceUrl?: string | undefined;
        headline?: string | undefined;
        body?: string | undefined;
        clickId?: string | undefined;
      }
    | undefined;
  unsupportedType?: string | undefined;
}

/** Why a message failed; `network_<code>` carries the network's own code. */
export type MessageErrorCode =
  | 'expired'
  | 'recipient_opted_out'
  | 'number_deleted'
  | 'cancelled'
  | 'file_not_fetched'
  | 'not_sendable'
  | 'unknown_outcome'
  | `network_${string}`;

interface OutboundMessage {
  messageId: string;
  numberId: string;
  /** Left out where no phone number of the recipient is known: `contactId` stands there then. */
  to?: string | undefined;
  contactId?: string | undefined;
  chatType: ChatType;
  messageType: MessageType;
  /** What you called the message when you sent it. */
  clientReference?: string | undefined;
}

interface MessageReceipt {
  messageId: string;
  numberId: string;
  providerMessageId: string;
  messageStatus: 'delivered';
  /** ISO 8601, UTC, milliseconds, as all times. */
  deliveredAt: string;
  /** `<phone>@<network domain>`, or the group's id. */
  chat: string;
  recipient: string;
  /** The recipient's privacy alias: never a phone number, cannot be messaged. */
  recipientLid?: string | undefined;
  isGroup: boolean;
  /** What you called the message when you sent it. */
  clientReference?: string | undefined;
}

/** A message that the network brought. */
interface ReceivedMessage extends MessageContent {
  messageId: string;
  numberId: string;
  providerMessageId: string;
  isGroup: boolean;
  pushName: string;
  chatType: ChatType;
  groupId?: string | undefined;
}

/** A message to which something was done. */
interface ChangedMessage {
  messageId: string;
  numberId: string;
  providerMessageId: string;
  /** `<phone>@<network domain>`, or the group's id. */
  chat: string;
  /** Of the message. */
  direction: 'outbound' | 'inbound';
}

interface GroupEvent {
  numberId: string;
  groupId: string;
  subject: string;
}

interface CampaignEvent {
  campaignId: string;
  name: string;
  /** Why it paused, or ended before everybody had it. */
  reason?:
    | 'by_person'
    | 'network_restricted'
    | 'failures'
    | 'failure_rate'
    | 'opt_outs'
    | 'undelivered'
    | 'audience_gone'
    | 'quota'
    | 'cancelled'
    | undefined;
  counts: {
    recipients: number;
    pending: number;
    queued: number;
    sent: number;
    delivered: number;
    read: number;
    failed: number;
    replied: number;
    optedOut: number;
    skipped: number;
    cancelled: number;
  };
}

/** A conversation, and what of it has changed, as it is now. */
interface ConversationEvent {
  conversationId: string;
  numberId: string;
  contactId?: string | undefined;
  groupId?: string | undefined;
  status: ConversationStatus;
  assigneeId?: string | undefined;
  changes: {
    status?: ConversationStatus | undefined;
    snoozedUntil?: string | null | undefined;
    priority?: 'low' | 'normal' | 'high' | 'urgent' | undefined;
    assigneeId?: string | null | undefined;
    teamId?: string | null | undefined;
    labels?: string[] | undefined;
    botState?: 'off' | 'active' | 'paused' | undefined;
    sla?: 'none' | 'on_time' | 'missed' | undefined;
    /** Somebody has read it. */
    unreadCount?: 0 | undefined;
  };
}

type ConversationStatus = 'open' | 'pending' | 'snoozed' | 'resolved';

/** Somebody as the network names them: by phone number, by privacy alias, or by both. */
interface Person {
  phoneNumber?: string | undefined;
  lid?: string | undefined;
}

/** The `data` of each event, by its name. */
export interface WebhookEventData {
  'message.queued': OutboundMessage & { status: 'queued' };
  'message.sent': OutboundMessage & { providerMessageId: string; status: 'sent'; sentAt: string };
  'message.delivered': MessageReceipt & { status: 'delivered' };
  'message.read': MessageReceipt & { status: 'read'; readAt: string };
  'message.failed': OutboundMessage & {
    status: 'failed';
    errorMessage: string;
    /** Why, for a program: see {@link MessageErrorCode}. */
    errorCode?: MessageErrorCode | undefined;
  };
  'message.received': ReceivedMessage & { from: string; to: string; senderLid?: string | undefined };
  'message.edited': ChangedMessage & { text: string; editedAt: string };
  'message.deleted': ChangedMessage & { deletedAt: string };
  'message.reaction': {
    messageId: string;
    numberId: string;
    chat: string;
    from: string;
    /** Empty: it was taken back. */
    emoji: string;
    reactedAt: string;
  };
  /** The number's owner has written it on the phone. */
  'message.sent_from_phone': ReceivedMessage & { to: string };
  'poll.voted': {
    messageId: string;
    numberId: string;
    from: string;
    /** All that are chosen now; none where the vote was taken back. */
    options: string[];
    votedAt: string;
  };
  'call.received': {
    numberId: string;
    callId: string;
    from: string;
    isVideo: boolean;
    isGroup: boolean;
    at: string;
  };
  /** What was pending is there, or is not to be had. */
  'message.media': { messageId: string; numberId: string; media: MessageMedia };
  'device.connected': { numberId: string; phoneNumber: string; connectedAt: string };
  'device.disconnected': { numberId: string; phoneNumber: string; reason: string; lastSeenAt: string };
  'device.logged_out': { numberId: string; phoneNumber: string; reason: string };
  'group.created': GroupEvent;
  'group.updated': GroupEvent & {
    /** What they are now. */
    changes: {
      subject?: string | undefined;
      description?: string | null | undefined;
      isAnnounce?: boolean | undefined;
      isLocked?: boolean | undefined;
      joinApproval?: boolean | undefined;
    };
  };
  'group.participants': GroupEvent & {
    action: 'add' | 'remove' | 'promote' | 'demote';
    participants: (Person & { role: 'member' | 'admin' | 'owner' })[];
  };
  'group.join_request': GroupEvent & {
    action: 'created' | 'revoked' | 'rejected';
    participants: Person[];
  };
  /** With neither `qr` nor `code`: the pairing has ended without a device. */
  'device.pairing': {
    numberId: string;
    method: 'qr' | 'code';
    qr?: string | undefined;
    code?: string | undefined;
    expiresAt: string;
  };
  'contact.updated': {
    contactId: string;
    phoneNumber?: string | undefined;
    lid?: string | undefined;
    name?: string | undefined;
    pushName?: string | undefined;
  };
  /** `changes` is empty. */
  'conversation.created': ConversationEvent;
  'conversation.updated': ConversationEvent;
  'quota.exceeded': { used: number; limit: number; resetAt: string };
  /** Also when it goes on after a pause. */
  'campaign.started': CampaignEvent;
  'campaign.paused': CampaignEvent;
  /** Also when it was cancelled. */
  'campaign.finished': CampaignEvent;
  'webhook.test': { message: string };
}

export type WebhookEventName = keyof WebhookEventData;

/** The body of a callback. `event` tells the shape of `data`; deduplicate by `id`. */
export type WebhookEvent<Name extends WebhookEventName = WebhookEventName> = {
  [N in Name]: { id: string; event: N; timestamp: string; data: WebhookEventData[N] };
}[Name];

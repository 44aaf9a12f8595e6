import type { AlertKind } from '../../contract/alerts/alerts.ts';
import type { InboundMessage } from '../../contract/bridge/bridge-frames.ts';
import type { DeviceState } from '../../contract/bridge/device.ts';
import type { CampaignCounts, CampaignReason } from '../../contract/campaigns/campaign.ts';
import type { SeenContact } from '../../contract/contacts/contact.ts';
import type { EventData } from '../../contract/events.ts';
import { isAction, type MessageAction, type OutboundContent } from '../../contract/messages/actions.ts';
import type { IncomingCall, MessageChange } from '../../contract/messages/changes.ts';
import type { MessageContent } from '../../contract/messages/content.ts';
import type { ChatType, MessageErrorCode, SenderSource } from '../../contract/messages/message.ts';
import type { GroupSettings, Participant, ParticipantAction, Person } from '../../contract/numbers/group.ts';
import { type AcceptedMessage, extrasOf, type MessageExtras } from '../hand-over/message-batch.ts';
import type { Trouble } from './alerts/alert-rows.ts';

/** An outbound message as every fact about it carries it, so that a fact can be understood without the ones before. */
export interface OutboundRecord<Content = OutboundContent> extends MessageExtras {
  messageId: string;
  numberId: string;
  /** The sender's phone number, where it is known. */
  from: string | null;
  to: string;
  chatType: ChatType;
  content: Content;
  senderSource: SenderSource;
  /** Milliseconds since 1970, as all times here. */
  queuedAt: number;
}

/** A message as the log is told of it; `from`: the number that it goes out through. */
export function outboundRecord(
  message: AcceptedMessage,
  from: { numberId: string; phoneNumber: string | null },
): OutboundRecord {
  const { messageId, to, chatType, content, senderSource, queuedAt } = message;
  return {
    ...{ messageId, numberId: from.numberId, from: from.phoneNumber, to, chatType, content },
    ...{ senderSource, queuedAt },
    ...extrasOf(message),
  };
}

/** A device as its number has it after a change; `revision` rises with each change and tells a repeat from news. */
export interface DeviceRecord {
  numberId: string;
  revision: number;
  state: DeviceState;
  phoneNumber: string | null;
  reason: string | null;
  connectedAt: number | null;
  lastSeenAt: number | null;
}

/** What has happened to a group, by the event that comes of it. */
export type GroupNews =
  | { event: 'group.created' }
  | { event: 'group.updated'; changes: Partial<GroupSettings> }
  | { event: 'group.participants'; action: ParticipantAction; participants: Participant[] }
  | { event: 'group.join_request'; action: 'created' | 'revoked' | 'rejected'; participants: Person[] };

/** How far something has come that the account sends: a message, or something that is done to one. */
export type SendFact<Content = OutboundContent> =
  | { kind: 'message.queued'; message: OutboundRecord<Content> }
  /** It waits for another number now. No event comes of it. */
  | { kind: 'message.moved'; message: OutboundRecord<Content> }
  | { kind: 'message.sent'; message: OutboundRecord<Content>; at: number }
  | {
      kind: 'message.failed';
      message: OutboundRecord<Content>;
      at: number;
      errorMessage: string;
      errorCode?: MessageErrorCode;
    };

/**
 * The reports of an account and its numbers to the account's log. Each kind has a natural key (see `naturalKeyOf`), so the log
 * takes a fact once, however often it is reported.
 */
export type Fact =
  | SendFact
  | {
      kind: 'message.receipt';
      numberId: string;
      providerMessageId: string;
      receipt: 'delivered' | 'read';
      at: number;
      /** The recipient's phone number, where it is known. */
      recipient: string | null;
      /** The recipient's privacy alias, where the network used it. */
      recipientLid: string | null;
    }
  | {
      kind: 'message.received';
      numberId: string;
      /** The number's own phone number. */
      to: string;
      message: InboundMessage;
    }
  /** `own`: the number's own phone number. `isByAdmin`: in its group, who did it may take back what others wrote. */
  | { kind: 'message.changed'; numberId: string; own: string; change: MessageChange; isByAdmin?: true }
  | { kind: 'call.received'; numberId: string; call: IncomingCall }
  /** The file of a message that waits is there. No event comes of it. */
  | { kind: 'message.completed'; message: OutboundRecord }
  /** The file of a message that was received without it is there, or is not to be had. */
  | { kind: 'message.media'; numberId: string; to: string; message: InboundMessage }
  /** `isNews`: the state is another one than before, so that the outside is told. `pairing`: there is news of that. */
  | {
      kind: 'device.changed';
      device: DeviceRecord;
      at: number;
      isNews: boolean;
      pairing?: Omit<EventData<'device.pairing'>, 'numberId'>;
    }
  /** Most of the month's quota is used; told once a month. */
  | { kind: 'quota.warning'; at: number; used: number; limit: number; resetAt: string }
  /** A number has learned of these people, from the address book of its phone. */
  | { kind: 'contacts.listed'; numberId: string; at: number; contacts: SeenContact[] }
  /** `revision` rises with each change of a group that the number tells. */
  | {
      kind: 'group.changed';
      numberId: string;
      revision: number;
      at: number;
      groupId: string;
      subject: string;
      news: GroupNews[];
    }
  /** `revision` rises with each change that the campaign tells. */
  | {
      kind: 'campaign.changed';
      campaignId: string;
      revision: number;
      at: number;
      change: 'started' | 'paused' | 'finished';
      name: string;
      reason: CampaignReason | null;
      counts: CampaignCounts;
    }
  | { kind: 'quota.exceeded'; at: number; used: number; limit: number; resetAt: string }
  /** Something else has found a trouble: a campaign, the fleet of bridges. No event comes of it, but an alert. */
  | { kind: 'alert.raised'; trouble: Trouble }
  /** The troubles of these kinds that were there at that time are over. */
  | { kind: 'alert.ended'; kinds: AlertKind[]; subject: string; at: number };

export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>;

/** The work that one call of the log may do, as {@link workOf} counts it: less than a tenth of a second. */
export const workMax = 100;

/** What a fact asks of the log: a piece, and one more for each person that it lists. */
export const workOf = (fact: Fact): number => (fact.kind === 'contacts.listed' ? fact.contacts.length : 1);

/**
 * How many of the facts, from the first on, the log has taken, including those that it knew already. Fewer than all: the work
 * of the call reached its limit, or the kind of the next fact is unknown. The rest must be reported again.
 */
export interface FactsTaken {
  taken: number;
}

const sendKinds: readonly Fact['kind'][] = [
  'message.queued',
  'message.moved',
  'message.sent',
  'message.failed',
] satisfies SendFact['kind'][];

/** A fact about something sent: about a message, or about something that is done to one. */
interface Told {
  message?: SendFact<MessageContent>;
  action?: SendFact<MessageAction>;
}

/** What a fact tells of something sent; null for any other fact. */
export function sendFactOf(fact: Fact): Told | null {
  if (!sendKinds.includes(fact.kind)) return null;
  const send = fact as SendFact;
  return isAction(send.message.content)
    ? { action: send as SendFact<MessageAction> }
    : { message: send as SendFact<MessageContent> };
}

import type { AudiencePage, AudienceSource } from '../../contract/contacts/audience.ts';
import type { Refusal } from '../../contract/errors.ts';
import type { CampaignOutlook, CampaignSend, CampaignSent } from '../account/campaign-sends.ts';
import type { EventsPage } from '../event-log/feed/event-reader.ts';
import type { LoggedOutbound } from '../event-log/messages/logged-message.ts';

/** What the account has of a recipient. */
export interface RecipientState {
  /** The digits by which the network knows them, as far as it has said; left out by an account of an earlier release. */
  address?: string;
  optedOutAt: number | null;
  lastInboundAt: number | null;
}

/** A message that was accepted, and the number that it was accepted for; null: nobody knows. */
interface AcceptedByNumber {
  messageId: string;
  numberId: string | null;
}

/** Whom a campaign asks: its account, and the account's log. Every call may be repeated. */
export interface CampaignPorts {
  audience: (source: AudienceSource, after: string | null, limit: number) => Promise<AudiencePage | Refusal>;
  /** By their addresses: phone numbers, and aliases as `<digits>@lid`. */
  recipients: (addresses: readonly string[]) => Promise<RecipientState[]>;
  /** Where messages to these contacts go by now, by their ids; those that are gone are left out. */
  addresses: (contactIds: readonly string[]) => Promise<Record<string, string>>;
  /** `numberIds`: null for the pool. */
  outlook: (numberIds: readonly string[] | null) => Promise<CampaignOutlook>;
  sendAll: (sends: readonly CampaignSend[]) => Promise<CampaignSent[]>;
  /** Takes messages back that no bridge has been given; the log tells which. */
  withdraw: (messages: readonly AcceptedByNumber[]) => Promise<void>;
  /** Words with which people opt out, as they are compared. */
  stopWords: () => Promise<readonly string[]>;
  /** `after`: a cursor, or `now`. */
  events: (after: string, limit: number) => Promise<EventsPage | Refusal>;
  /** The outcome of messages whose events are gone. */
  messages: (messageIds: readonly string[]) => Promise<MessageOutcome[]>;
}

/** How far a message is, as the log has it. */
export type MessageOutcome = Pick<
  LoggedOutbound,
  'messageId' | 'numberId' | 'status' | 'sentAt' | 'deliveredAt' | 'readAt' | 'failedAt' | 'errorMessage'
> & { errorCode: string | null };

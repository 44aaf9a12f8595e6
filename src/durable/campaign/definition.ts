import type { CampaignWindow, WinnerRule } from '../../contract/campaigns/campaign.ts';
import type { AudienceSource } from '../../contract/contacts/audience.ts';
import type { MessageContent } from '../../contract/messages/content.ts';

/** One of the texts of a campaign. */
export interface CampaignText {
  /** As it was sent to the API, and is shown there: JSON. */
  body: string;
  /** What goes out, with its variables; a file is stored already. */
  content: MessageContent;
}

/** What a campaign is to do. From its start on it stays as it is. */
export interface CampaignDefinition {
  name: string;
  /** The first is `message`, the others its `variants`. */
  texts: CampaignText[];
  winner: WinnerRule | null;
  audience: AudienceSource;
  /** Also those who have never written. */
  coldContacts: boolean;
  /** Null: the pool. */
  numberIds: string[] | null;
  /** Milliseconds since 1970; null: when somebody starts it. */
  startAt: number | null;
  window: CampaignWindow | null;
  /** Of recipients whose own zone is not known. */
  timeZone: string;
  ratePerHour: number | null;
  stopAfterFailures: number;
  whenQuotaEnds: 'wait' | 'end';
  /** How long a reply or an opt-out counts as one to the campaign. */
  replyDays: number;
}

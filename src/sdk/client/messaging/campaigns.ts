import type {
  Campaign,
  CampaignList,
  CampaignPreview,
  CampaignRecipientList,
  CampaignTest,
  CreateCampaignRequest,
  TestCampaignRequest,
  UpdateCampaignRequest,
} from '../generated/api-types.ts';
import { Collection } from '../http/collection.ts';
import type { List } from '../http/list.ts';
import type { ListOptions } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

type CampaignSummary = CampaignList['data'][number];
export type CampaignRecipient = CampaignRecipientList['data'][number];

interface RecipientFilter {
  status?: CampaignRecipient['status'] | 'replied' | 'opted_out';
}

/**
 * One message to many people, each once. What is created is a draft: nobody gets anything before it is started, and until it has
 * begun it can be changed. Takes the token of an owner or admin.
 */
export class Campaigns extends Collection<
  Campaign,
  CreateCampaignRequest,
  UpdateCampaignRequest,
  Campaign,
  CampaignSummary
> {
  /** Who would get it, who would not and why, and how long it would take. */
  preview(campaignId: string, options: CallOptions = {}): Promise<CampaignPreview> {
    return this.ask('POST', [campaignId, 'preview'], options);
  }

  /** Now, or at its `startAt` where that is to come. */
  start(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'start'], options);
  }

  /** Within two seconds nothing more leaves. */
  pause(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'pause'], options);
  }

  resume(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'resume'], options);
  }

  cancel(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'cancel'], options);
  }

  /** Whose message failed gets another one; not where it may have arrived. */
  retryFailed(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'retry-failed'], options);
  }

  /** A new draft that is to do the same. */
  duplicate(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [campaignId, 'duplicate'], options);
  }

  /** Its message to one phone number: yours. */
  test(campaignId: string, test: TestCampaignRequest, options: CallOptions = {}): Promise<CampaignTest> {
    return this.ask('POST', [campaignId, 'test'], options, test);
  }

  /** Everybody that it is for, as CSV: read the stream to its end, or abort `signal`. */
  recipientsFile(
    campaignId: string,
    filter: RecipientFilter = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.open([campaignId, 'recipients'], { query: { ...filter }, signal, accept: 'text/csv' });
  }

  /** Whom it is for, by phone number. */
  recipients(
    campaignId: string,
    filter: RecipientFilter = {},
    options: ListOptions = {},
  ): List<CampaignRecipient> {
    return this.listOf([campaignId, 'recipients'], options, { ...filter });
  }
}

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
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

type CampaignSummary = CampaignList['data'][number];
export type CampaignRecipient = CampaignRecipientList['data'][number];

interface RecipientFilter {
  status?: CampaignRecipient['status'] | 'replied' | 'opted_out';
}

/** One message to many people, each once. Takes the token of an owner or admin. */
export class Campaigns extends Resource {
  /** A draft: nobody gets anything before it is started. */
  create(campaign: CreateCampaignRequest, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('POST', [], options, campaign);
  }

  list(options: ListOptions = {}): List<CampaignSummary> {
    return this.listOf([], options);
  }

  get(campaignId: string, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('GET', [campaignId], options);
  }

  /** Of a draft, or of one that is planned and has not begun. */
  update(campaignId: string, changes: UpdateCampaignRequest, options: CallOptions = {}): Promise<Campaign> {
    return this.ask('PATCH', [campaignId], options, changes);
  }

  delete(campaignId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [campaignId], options);
  }

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
    { signal }: { signal?: AbortSignal } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    return this.open([campaignId, 'recipients'], {
      query: { ...filter },
      signal: signal ?? new AbortController().signal,
      accept: 'text/csv',
    });
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

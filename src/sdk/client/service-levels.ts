import type {
  BusinessHours,
  CreateBusinessHoursRequest,
  CreateSlaPolicyRequest,
  SlaPolicy,
  SupportReport,
  UpdateBusinessHoursRequest,
  UpdateSlaPolicyRequest,
} from './generated/api-types.ts';
import { Collection } from './http/collection.ts';
import { Resource, time } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/**
 * When people work; a list that is given in a change replaces the one before. Takes a token; changes take that of an owner or
 * admin.
 */
export class BusinessHoursSets extends Collection<
  BusinessHours,
  CreateBusinessHoursRequest,
  UpdateBusinessHoursRequest
> {}

/** How fast people are to be answered. Takes a token; changes take that of an owner or admin. */
export class SlaPolicies extends Collection<SlaPolicy, CreateSlaPolicyRequest, UpdateSlaPolicyRequest> {}

/** Which report; left out, the last 30 days by day. */
export interface SupportReportRange {
  since?: Date | string;
  until?: Date | string;
  by?: 'agent' | 'team' | 'number' | 'day';
}

/** How people were answered. Takes the token of an owner or admin. */
export class Reports extends Resource {
  support({ since, until, by }: SupportReportRange = {}, options: CallOptions = {}): Promise<SupportReport> {
    const query = { since: time(since), until: time(until), by };
    return this.ask('GET', ['support'], { ...options, query });
  }

  /** The same as a table, in CSV. */
  async supportCsv(
    { since, until, by }: SupportReportRange = {},
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<string> {
    const query = { since: time(since), until: time(until), by };
    return new Response(await this.open(['support'], { query, signal, accept: 'text/csv' })).text();
  }
}

import type {
  BusinessHours,
  CreateBusinessHoursRequest,
  CreateSlaPolicyRequest,
  SlaPolicy,
  SupportReport,
  UpdateBusinessHoursRequest,
  UpdateSlaPolicyRequest,
} from './generated/api-types.ts';
import type { List } from './http/list.ts';
import { type ListOptions, Resource, time } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** When people work. Takes a token; changes take that of an owner or admin. */
export class BusinessHoursSets extends Resource {
  create(hours: CreateBusinessHoursRequest, options: CallOptions = {}): Promise<BusinessHours> {
    return this.ask('POST', [], options, hours);
  }

  list(options: ListOptions = {}): List<BusinessHours> {
    return this.listOf([], options);
  }

  get(id: string, options: CallOptions = {}): Promise<BusinessHours> {
    return this.ask('GET', [id], options);
  }

  /** A list that is given replaces the one before. */
  update(id: string, changes: UpdateBusinessHoursRequest, options: CallOptions = {}): Promise<BusinessHours> {
    return this.ask('PATCH', [id], options, changes);
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

/** How fast people are to be answered. Takes a token; changes take that of an owner or admin. */
export class SlaPolicies extends Resource {
  create(policy: CreateSlaPolicyRequest, options: CallOptions = {}): Promise<SlaPolicy> {
    return this.ask('POST', [], options, policy);
  }

  list(options: ListOptions = {}): List<SlaPolicy> {
    return this.listOf([], options);
  }

  get(id: string, options: CallOptions = {}): Promise<SlaPolicy> {
    return this.ask('GET', [id], options);
  }

  update(id: string, changes: UpdateSlaPolicyRequest, options: CallOptions = {}): Promise<SlaPolicy> {
    return this.ask('PATCH', [id], options, changes);
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

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
    { signal = new AbortController().signal }: Pick<CallOptions, 'signal'> = {},
  ): Promise<string> {
    const query = { since: time(since), until: time(until), by };
    return new Response(await this.open(['support'], { query, signal, accept: 'text/csv' })).text();
  }
}

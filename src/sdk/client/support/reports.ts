import type { SupportReport } from '../generated/api-types.ts';
import { Resource } from '../http/resource.ts';
import { time } from '../http/time.ts';
import type { CallOptions } from '../http/transport.ts';

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

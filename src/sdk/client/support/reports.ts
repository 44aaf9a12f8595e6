import type { SupportReport } from '../api-types.ts';
import { Resource } from '../resource.ts';
import { time } from '../time.ts';
import type { CallOptions } from '../transport.ts';

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

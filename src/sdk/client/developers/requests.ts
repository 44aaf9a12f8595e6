import type { RequestDetail, RequestEntry, RequestErrors } from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import { time } from '../http/time.ts';
import type { CallOptions } from '../http/transport.ts';

interface RequestWindow {
  /** Only requests with this API key. */
  keyId?: string;
  /** At that time or later. */
  since?: Date | string;
  /** Before that time. */
  until?: Date | string;
}

export interface RequestFilter extends RequestWindow {
  /** A status (`404`) or a class of them (`4xx`). */
  status?: string;
  code?: string;
  /** The pattern of a path: `/v1/messages/:messageId`. */
  route?: string;
  method?: string;
}

/** What the account's API keys have asked in the last seven days. Takes the token of an owner or admin. */
export class Requests extends Resource {
  /** Newest first; under load a sample of those that succeeded. */
  list({ since, until, ...filter }: RequestFilter = {}, options: ListOptions = {}): List<RequestEntry> {
    return this.listOf([], options, { ...filter, since: time(since), until: time(until) });
  }

  /** One request, where it failed with what it sent and got, redacted. */
  get(requestId: string, options: CallOptions = {}): Promise<RequestDetail> {
    return this.ask('GET', [requestId], options);
  }

  /** How often requests failed, by route and code. */
  errors({ since, until, ...filter }: RequestWindow = {}, options: CallOptions = {}): Promise<RequestErrors> {
    const query = { ...filter, since: time(since), until: time(until) };
    return this.ask('GET', ['errors'], { ...options, query });
  }
}

import type {
  ApiKey,
  CreateApiKeyRequest,
  CreatedApiKey,
  CreatedWebhook,
  CreateWebhookRequest,
  Delivery,
  EventName,
  RedeliverSinceRequest,
  RedeliveryCount,
  ReplayEventsRequest,
  RequestDetail,
  RequestEntry,
  RequestErrors,
  TestOutcome,
  UpdateApiKeyRequest,
  UpdateWebhookRequest,
  Webhook,
} from './generated/api-types.ts';
import { Collection } from './http/collection.ts';
import type { List } from './http/list.ts';
import { type ListOptions, Resource, time } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** Takes the token of an owner or admin. */
export class ApiKeys extends Resource {
  /** The answer is the only place where `key` is ever shown. */
  create(key: CreateApiKeyRequest, options: CallOptions = {}): Promise<CreatedApiKey> {
    return this.ask('POST', [], options, key);
  }

  list(options: ListOptions = {}): List<ApiKey> {
    return this.listOf([], options);
  }

  update(id: string, changes: UpdateApiKeyRequest, options: CallOptions = {}): Promise<ApiKey> {
    return this.ask('PATCH', [id], options, changes);
  }

  /** The very next request with the key is refused. */
  revoke(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

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

/**
 * The answer of `create` is the only place where `secret` is ever shown. Takes the token of an owner or admin, or an API key that
 * has the scope `webhooks`.
 */
export class Webhooks extends Collection<
  Webhook,
  CreateWebhookRequest,
  UpdateWebhookRequest,
  CreatedWebhook
> {
  /** What was sent to this webhook, with every attempt, newest first. */
  deliveries(
    id: string,
    filter: { status?: Delivery['status']; event?: EventName } = {},
    options: ListOptions = {},
  ): List<Delivery> {
    return this.listOf([id, 'deliveries'], options, filter);
  }

  /** Sends `webhook.test` there, and resolves with what came of it. */
  test(id: string, options: CallOptions = {}): Promise<TestOutcome> {
    return this.ask('POST', [id, 'test'], options);
  }

  /** A new secret, shown this once; both sign for 24 hours. */
  rotateSecret(id: string, options: CallOptions = {}): Promise<CreatedWebhook> {
    return this.ask('POST', [id, 'rotate-secret'], options);
  }

  /** The same event once more, under a new delivery id. */
  redeliver(id: string, deliveryId: string, options: CallOptions = {}): Promise<Delivery> {
    return this.ask('POST', [id, 'deliveries', deliveryId, 'redeliver'], options);
  }

  /** What failed since then (or was delivered) once more, oldest first. */
  redeliverSince(
    id: string,
    which: RedeliverSinceRequest,
    options: CallOptions = {},
  ): Promise<RedeliveryCount> {
    return this.ask('POST', [id, 'redeliver'], options, which);
  }

  /** Every event from a cursor or a time on once more, in order, as new deliveries of the same event ids. */
  replay(id: string, range: ReplayEventsRequest, options: CallOptions = {}): Promise<RedeliveryCount> {
    return this.ask('POST', [id, 'replay'], options, range);
  }
}

import type {
  ApiKey,
  CreateApiKeyRequest,
  CreatedApiKey,
  UpdateApiKeyRequest,
} from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

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

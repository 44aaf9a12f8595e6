import type { CreateSlaPolicyRequest, SlaPolicy, UpdateSlaPolicyRequest } from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

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

import type {
  BusinessHours,
  CreateBusinessHoursRequest,
  UpdateBusinessHoursRequest,
} from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

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

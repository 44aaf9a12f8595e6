import type { OptOutList } from './api-types.ts';
import type { List } from './list.ts';
import { type ListOptions, Resource } from './resource.ts';
import type { CallOptions } from './transport.ts';

/** Those who do not want to be written to. Reads take an API key or a token; removal a token. */
export class OptOuts extends Resource {
  list(options: ListOptions = {}): List<OptOutList['data'][number]> {
    return this.listOf([], options);
  }

  /** Takes a recipient off the list, who may then be written to again. Have their consent. */
  remove(phoneNumber: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [phoneNumber], options);
  }
}

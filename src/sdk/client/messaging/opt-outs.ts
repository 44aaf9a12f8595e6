import type { OptOut, OptOutList } from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/** Those who do not want to be written to. Reads take an API key or a token; removal a token. */
export class OptOuts extends Resource {
  list(options: ListOptions = {}): List<OptOutList['data'][number]> {
    return this.listOf([], options);
  }

  /**
   * Puts a recipient on the list, who asked for it in another way: by phone number, or by `contactId`. One that is on it stays
   * as it is. Takes a token.
   */
  add(recipient: string | { contactId: string }, options: CallOptions = {}): Promise<OptOut> {
    const body = typeof recipient === 'string' ? { phoneNumber: recipient } : recipient;
    return this.ask('POST', [], options, body);
  }

  /** Takes a recipient off the list, by phone number or contact's id, who may then be written to again. Have their consent. */
  remove(recipient: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [recipient], options);
  }
}

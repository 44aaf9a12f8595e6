import type { Alert } from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/** Takes the token of an owner or admin. */
export class Alerts extends Resource {
  /** What wants a person, newest first; `open`: only what lasts, or only what is over. */
  list({ open }: { open?: boolean } = {}, options: ListOptions = {}): List<Alert> {
    return this.listOf([], options, { open: open?.toString() });
  }

  /** Says that somebody knows of it. */
  acknowledge(id: string, options: CallOptions = {}): Promise<Alert> {
    return this.ask('POST', [id, 'acknowledge'], options);
  }
}

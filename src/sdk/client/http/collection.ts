import type { List } from './list.ts';
import { type ListOptions, Resource } from './resource.ts';
import type { CallOptions } from './transport.ts';

/** Things of one kind that are made, read, changed and deleted one by one. */
export class Collection<Thing, New, Changes, Made = Thing, Listed = Thing> extends Resource {
  create(thing: New, options: CallOptions = {}): Promise<Made> {
    return this.ask('POST', [], options, thing);
  }

  list(options: ListOptions = {}): List<Listed> {
    return this.listOf([], options);
  }

  get(id: string, options: CallOptions = {}): Promise<Thing> {
    return this.ask('GET', [id], options);
  }

  update(id: string, changes: Changes, options: CallOptions = {}): Promise<Thing> {
    return this.ask('PATCH', [id], options, changes);
  }

  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

import type { AlertMute, MuteAlertsRequest } from '../generated/api-types.ts';
import type { List } from '../http/list.ts';
import { type ListOptions, Resource } from '../http/resource.ts';
import type { CallOptions } from '../http/transport.ts';

/** Alerts that nobody is told of for a while. Takes the token of an owner or admin. */
export class AlertMutes extends Resource {
  create(mute: MuteAlertsRequest, options: CallOptions = {}): Promise<AlertMute> {
    return this.ask('POST', [], options, mute);
  }

  /** What is muted now. */
  list(options: ListOptions = {}): List<AlertMute> {
    return this.listOf([], options);
  }

  /** The channels are told again from now on. */
  delete(id: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [id], options);
  }
}

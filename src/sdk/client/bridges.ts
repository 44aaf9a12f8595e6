import type { AddBridgeRequest, Bridge, BridgeList, EnrolmentToken } from './generated/api-types.ts';
import { Resource } from './http/resource.ts';
import type { CallOptions } from './http/transport.ts';

/** The session bridges. Takes the token of a person who runs the gateway. */
export class Bridges extends Resource {
  /** All of them at once. */
  list(options: CallOptions = {}): Promise<BridgeList> {
    return this.ask('GET', [], options);
  }

  /** What a new bridge enrols with. The answer is the only place where `token` is ever shown. */
  add(bridge: AddBridgeRequest = {}, options: CallOptions = {}): Promise<EnrolmentToken> {
    return this.ask('POST', [], options, bridge);
  }

  /** Moves its numbers to others, one by one. */
  drain(bridgeId: string, options: CallOptions = {}): Promise<Bridge> {
    return this.ask('POST', [bridgeId, 'drain'], options);
  }

  /** Takes a drained one back into use. */
  resume(bridgeId: string, options: CallOptions = {}): Promise<Bridge> {
    return this.ask('POST', [bridgeId, 'resume'], options);
  }

  /** For good: it is no bridge any more. */
  revoke(bridgeId: string, options: CallOptions = {}): Promise<void> {
    return this.ask('DELETE', [bridgeId], options);
  }
}

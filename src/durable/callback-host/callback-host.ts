import { DurableObject } from 'cloudflare:workers';
import { leaseMs } from '../event-log/deliveries/delivery-order.ts';
import { grantShare, type HostShare, type HostShares, type ShareRequest } from './host-shares.ts';

const sharesKey = 'shares';

/**
 * One host that webhooks of the deployment call. Owns how many callbacks each account may have in progress to it, so that all
 * accounts together stay below a limit. An account that makes one call at a time need not ask.
 */
export class CallbackHost extends DurableObject<Env> {
  async share(request: ShareRequest): Promise<HostShare> {
    const { kv } = this.ctx.storage;
    const { shares, granted } = grantShare(kv.get<HostShares>(sharesKey) ?? {}, request, Date.now());
    kv.put(sharesKey, shares);
    await this.ctx.storage.setAlarm(granted.until + leaseMs);
    return granted;
  }

  /** The share that was given last is over, and so all are. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}

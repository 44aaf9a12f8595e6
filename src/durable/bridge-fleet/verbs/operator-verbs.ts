import { leaseTimes, linkCloseCodes } from '../../../contract/bridge/bridge-frames.ts';
import type { Counts } from '../../counts/counted.ts';
import { log } from '../../log.ts';
import type { BridgeRow } from '../bridge-rows.ts';
import type { Enrolled } from '../credential-rows.ts';

import { FleetObject } from './fleet-object.ts';

/** `isLinked`: it is there now. */
export type ShownBridge = BridgeRow & { isLinked: boolean } & Partial<Enrolled>;

/** What the operator asks. */
export class OperatedFleet extends FleetObject {
  /** Bridges that are linked now and take work. */
  stats(): { bridges: number } {
    return { bridges: this.working().length };
  }

  /** Every bridge that holds numbers, or was linked within the last days. */
  bridges(): ShownBridge[] {
    const linked = new Set(this.parts.links.bridgeIds);
    return this.parts.bridges.all().map((bridge) => this.#shown(bridge, linked.has(bridge.bridgeId)));
  }

  /** Numbers that want a bridge and have none, since none has room for them. */
  waitingNumbers(): number {
    return this.parts.leases.waitingCount();
  }

  /** What some part of the deployment has counted since it told last. Only the fleet of those without a region is told. */
  addCounts(counts: Counts): void {
    this.parts.counts.add(counts, Date.now());
  }

  /** What the whole deployment has counted, by the names of `/metrics`. No figure ever falls. */
  counts(): Counts {
    return this.parts.counts.shown(Date.now());
  }

  /** How large an account's log is; null: it is not large any more. Only the fleet of those without a region is told. */
  noteLogBytes(accountId: string, bytes: number | null): void {
    const { sql } = this.ctx.storage;
    if (bytes === null) sql.exec('DELETE FROM filling_logs WHERE account_id = ?', accountId);
    else sql.exec('INSERT OR REPLACE INTO filling_logs (account_id, bytes) VALUES (?, ?)', accountId, bytes);
  }

  /** Of the accounts whose logs are large, the bytes of each. */
  fillingLogs(): number[] {
    const query = 'SELECT bytes FROM filling_logs';
    return this.ctx.storage.sql
      .exec<{ bytes: number }>(query)
      .toArray()
      .map(({ bytes }) => bytes);
  }

  #shown(bridge: BridgeRow, isLinked: boolean): ShownBridge {
    return { ...bridge, ...this.parts.credentials.find(bridge.bridgeId), isLinked };
  }

  /** A token that lets one new bridge in until `expiresAt` (milliseconds since 1970). */
  addEnrolmentToken(tokenHash: string, name: string | null, expiresAt: number): void {
    this.ctx.storage.transactionSync(() => this.parts.credentials.addToken(tokenHash, name, expiresAt));
  }

  /**
   * Revokes the bridge permanently. Nothing that it sends counts from now on; {@link BridgeFleet.evict} gives its numbers to
   * others. Returns these numbers, or null if there is no such bridge. Safe to repeat.
   */
  revoke(bridgeId: string): string[] | null {
    if (this.parts.bridges.find(bridgeId) === null && this.parts.credentials.find(bridgeId) === null)
      return null;
    this.ctx.storage.transactionSync(() => {
      this.parts.credentials.revoke(bridgeId, Date.now());
      this.parts.revokedLinks.add(bridgeId);
    });
    this.timers.arm();
    this.parts.links.socketOf(bridgeId)?.close(linkCloseCodes.revoked, 'this bridge was revoked');
    log('bridge.revoked', { bridgeId });
    return this.parts.leases.heldBy(bridgeId).map(({ number_id }) => number_id);
  }

  /** Takes the numbers from a bridge that was revoked, once nothing that it says to them counts. */
  evict(bridgeId: string): void {
    this.ctx.storage.transactionSync(() => {
      const freeAt = Date.now() + leaseTimes.expiresMs;
      for (const lease of this.parts.leases.heldBy(bridgeId)) this.parts.leases.takeBack(lease, freeAt);
    });
    this.place();
    this.timers.arm();
  }

  /**
   * Gives the bridge nothing new and moves its numbers to others as far as these have room, or takes it back into use.
   * Null: there is no such bridge.
   */
  setDrained(bridgeId: string, isDrained: boolean): ShownBridge | null {
    this.parts.bridges.setDrained(bridgeId, isDrained);
    const bridge = this.parts.bridges.find(bridgeId);
    if (bridge === null) return null;
    log(isDrained ? 'bridge.drained' : 'bridge.resumed', { bridgeId });
    this.place();
    return this.#shown(bridge, this.parts.links.socketOf(bridgeId) !== undefined);
  }
}

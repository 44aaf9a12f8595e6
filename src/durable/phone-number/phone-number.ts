import { linkCloseCodes } from '../../contract/bridge/bridge-frames.ts';
import { closedLink, identityOf, linkRequestOf } from './bridge/bridge-link.ts';
import { accountVerbs } from './verbs/account-verbs.ts';
import { deviceVerbs } from './verbs/device-verbs.ts';
import { NumberObject } from './verbs/number-object.ts';

/**
 * One paired number. Owns the device's state and its health, a short queue of messages with their pacing, the link to the
 * bridge, and the vault of the session. All of it is in SQLite and survives eviction; fields are caches or belong to a socket.
 * It is responsible for a message from the batch that brings it until the log knows that it was sent, or the account has it
 * back.
 */
export class PhoneNumber extends accountVerbs(deviceVerbs(NumberObject)) {
  /**
   * Only the WebSocket upgrade of a bridge, which the Worker has authenticated. The request has the fleet's grant, or the
   * standing that the fleet has told the Worker. Under a lease that is over, or an older epoch than the last, a bridge may
   * only report.
   */
  override fetch(request: Request): Response {
    const asked = linkRequestOf(request);
    const device = this.parts.device.current;
    if (asked === null) return new Response(null, { status: 400 });
    if (!device) return new Response(null, { status: 404 });
    // A bridge that still has something to say is to forget it: an upgrade that is refused it would only repeat.
    if (device.isEmptied) return closedLink(linkCloseCodes.gone, 'the number was deleted');
    const { bridgeId, epoch } = asked;
    const admission = this.parts.admission.admit(asked, Date.now());
    if (admission === 'not believed') return new Response(null, { status: 403 });
    if (admission === 'over') return new Response(null, { status: 409 });
    const isReportOnly = admission === 'report';
    if (!isReportOnly && epoch > device.epoch) this.parts.device.note({ ...device, epoch, bridgeId });
    return this.parts.link.accept({ leasedTo: bridgeId, epoch, isReportOnly });
  }

  /** Whose files a bridge may read and add to with this grant; null where it is not believed. */
  accountOfGrant(asked: { bridgeId: string; epoch: number; grant: string }): string | null {
    const device = this.parts.device.current;
    if (!device || device.removedAt !== null) return null;
    const admission = this.parts.admission.admit({ ...asked, standing: null }, Date.now());
    return admission === 'drive' ? device.accountId : null;
  }

  /** They were erased: when the number last wrote to them is not known any more. */
  forgetRecipient(phoneNumber: string): void {
    this.parts.pauses.forget(phoneNumber);
  }

  /** The fleet knows nothing of a lease that a bridge has named: it hears of this number, if that wants a bridge. */
  async missBridge(): Promise<void> {
    const device = this.parts.device.current;
    if (device !== null && device.desired !== 'none') await this.parts.lease.acquire();
  }

  /** The bridge was revoked: what it says over its links counts no more. */
  dropBridge(bridgeId: string): void {
    // One that is gone believes nobody anyhow, and is to keep nothing.
    if (this.parts.device.current?.isEmptied === false) this.parts.admission.revoke(bridgeId);
    this.parts.link.closeOf(bridgeId);
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const device = this.parts.device.current;
    const { epoch, isReportOnly } = identityOf(socket);
    if (!device || device.isEmptied) {
      socket.close(linkCloseCodes.gone, 'the number was deleted');
    } else if (epoch < device.epoch && !isReportOnly) {
      socket.close(linkCloseCodes.staleEpoch, 'the lease is over');
    } else {
      await this.intake.receive(socket, data);
    }
  }

  override webSocketClose(): void {
    this.noteLinkLoss();
    this.timers.arm();
  }

  override webSocketError(): void {
    this.noteLinkLoss();
    this.timers.arm();
  }
}

import { type Refusal, refuse } from '../../../contract/errors.ts';
import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import type { HealthStatus } from '../../../contract/numbers/sender-settings.ts';
import { log } from '../../log.ts';
import { newUuid } from '../../new-ids.ts';
import {
  beingLoggedOut,
  canConnect,
  type Device,
  disconnected,
  isBeingLoggedOut,
  isLinked,
  loggedOut,
  type Pairing,
  withNewPairing,
} from '../device/device.ts';

import type { Done, NumberClass } from './number-object.ts';

/** What the dashboard asks of the linked device. */
export function deviceVerbs<Base extends NumberClass>(base: Base) {
  return class extends base {
    device(): Pick<Device, 'state' | 'phoneNumber' | 'reason' | 'connectedAt' | 'lastSeenAt'> & {
      health: HealthStatus;
    } {
      const device = this.parts.device.known;
      const { state, phoneNumber, reason, connectedAt, lastSeenAt } = device;
      const health = this.parts.health.shown(device, Date.now()).status;
      return { state, phoneNumber, reason, connectedAt, lastSeenAt, health };
    }

    /** What to show to the person who pairs; null when no pairing is under way. */
    pairing(): Pick<Pairing, 'method' | 'qr' | 'code' | 'expiresAt'> | null {
      const pairing = this.parts.device.current?.pairing;
      if (!pairing) return null;
      const { method, qr, code, expiresAt } = pairing;
      return { method, qr, code, expiresAt };
    }

    /**
     * Begins a pairing; a second call replaces the first. Refused while a device is linked. Of one that is being logged out it
     * is told at once that it is, and the pairing begins when it is off. So it does if a phone has just linked the device of the
     * pairing before.
     */
    async pair(input: { method: 'qr' } | { method: 'code'; phoneNumber: string }): Promise<Done | Refusal> {
      const { device, vault } = this.parts;
      const now = Date.now();
      const before = this.#isJustLinked ? beingLoggedOut(device.known, now) : device.known;
      if (isLinked(before) && !isBeingLoggedOut(before)) {
        return refuse(
          'CONFLICT',
          'A device is linked to this number. Log it out before pairing another one.',
        );
      }
      const phoneNumber = input.method === 'code' ? input.phoneNumber : null;
      const pairing = {
        pairingId: newUuid(),
        method: input.method,
        phoneNumber,
        qr: null,
        code: null,
        expiresAt: null,
      };
      // What is to be logged out still needs its keys.
      if (!isBeingLoggedOut(before)) vault.clear();
      if (!isLinked(before)) return this.steer(withNewPairing(before, pairing, now));
      device.change(loggedOut(before, now), now);
      return this.steer(withNewPairing(device.known, pairing, now));
    }

    /** Connects a linked device that was disconnected on request, or that a ban has put out of which the keys are kept. */
    async connectSession(): Promise<Done | Refusal> {
      const device = this.parts.device.known;
      if (isBeingLoggedOut(device)) return refuseLeaving();
      if (!canConnect(device, Date.now())) return refuseUnlinked(device);
      return this.steer({ ...device, desired: 'run' });
    }

    /**
     * Entries of the vault without this beginning (hexadecimal digits), which tells under which key of the bridges an entry is
     * sealed.
     */
    vaultEntriesNotUnder(beginning: string): number {
      return this.parts.vault.countOutdated(Buffer.from(beginning, 'hex'));
    }

    /** Closes the session and keeps it closed; the device stays linked. */
    async disconnectSession(): Promise<Done | Refusal> {
      const device = this.parts.device.known;
      if (!isLinked(device)) return refuseUnlinked(device);
      if (isBeingLoggedOut(device)) return refuseLeaving();
      return this.steer({ ...disconnected(device, 'requested', Date.now()), desired: 'stop' });
    }

    /** Removes the linked device from the network; a new pairing is needed afterwards. */
    async logoutSession(): Promise<Done | Refusal> {
      const device = this.parts.device.known;
      if (!isLinked(device)) return refuseUnlinked(device);
      return this.steer(beingLoggedOut(device, Date.now()));
    }

    /** Its phone was linked to a number of another account too: whoever looks at this one is told. */
    notePhoneLinkedElsewhere(phoneNumber: string): void {
      const device = this.parts.device.current;
      if (!device || !isLinked(device) || device.phoneNumber !== phoneNumber) return;
      log('device.linked_elsewhere', { numberId: device.numberId });
      const reason = reasonSentence('linked_elsewhere');
      if (device.reason === reason) return;
      this.parts.device.change({ ...device, reason }, Date.now());
      this.settle(true);
    }

    /** The number is deleted: what waits goes back to the account, its session is logged out, and what it knew goes. */
    async remove(): Promise<void> {
      const device = this.parts.device.current;
      if (!device || device.removedAt !== null) return;
      const now = Date.now();
      const removed: Device = { ...device, pairing: null, removedAt: now };
      if (this.#isJustLinked) await this.steer({ ...beingLoggedOut(removed, now), state: 'unpaired' });
      else if (isLinked(device)) await this.steer(beingLoggedOut(removed, now));
      else await this.steer(isBeingLoggedOut(device) ? removed : { ...removed, desired: 'none' });
    }

    /** A phone has linked the device that is being paired, and it has not logged in yet. */
    get #isJustLinked(): boolean {
      return this.parts.device.known.desired === 'pair' && this.parts.vault.isOfDevice;
    }
  };
}

function refuseLeaving(): Refusal {
  return refuse('CONFLICT', 'The device is being logged out. Pair the number again to use it.');
}

function refuseUnlinked(device: Device): Refusal {
  return refuse('CONFLICT', `No device is linked to this number (${device.state}). Pair it first.`);
}

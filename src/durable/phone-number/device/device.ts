import type { NumberDownFrame, NumberFact } from '../../../contract/bridge/bridge-frames.ts';
import type { DeviceState, DisconnectReason, LogoutReason } from '../../../contract/bridge/device.ts';
import type { SessionSettings } from '../../../contract/bridge/session-settings.ts';
import { reasonSentence } from '../../../contract/numbers/reasons.ts';
import type { FleetRegion } from '../../bridge-fleet/fleet-of.ts';
import { clockSlackMs, endOfWait } from '../../due-times.ts';
import type { DeviceRecord } from '../../event-log/facts.ts';

/** What the number's session should be doing, whatever it does now. */
type DesiredSession = 'none' | 'pair' | 'run' | 'stop' | 'logout';

export interface Pairing {
  pairingId: string;
  method: 'qr' | 'code';
  /** The number that the code is for; null for a QR pairing. */
  phoneNumber: string | null;
  qr: string | null;
  code: string | null;
  expiresAt: string | null;
}

/** The device of a number: one row of its object. */
export interface Device {
  accountId: string;
  numberId: string;
  /** Whose bridges drive it, for good; missing in what was stored before there were regions. */
  region?: FleetRegion;
  state: DeviceState;
  desired: DesiredSession;
  phoneNumber: string | null;
  /** A sentence for a person: why it is not connected. */
  reason: string | null;
  connectedAt: number | null;
  /** When this phone number was first linked; missing in what was stored before that was kept. */
  pairedAt?: number;
  lastSeenAt: number | null;
  pairing: Pairing | null;
  /** The highest epoch under which a bridge has linked: older ones are refused. */
  epoch: number;
  /** Which bridge that was; missing in what was stored before that was kept. */
  bridgeId?: string;
  /** Since when no bridge has been linked although one should be; null while one is, or none should. */
  linkLostAt: number | null;
  /** Rises with each change; the account has been told up to `reportedRevision`. */
  revision: number;
  reportedRevision: number;
  /** Whether the fleet was last told that the number needs a bridge; null while that is not certain. */
  isLeaseWanted: boolean | null;
  /** Set once the number is deleted: it ends its promises. What is left after that is this row, which stays. */
  removedAt: number | null;
  /** Until when the vault of a banned number is kept: a ban may be lifted. Missing and null: it is not banned. */
  keptUntil?: number | null;
  /** Until when it is tried to take the device off its phone; missing and null: it is not. */
  logoutUntil?: number | null;
  /** All that it had to tell is told, and all that it knew is gone. */
  isEmptied: boolean;
}

/** A ban that turns out to be a mistake within this time needs no new pairing. */
const keptAfterBanMs = 7 * 86_400_000;
/** How long a log-out waits for the network, and for a bridge. Then the device has to be removed on the phone. */
const logoutMs = 3_600_000;
/** The same while somebody waits to pair another device. */
const logoutBeforePairingMs = 30_000;

export function newDevice(accountId: string, numberId: string, region: FleetRegion = null): Device {
  return {
    accountId,
    numberId,
    region,
    state: 'unpaired',
    desired: 'none',
    phoneNumber: null,
    reason: null,
    connectedAt: null,
    lastSeenAt: null,
    pairing: null,
    epoch: 0,
    linkLostAt: null,
    revision: 1,
    reportedRevision: 0,
    isLeaseWanted: false,
    removedAt: null,
    isEmptied: false,
  };
}

/** The facts that move the device; the others concern messages and the vault. */
export type DeviceFact = Extract<NumberFact, { type: `pairing.${string}` | `session.${string}` }>;

/** The device after a fact from the bridge. The same device comes back when nothing has changed. */
export function afterFact(device: Device, fact: DeviceFact): Device {
  if ('pairingId' in fact && fact.pairingId !== device.pairing?.pairingId) return device;
  switch (fact.type) {
    case 'pairing.qr':
      return withPairing(device, { qr: fact.qr, code: null, expiresAt: fact.expiresAt });
    case 'pairing.code':
      return withPairing(device, { qr: null, code: fact.code, expiresAt: fact.expiresAt });
    case 'pairing.failed':
      return {
        ...device,
        state: 'unpaired',
        desired: 'none',
        pairing: null,
        reason: reasonSentence(fact.failure),
      };
    case 'session.connected': {
      if (device.state === 'connected' || device.desired === 'none') return device;
      // It only logs in to log itself out, and nobody waits for that.
      if (isBeingLoggedOut(device) && !isLinked(device)) return device;
      const at = Date.parse(fact.at);
      return {
        ...device,
        state: 'connected',
        desired: device.desired === 'pair' ? 'run' : device.desired,
        phoneNumber: fact.phoneNumber,
        reason: isBeingLoggedOut(device) ? device.reason : null,
        connectedAt: at,
        // A phone number that is linked once more is no new one.
        pairedAt:
          device.phoneNumber === fact.phoneNumber ? (device.pairedAt ?? device.connectedAt ?? at) : at,
        lastSeenAt: at,
        pairing: null,
        keptUntil: null,
      };
    }
    case 'session.disconnected':
      if (fact.reason === 'temporarily_banned' && !isBeingLoggedOut(device))
        return temporarilyBanned(device, fact);
      // If it was to connect again, this is why it does not.
      if (device.state !== 'connected' && !isToConnect(device)) return device;
      return disconnected(device, fact.reason, Date.parse(fact.lastSeenAt));
    case 'session.ended':
      if (isBeingLoggedOut(device)) {
        const reason = fact.reason === 'banned' ? 'logout_unconfirmed' : fact.reason;
        return afterLogout(device, reason, Date.parse(fact.at));
      }
      if (device.state === 'unpaired') return device;
      // The same, said twice.
      if (device.pairing !== null && fact.reason === 'logged_out_on_request') return device;
      return {
        ...device,
        state: fact.reason === 'banned' ? 'banned' : 'logged_out',
        desired: 'none',
        pairing: null,
        reason: reasonSentence(fact.reason),
        lastSeenAt: Date.parse(fact.at),
        keptUntil: fact.reason === 'banned' ? Date.parse(fact.at) + keptAfterBanMs : null,
      };
  }
}

/** The device when a phone has linked it that is linked to another number of the account: it is logged out again. */
export function refusedPairing(device: Device, now: number): Device {
  const reason = reasonSentence('already_paired');
  return { ...beingLoggedOut(device, now), state: 'unpaired', pairing: null, reason };
}

/** The device from when it is to be taken off its phone. */
export function beingLoggedOut(device: Device, now: number): Device {
  if (isBeingLoggedOut(device)) return device;
  const reason = reasonSentence('being_logged_out');
  return { ...device, desired: 'logout', reason, logoutUntil: now + logoutMs };
}

/** The device when it is off its phone, or when that is tried no longer. A pairing that waits for this begins. */
export function afterLogout(
  device: Device,
  reason: Exclude<LogoutReason, 'banned'> | 'logout_unconfirmed',
  at: number,
): Device {
  const off: Device = { ...device, desired: device.pairing === null ? 'none' : 'pair', logoutUntil: null };
  if (reason === 'logout_unconfirmed') off.reason = reasonSentence(reason);
  // It was not linked to begin with, or is told to be off already.
  if (device.state === 'unpaired' || device.pairing !== null) return off;
  return { ...off, state: 'logged_out', reason: reasonSentence(reason), lastSeenAt: at, keptUntil: null };
}

/** Whether a device is being taken off its phone: that goes on, whatever else is asked for. */
export const isBeingLoggedOut = ({ desired }: Device): boolean => desired === 'logout';

/** When it is tried no longer; null where it is not. */
export function logoutEndsAt(device: Device): number | null {
  if (!isBeingLoggedOut(device)) return null;
  const waitMs = device.pairing === null ? logoutMs : logoutBeforePairingMs;
  return endOfWait(device.logoutUntil ?? 0, waitMs + clockSlackMs);
}

/** The device with a new pairing, which begins once the device before is off its phone. */
export function withNewPairing(device: Device, pairing: Pairing, now: number): Device {
  const next: Device = { ...device, state: 'pairing', reason: null, pairing, keptUntil: null };
  if (!isBeingLoggedOut(device)) return { ...next, desired: 'pair' };
  return { ...next, logoutUntil: Math.min(device.logoutUntil ?? now, now + logoutBeforePairingMs) };
}

/** A linked device of which nobody waits any more until it is off. */
export function loggedOut(device: Device, now: number): Device {
  const reason = reasonSentence('logged_out_on_request');
  return { ...device, state: 'logged_out', reason, lastSeenAt: now };
}

/**
 * The device once its session is known to be down. Of one that is being logged out this is what there is to say. A time after now
 * is of a clock that went back since.
 */
export function disconnected(device: Device, why: DisconnectReason, lastSeenAt: number): Device {
  const reason = isBeingLoggedOut(device) ? device.reason : reasonSentence(why);
  return { ...device, state: 'disconnected', reason, lastSeenAt: Math.min(lastSeenAt, Date.now()) };
}

const requested = reasonSentence('requested');
const noBridge = reasonSentence('no_bridge');

/** Somebody wants it connected again, and the network has not said yet why it is not. */
const isToConnect = ({ state, desired, reason }: Device): boolean =>
  state === 'disconnected' && desired === 'run' && (reason === requested || reason === noBridge);

/** The device when no bridge has driven it for a while although one should. The same device where that is nothing new. */
export function withoutBridge(device: Device): Device {
  const isUntold = device.state === 'pairing' ? device.reason === null : isToConnect(device);
  return isUntold && device.reason !== noBridge ? { ...device, reason: noBridge } : device;
}

/** The device when a bridge drives it. Of one that is to connect, the network is going to say how it is. */
export function withBridge(device: Device): Device {
  return device.state === 'pairing' && device.reason === noBridge ? { ...device, reason: null } : device;
}

/** The network has put the number out for a time; its session comes back by itself. */
function temporarilyBanned(
  device: Device,
  fact: Extract<DeviceFact, { type: 'session.disconnected' }>,
): Device {
  const reason = fact.until
    ? reasonSentence('banned_until', { until: fact.until })
    : reasonSentence('temporarily_banned');
  if (!isLinked(device) || device.reason === reason) return device;
  const lastSeenAt = Math.min(Date.parse(fact.lastSeenAt), Date.now());
  return { ...device, state: 'disconnected', reason, lastSeenAt };
}

export function isLinked({ state }: Device): boolean {
  return state === 'connected' || state === 'disconnected';
}

/** Whether the session can be begun with the keys that there are: a ban may have been a mistake. */
export function canConnect(device: Device, now: number): boolean {
  return isLinked(device) || (device.state === 'banned' && (device.keptUntil ?? 0) > now);
}

function withPairing(device: Device, shown: Pick<Pairing, 'qr' | 'code' | 'expiresAt'>): Device {
  if (device.pairing === null) return device;
  return { ...device, pairing: { ...device.pairing, ...shown } };
}

/** What the outside is told of a pairing: a code that was not there before, or, with none, that it is over in vain. */
export function pairingNews(before: Device | null, after: Device, now: number) {
  const { pairing } = after;
  if (pairing === null) {
    if (!before?.pairing || after.state !== 'unpaired') return null;
    return { method: before.pairing.method, expiresAt: new Date(now).toISOString() };
  }
  const { method, qr, code, expiresAt } = pairing;
  const isKnown = before?.pairing?.qr === qr && before.pairing.code === code;
  if (isKnown || (qr ?? code) === null || expiresAt === null) return null;
  return { method, ...(qr !== null && { qr }), ...(code !== null && { code }), expiresAt };
}

/** What the bridge is told to do with the session; null when the number needs none. */
export function instruction(
  device: Device,
  settings: SessionSettings,
  freshSessionsFor: string[] = [],
): NumberDownFrame | null {
  switch (device.desired) {
    case 'run':
      return { type: 'session.start', settings, ...(freshSessionsFor.length > 0 && { freshSessionsFor }) };
    case 'pair': {
      if (!device.pairing) return null;
      const { pairingId, method, phoneNumber } = device.pairing;
      return { type: 'session.pair', pairingId, method, ...(phoneNumber && { phoneNumber }), settings };
    }
    case 'stop':
      return { type: 'session.stop', logout: false };
    case 'logout':
      return { type: 'session.stop', logout: true };
    case 'none':
      return null;
  }
}

/** The device as the log is told of it. */
export function deviceRecord(device: Device): DeviceRecord {
  const { numberId, revision, state, phoneNumber, reason, connectedAt, lastSeenAt } = device;
  return { numberId, revision, state, phoneNumber, reason, connectedAt, lastSeenAt };
}

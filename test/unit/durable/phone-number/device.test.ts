import { describe, expect, test } from 'vitest';
import { defaultSessionSettings } from '../../../../src/contract/bridge/session-settings.ts';
import { reasonSentence } from '../../../../src/contract/numbers/reasons.ts';
import {
  afterFact,
  beingLoggedOut,
  canConnect,
  type Device,
  type DeviceFact,
  deviceRecord,
  instruction,
  loggedOut,
  newDevice,
  pairingNews,
  refusedPairing,
  withNewPairing,
} from '../../../../src/durable/phone-number/device/device.ts';

const numberId = '019c1b2a-0000-7000-8000-000000000002';
const at = '2026-01-31T09:30:00.000Z';
const connectedFact: DeviceFact = { type: 'session.connected', phoneNumber: '628123456789', at };
const pairingId = '019c1b2a-0000-7000-8000-000000000003';
const pairing = {
  pairingId,
  method: 'qr' as const,
  phoneNumber: null,
  qr: null,
  code: null,
  expiresAt: null,
};
const pairingDevice: Device = {
  ...newDevice('account', numberId),
  state: 'pairing',
  desired: 'pair',
  pairing,
};
const connected = afterFact(pairingDevice, connectedFact);

describe('the device of a number', () => {
  test('shows each new QR code while it is being paired, and none afterwards', () => {
    const shown = afterFact(pairingDevice, { type: 'pairing.qr', pairingId, qr: 'first', expiresAt: at });
    expect(shown.pairing).toMatchObject({ qr: 'first', expiresAt: at });
    expect(afterFact(shown, { type: 'pairing.qr', pairingId, qr: 'second', expiresAt: at }).pairing?.qr).toBe(
      'second',
    );
    expect(connected.pairing).toBeNull();
    expect(
      afterFact(connected, { type: 'pairing.qr', pairingId, qr: 'late', expiresAt: at }).pairing,
    ).toBeNull();
  });

  test('is connected after the pairing, and then runs', () => {
    expect(pairingNews(pairingDevice, connected, Date.parse(at))).toBeNull();
    expect(connected).toMatchObject({ state: 'connected', desired: 'run', phoneNumber: '628123456789' });
    expect(instruction(connected, defaultSessionSettings)).toEqual({
      type: 'session.start',
      settings: defaultSessionSettings,
    });
    expect(deviceRecord(connected)).toMatchObject({
      numberId,
      phoneNumber: '628123456789',
      connectedAt: Date.parse(at),
    });
  });

  test('that is being stopped or logged out stays so where its session comes back meanwhile', () => {
    for (const desired of ['stop', 'logout'] as const) {
      const back = afterFact({ ...connected, state: 'disconnected', desired }, connectedFact);
      expect(back).toMatchObject({ state: 'connected', desired });
    }
  });

  test('tells a repeated fact only once', () => {
    expect(afterFact(connected, connectedFact)).toBe(connected);
    const lost: DeviceFact = { type: 'session.disconnected', reason: 'connection_lost', lastSeenAt: at };
    const down = afterFact(connected, lost);
    expect(down).toMatchObject({ state: 'disconnected' });
    expect(afterFact(down, lost)).toBe(down);
  });

  test.each([
    ['banned', 'banned'],
    ['logged_out_by_phone', 'logged_out'],
    ['logged_out_on_request', 'logged_out'],
  ] as const)('that the network has ended (%s) is %s, and wants no session', (reason, state) => {
    const ended = afterFact(connected, { type: 'session.ended', reason, at });
    expect(ended).toMatchObject({ state, desired: 'none' });
    expect(instruction(ended, defaultSessionSettings)).toBeNull();
    expect(afterFact(ended, connectedFact)).toBe(ended);
  });

  test('that is banned while it is paired anew is banned, and off the phone it goes on with the pairing', () => {
    const ended: DeviceFact = { type: 'session.ended', reason: 'banned', at };
    expect(afterFact(pairingDevice, ended)).toMatchObject({ state: 'banned', pairing: null });
    expect(afterFact(pairingDevice, { ...ended, reason: 'logged_out_on_request' })).toBe(pairingDevice);
  });

  test.each(['logged_out_on_request', 'logged_out_by_phone', 'banned'] as const)(
    'that is paired again while it is logged out is paired when it is off, however that went (%s)',
    (reason) => {
      const next = withNewPairing(loggedOut(beingLoggedOut(connected, 1), 1), pairing, 1);
      expect(next).toMatchObject({ state: 'pairing', desired: 'logout', pairing });
      expect(instruction(next, defaultSessionSettings)).toEqual({ type: 'session.stop', logout: true });
      // Its session comes back meanwhile: it is not the one that is being paired.
      expect(afterFact(next, connectedFact)).toBe(next);
      const off = afterFact(next, { type: 'session.ended', reason, at });
      const unconfirmed = reason === 'banned' ? reasonSentence('logout_unconfirmed') : null;
      expect(off).toMatchObject({ state: 'pairing', desired: 'pair', pairing, reason: unconfirmed });
      expect(instruction(off, defaultSessionSettings)).toMatchObject({ type: 'session.pair', pairingId });
    },
  );

  test('that is being logged out says so until the network has confirmed it, whatever becomes of its session', () => {
    const leaving = beingLoggedOut(connected, 1);
    const says = { desired: 'logout', reason: reasonSentence('being_logged_out') };
    for (const reason of ['connection_lost', 'temporarily_banned', 'requested'] as const) {
      const down = afterFact(leaving, { type: 'session.disconnected', reason, lastSeenAt: at });
      expect(down).toMatchObject({ ...says, state: 'disconnected' });
      expect(afterFact(down, connectedFact)).toMatchObject({ ...says, state: 'connected' });
      expect(beingLoggedOut(down, 2)).toBe(down);
    }
    const off = afterFact(leaving, { type: 'session.ended', reason: 'logged_out_on_request', at });
    expect(off).toMatchObject({ state: 'logged_out', reason: reasonSentence('logged_out_on_request') });
  });

  test('that is banned before it is logged out has to be removed on the phone, and says so', () => {
    const banned: DeviceFact = { type: 'session.ended', reason: 'banned', at };
    const says = { desired: 'none', reason: reasonSentence('logout_unconfirmed') };
    expect(afterFact(beingLoggedOut(connected, 1), banned)).toMatchObject({ ...says, state: 'logged_out' });
    const refused = refusedPairing(pairingDevice, 1);
    expect(afterFact(refused, banned)).toMatchObject({ ...says, state: 'unpaired' });
    const off = afterFact(refused, { ...banned, reason: 'logged_out_on_request' });
    expect(off).toMatchObject({ ...says, state: 'unpaired', reason: reasonSentence('already_paired') });
  });

  test('that is banned for a while says until when, and comes back by itself', () => {
    const until = '2026-02-01T09:30:00.000Z';
    const lastSeenAt = '2026-01-31T11:00:00.000Z';
    const fact: DeviceFact = { type: 'session.disconnected', reason: 'temporarily_banned', lastSeenAt };
    const lost = afterFact(connected, { ...fact, reason: 'connection_lost' });
    for (const before of [connected, lost]) {
      const banned = afterFact(before, { ...fact, until });
      expect(banned).toMatchObject({ state: 'disconnected', reason: expect.stringContaining(until) });
      expect(banned.lastSeenAt).toBe(Date.parse(lastSeenAt));
      expect(instruction(banned, defaultSessionSettings)).toMatchObject({ type: 'session.start' });
      expect(afterFact(banned, { ...fact, until })).toBe(banned);
      expect(afterFact(banned, connectedFact)).toMatchObject({ state: 'connected', reason: null });
    }
  });

  test('is as old as its phone: one that is linked once more has its age, and another one begins anew', () => {
    const ended = afterFact(connected, { type: 'session.ended', reason: 'logged_out_by_phone', at });
    const paired: Device = { ...ended, state: 'pairing', desired: 'pair', pairing };
    const later = '2026-03-31T09:30:00.000Z';
    const connectedLater = (phoneNumber: string) =>
      afterFact(paired, { type: 'session.connected', phoneNumber, at: later });
    expect(connectedLater('628123456789').pairedAt).toBe(Date.parse(at));
    expect(connectedLater('628123456790').pairedAt).toBe(Date.parse(later));
  });

  test('whose ban turns out to be a mistake within a week can be connected with the keys that it has', () => {
    const banned = afterFact(connected, { type: 'session.ended', reason: 'banned', at });
    const weekMs = 7 * 86_400_000;
    expect(canConnect(banned, Date.parse(at) + weekMs - 1)).toBe(true);
    expect(canConnect(banned, Date.parse(at) + weekMs)).toBe(false);
    const running = afterFact({ ...banned, desired: 'run' }, connectedFact);
    expect(running).toMatchObject({ state: 'connected', keptUntil: null });
    const loggedOut = afterFact(connected, { type: 'session.ended', reason: 'logged_out_by_phone', at });
    expect(canConnect(loggedOut, Date.parse(at))).toBe(false);
  });

  test('goes back to unpaired when nobody scans, and a late failure ends no session', () => {
    const failed = afterFact(pairingDevice, { type: 'pairing.failed', pairingId, failure: 'expired' });
    expect(failed).toMatchObject({ state: 'unpaired', desired: 'none', pairing: null });
    expect(failed.reason).toBe(reasonSentence('expired'));
    expect(afterFact(connected, { type: 'pairing.failed', pairingId, failure: 'expired' })).toBe(connected);
    const earlier: DeviceFact = { type: 'pairing.failed', pairingId: numberId, failure: 'expired' };
    expect(afterFact(pairingDevice, earlier)).toBe(pairingDevice);
  });
});

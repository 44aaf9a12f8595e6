import { expect, test } from 'vitest';
import { disconnectReasons, logoutReasons } from '../../../../src/contract/numbers/reasons.ts';
import { type Ending, endingOf } from '../../../../src/session-bridge/network/connection/connection-end.ts';
import { PairingAttempt } from '../../../../src/session-bridge/session/machine/pairing-dialogue.ts';

const table: [code: number, ending: Ending][] = [
  [515, { kind: 'restart' }],
  [401, { kind: 'ended', reason: 'logged_out_by_phone' }],
  [403, { kind: 'ended', reason: 'banned' }],
  [406, { kind: 'ended', reason: 'banned' }],
  [402, { kind: 'lost', reason: 'temporarily_banned', comeBack: 'at its end' }],
  [428, { kind: 'lost', reason: 'connection_closed', comeBack: 'with backoff' }],
  [408, { kind: 'lost', reason: 'connection_lost', comeBack: 'with backoff' }],
  [440, { kind: 'lost', reason: 'connection_replaced', comeBack: 'slowly' }],
  [411, { kind: 'lost', reason: 'multidevice_mismatch', comeBack: 'slowly' }],
  [500, { kind: 'lost', reason: 'credentials_rejected', comeBack: 'with backoff' }],
  [503, { kind: 'lost', reason: 'network_unavailable', comeBack: 'with backoff' }],
  [405, { kind: 'lost', reason: 'client_outdated', comeBack: 'slowly' }],
  [400, { kind: 'lost', reason: 'network_refused', comeBack: 'with backoff' }],
  [409, { kind: 'lost', reason: 'network_refused', comeBack: 'with backoff' }],
  [599, { kind: 'lost', reason: 'network_refused', comeBack: 'with backoff' }],
];

test.each(table)('a connection that ends with %i is %o', (code, ending) => {
  expect(endingOf(code)).toEqual(ending);
});

test('every reason that a code leads to has a sentence for a person', () => {
  for (const [code] of table) {
    const ending = endingOf(code);
    if (ending.kind === 'lost') expect(disconnectReasons[ending.reason]).toMatch(/\.$/);
    if (ending.kind === 'ended') expect(logoutReasons[ending.reason]).toMatch(/\.$/);
  }
});

const end = (code: number) => ({ code, detail: '' });

test('a pairing is tried again while the network is away, but not for ever once a code was shown', () => {
  const pairing = new PairingAttempt({ pairingId: 'id', method: 'qr' });
  expect(pairing.afterLoss(end(408))).toBe('again');
  pairing.hasShownCode = true;
  expect(pairing.afterLoss(end(428))).toBe('again');
  expect(pairing.afterLoss(end(428))).toBe('refused');
});

test('a pairing whose codes are used up has expired, and one that the network refuses is refused', () => {
  const pairing = new PairingAttempt({ pairingId: 'id', method: 'qr' });
  pairing.hasShownCode = true;
  expect(pairing.afterLoss(end(408))).toBe('expired');
  expect(pairing.afterLoss(end(401))).toBe('refused');
  expect(pairing.afterLoss(end(500))).toBe('refused');
});

import { EventEmitter } from 'node:events';
import type { WASocket } from '@whiskeysockets/baileys';
import { expect, test } from 'vitest';
import { DeviceKeys } from '../../../../src/session-bridge/network/keys/auth-state.ts';
import { Pairing } from '../../../../src/session-bridge/network/pairing/pairing.ts';

const emptyVault = { read: async () => new Map<string, string | null>(), write: () => {} };

/** The part of the client that a pairing listens to. */
function makePairing() {
  const ws = new EventEmitter();
  const shown: string[] = [];
  let passkeyRequests = 0;
  const keys = DeviceKeys.fresh(emptyVault, crypto.randomUUID());
  const pairing = new Pairing({
    sock: { ws } as unknown as WASocket,
    keys,
    qrTimeoutMs: null,
    onQr: (qr) => shown.push(qr),
    onPasskeyRequested: () => {
      passkeyRequests += 1;
    },
  });
  return { ws, shown, pairing, keys, passkeys: () => passkeyRequests };
}

test.each(['passkey_prologue_request', 'crsc_continuation'])(
  'the network asks for a passkey with %s',
  (type) => {
    const { ws, passkeys } = makePairing();
    ws.emit(`CB:notification,type:${type}`, { tag: 'notification', attrs: { type } });
    expect(passkeys()).toBe(1);
  },
);

test('after the secret was retired, later codes carry the new one though the client still knows the old', () => {
  const { ws, shown, pairing, keys } = makePairing();
  const old = keys.auth.creds.advSecretKey;
  const qrOf = (ref: string) => `https://wa.me/settings/linked_devices#${ref},noise,identity,${old},1`;
  pairing.show(qrOf('ref-1'));
  ws.emit('CB:notification,type:companion_reg_refresh', { tag: 'notification', attrs: {} });
  pairing.show(qrOf('ref-2'));
  const fresh = keys.auth.creds.advSecretKey;
  expect(fresh).not.toBe(old);
  expect(Buffer.from(fresh, 'base64')).toHaveLength(32);
  expect(shown.map((qr) => qr.split('#').at(1))).toEqual([
    `ref-1,noise,identity,${old},1`,
    `ref-1,noise,identity,${fresh},1`,
    `ref-2,noise,identity,${fresh},1`,
  ]);
});

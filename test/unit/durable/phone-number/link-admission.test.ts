import { expect, test } from 'vitest';
import { grantTimes } from '../../../../src/contract/bridge/bridge-frames.ts';
import { signedGrant } from '../../../../src/durable/bridge-grants.ts';
import { LinkAdmission } from '../../../../src/durable/phone-number/bridge/bridge-link.ts';
import type { DeviceStore } from '../../../../src/durable/phone-number/device/device-store.ts';
import type { NumberState } from '../../../../src/durable/phone-number/number-state.ts';

const now = Date.UTC(2026, 10, 26, 12);
const env = { KEY_CHECKSUM_SECRET: 'secret' } as Env;
const numberId = 'number';

/** A number that has last seen this epoch. */
function numberAt(epoch: number) {
  const stored = new Map<string, unknown>();
  const state = {
    get: (name: string) => stored.get(name) ?? null,
    put: (name: string, value: unknown) => stored.set(name, value),
  } as unknown as NumberState;
  const device = { known: { numberId, epoch } } as unknown as DeviceStore;
  const admission = new LinkAdmission(env, device, state);
  const byGrant = (bridgeId: string, of: number, at = now) => {
    const grant = signedGrant(env, { numberId, bridgeId, epoch: of }, now);
    return admission.admit({ bridgeId, epoch: of, grant, standing: null }, at);
  };
  const byFleet = (of: number, standing: 'drive' | 'report') =>
    admission.admit({ bridgeId: 'bridge', epoch: of, grant: null, standing }, now);
  return { admission, byGrant, byFleet };
}

test('whom the fleet lets drive drives, unless another bridge has had the number since', () => {
  const { byFleet } = numberAt(5);
  expect([5, 6].map((epoch) => byFleet(epoch, 'drive'))).toEqual(['drive', 'drive']);
  expect(byFleet(4, 'drive')).toBe('report');
  expect(byFleet(5, 'report')).toBe('report');
});

test('a grant is believed for the epoch that was seen last and later ones, and as long as it holds', () => {
  const { byGrant } = numberAt(5);
  expect([5, 6].map((epoch) => byGrant('bridge', epoch))).toEqual(['drive', 'drive']);
  expect(byGrant('bridge', 4)).toBe('over');
  expect(byGrant('bridge', 5, now + grantTimes.validMs)).toBe('not believed');
});

test('the grant of one bridge, or of one epoch, is none for another', () => {
  const { admission } = numberAt(5);
  const grant = signedGrant(env, { numberId, bridgeId: 'bridge', epoch: 5 }, now);
  const ask = (bridgeId: string, epoch: number) =>
    admission.admit({ bridgeId, epoch, grant, standing: null }, now);
  expect(ask('bridge', 5)).toBe('drive');
  expect(ask('other', 5)).toBe('not believed');
  expect(ask('bridge', 6)).toBe('not believed');
});

test('bridges that were revoked are not believed any more: the last ones are remembered, each once', () => {
  const { admission, byGrant } = numberAt(5);
  for (let repeat = 0; repeat < 20; repeat += 1) admission.revoke('first');
  for (let more = 0; more < 7; more += 1) admission.revoke(`bridge-${more}`);
  expect(byGrant('first', 5)).toBe('not believed');
  expect(byGrant('bridge-6', 5)).toBe('not believed');
  expect(byGrant('another', 5)).toBe('drive');
  // Whose grants have run out long since is forgotten, never the newest.
  admission.revoke('newest');
  expect(byGrant('newest', 5)).toBe('not believed');
  expect(byGrant('first', 5)).toBe('drive');
});

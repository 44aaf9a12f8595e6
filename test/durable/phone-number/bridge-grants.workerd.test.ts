import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  bridgeProtocolVersion,
  grantHeader,
  grantTimes,
  linkCloseCodes,
} from '../../../src/contract/bridge/bridge-frames.ts';
import { isGoodGrant, signedGrant } from '../../../src/durable/bridge-grants.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { until } from '../until.ts';
import { FakeBridge, phoneNumber } from './fake-bridge.ts';

const secrets = { KEY_CHECKSUM_SECRET: 'now', KEY_CHECKSUM_SECRET_PREVIOUS: 'before' };

async function newNumber() {
  const numberId = newUuid();
  await phoneNumber(numberId).provision({ accountId: newUuid(), numberId });
  return numberId;
}

/** An upgrade that bears this grant, as the Worker lets it through. */
const dial = (numberId: string, bridgeId: string, epoch: number, grant: string) =>
  phoneNumber(numberId).fetch(`https://edge/bridge/numbers/${numberId}?epoch=${epoch}&bridge=${bridgeId}`, {
    headers: { Upgrade: 'websocket', [grantHeader]: grant },
  });

async function statusOf(...how: Parameters<typeof dial>): Promise<number> {
  const { status, webSocket } = await dial(...how);
  webSocket?.accept();
  webSocket?.close(1000);
  return status;
}

describe('a grant', () => {
  const lease = { numberId: newUuid(), bridgeId: newUuid(), epoch: 3 };
  const now = Date.now();

  test('is good until it runs out, also while the secret is being replaced', () => {
    const grant = signedGrant(secrets, lease, now);
    expect(isGoodGrant(secrets, lease, grant, now + grantTimes.validMs - 1)).toBe(true);
    expect(isGoodGrant(secrets, lease, grant, now + grantTimes.validMs)).toBe(false);
    const replaced = { KEY_CHECKSUM_SECRET: 'later', KEY_CHECKSUM_SECRET_PREVIOUS: 'now' };
    expect(isGoodGrant(replaced, lease, grant, now)).toBe(true);
    expect(isGoodGrant({ KEY_CHECKSUM_SECRET: 'later' }, lease, grant, now)).toBe(false);
  });

  test.each([
    ['another number', { numberId: newUuid() }],
    ['another bridge', { bridgeId: newUuid() }],
    ['another epoch', { epoch: 4 }],
  ])('is nothing for %s', (_, other) => {
    expect(isGoodGrant(secrets, { ...lease, ...other }, signedGrant(secrets, lease, now), now)).toBe(false);
  });

  test.each([
    ['a longer life', (grant: string) => grant.replace(/^\d+/, (until) => String(Number(until) + 1))],
    ['another signature', (grant: string) => grant.replace(/\..*/, `.${'A'.repeat(43)}`)],
    ['no signature', (grant: string) => grant.replace(/\..*/, '.')],
    ['nothing', () => ''],
    ['no time', (grant: string) => grant.replace(/^\d+/, 'NaN')],
  ])('is worth nothing with %s', (_, forged) => {
    const grant = signedGrant(secrets, lease, now);
    expect(isGoodGrant(secrets, lease, forged(grant), now)).toBe(false);
  });
});

describe('a number', () => {
  afterEach(() => vi.useRealTimers());

  test('lets in the bridge that bears its grant, and it drives', async () => {
    const numberId = await newNumber();
    const bridgeId = newUuid();
    const grant = signedGrant(env, { numberId, bridgeId, epoch: 2 }, Date.now());
    const { webSocket } = await dial(numberId, bridgeId, 2, grant);
    const bridge = new FakeBridge(webSocket ?? expect.fail('it was refused'));
    bridge.say({ type: 'link.hello', version: bridgeProtocolVersion, bridgeId, epoch: 2 });
    expect(await bridge.take('link.welcome')).toMatchObject({ reportOnly: false });
    bridge.close();
  });

  test('believes no grant that is made up, has run out, or is of another bridge, number or epoch', async () => {
    const [numberId, other] = [await newNumber(), await newNumber()];
    const bridgeId = newUuid();
    const lease = { numberId, bridgeId, epoch: 2 };
    const now = Date.now();
    const good = signedGrant(env, lease, now);
    expect(await statusOf(numberId, bridgeId, 2, signedGrant(secrets, lease, now))).toBe(403);
    expect(await statusOf(numberId, bridgeId, 2, signedGrant(env, lease, now - grantTimes.validMs))).toBe(
      403,
    );
    expect(await statusOf(numberId, newUuid(), 2, good)).toBe(403);
    expect(await statusOf(other, bridgeId, 2, good)).toBe(403);
    expect(await statusOf(numberId, bridgeId, 3, good)).toBe(403);
    expect(await statusOf(numberId, bridgeId, 2, good)).toBe(101);
  });

  test('refuses an epoch older than it has seen, however good the grant', async () => {
    const numberId = await newNumber();
    const [first, second] = [newUuid(), newUuid()];
    const grantOf = (bridgeId: string, epoch: number) =>
      signedGrant(env, { numberId, bridgeId, epoch }, Date.now());
    const before = await FakeBridge.link(numberId, 4, first);
    expect(await statusOf(numberId, second, 5, grantOf(second, 5))).toBe(101);
    await until(() => before.closed !== null);
    expect(before.closed?.code).toBe(linkCloseCodes.staleEpoch);
    expect(await statusOf(numberId, first, 4, grantOf(first, 4))).toBe(409);
    const files = { bridgeId: first, epoch: 4, grant: grantOf(first, 4) };
    expect(await phoneNumber(numberId).accountOfGrant(files)).toBeNull();
  });

  test('believes no grant of a bridge that was revoked, and those of others still', async () => {
    const numberId = await newNumber();
    const [revoked, other] = [newUuid(), newUuid()];
    const grantOf = (bridgeId: string, epoch: number) =>
      signedGrant(env, { numberId, bridgeId, epoch }, Date.now());
    const asked = { bridgeId: revoked, epoch: 1, grant: grantOf(revoked, 1) };
    expect(await phoneNumber(numberId).accountOfGrant(asked)).toEqual(
      await phoneNumber(numberId).accountId(),
    );
    await phoneNumber(numberId).dropBridge(revoked);
    await phoneNumber(numberId).dropBridge(revoked);
    expect(await statusOf(numberId, revoked, 1, asked.grant)).toBe(403);
    expect(await phoneNumber(numberId).accountOfGrant(asked)).toBeNull();
    expect(await statusOf(numberId, other, 2, grantOf(other, 2))).toBe(101);
  });
});

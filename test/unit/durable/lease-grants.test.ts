import { expect, test } from 'vitest';
import type { ControlDownFrame } from '../../../src/contract/bridge/bridge-frames.ts';
import { type ControlLinks, LeaseGrants } from '../../../src/durable/bridge-fleet/control-links.ts';

test('a bridge gets new grants for all numbers that it drives, a thousand to a frame', () => {
  const frames: ControlDownFrame[] = [];
  const links = {
    grantsAt: () => null,
    noteGrants: () => {},
    send: (_: string, frame: ControlDownFrame) => void frames.push(frame),
  } as unknown as ControlLinks;
  const grants = new LeaseGrants({ KEY_CHECKSUM_SECRET: 'secret' } as Env, links);
  const held = Array.from({ length: 2_300 }, (_, index) => ({
    number_id: `number ${index}`,
    bridge_id: 'bridge',
    epoch: 1,
  }));
  grants.renew('bridge', () => held, 1_000);
  const renewed = frames.flatMap((frame) => (frame.type === 'leases.renewed' ? [frame.leases] : []));
  expect(renewed.map(({ length }) => length)).toEqual([1_000, 1_000, 300]);
  expect(renewed.flat().map(({ numberId }) => numberId)).toEqual(held.map(({ number_id }) => number_id));
});

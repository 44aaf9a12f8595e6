import { expect, test } from 'vitest';
import { Stage } from '../stage.ts';

const stage = Stage.open();

const [first, second] = ['a', 'b'].map((letter) => `1790000000000.${letter.repeat(43)}`) as [string, string];

test('a number is opened with what the fleet has signed last', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const number = stage.edge.addNumber();
  stage.edge.grant(number, bridgeId, first);
  await stage.edge.until('the number is linked', () => number.socket);
  expect(number.grants).toEqual([first]);
  const { numberId, epoch } = number;
  stage.edge.controlSend(bridgeId, { type: 'leases.renewed', leases: [{ numberId, epoch, grant: second }] });
  // Behind it on the same link: once this is there, so is the renewal.
  const other = stage.edge.addNumber();
  stage.edge.grant(other, bridgeId);
  await stage.edge.until('the other number is linked', () => other.socket);
  expect(other.grants).toEqual([null]);
  number.socket?.terminate();
  await stage.edge.until('the number is linked again', () => number.grants.length === 2 && number.socket);
  expect(number.grants).toEqual([first, second]);
});

test('a grant that is not believed is left out: the fleet is asked, and the lease goes on', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome());
  const number = stage.edge.addNumber();
  number.believes = () => false;
  stage.edge.grant(number, bridgeId, first);
  await stage.edge.until('the number is linked', () => number.socket);
  expect(number.grants).toEqual([first, null]);
  const released = stage.edge.controlFrames.filter(({ frame }) => frame.type === 'lease.released');
  expect(released.some(({ frame }) => 'numberId' in frame && frame.numberId === number.numberId)).toBe(false);
});

test('a restarted bridge waits for what the fleet signs, and opens its numbers with that', async () => {
  const home = await stage.newHome();
  const before = await stage.startBridge(home);
  const number = stage.edge.addNumber();
  stage.edge.grant(number, before.bridgeId, first);
  await stage.edge.until('the number is linked', () => number.socket);
  await before.close();
  await stage.edge.until('the link is gone', () => !number.socket);
  stage.edge.signs.set(number.numberId, second);
  await stage.startBridge(home);
  await stage.edge.until('the number is linked again', () => number.socket);
  expect(number.grants).toEqual([first, second]);
});

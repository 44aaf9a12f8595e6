import { expect, test } from 'vitest';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

/** Sends a text and waits until its reader has confirmed it. */
async function deliver(number: FakeNumber, to: string, text: string): Promise<void> {
  const [message] = number.send({ to, text });
  if (!message) throw new Error('nothing was sent');
  const isRead = () => number.receiptsOf(message).some(({ recipient }) => recipient === to);
  await until(`"${text}" is delivered`, isRead);
}

const copiesAt = (device: FakeNumber) =>
  device
    .inbound()
    .flatMap(({ content, sentTo }) => (content.type === 'text' ? [[sentTo, content.text]] : []));
const countsAt = async (to: string) =>
  Object.fromEntries((await stage.arrivalsAt(to)).map(({ text, count }) => [text, count]));

test('an own device that nobody told of gets what is sent after the next message, and that one is not sent again', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const friend = newPhone();
  await deliver(number, friend, 'before');
  await stage.admin('PATCH', `phones/${phone}`, { linksQuietly: true });
  const { number: tablet } = await stage.pairedNumber(stage.bridgeId, phone);
  await deliver(number, friend, 'meanwhile');
  await deliver(number, friend, 'afterwards');
  await until('the other device has a copy', () => copiesAt(tablet).length > 0);
  await deliver(number, friend, 'later');
  await until('it has the next one too', () => copiesAt(tablet).length > 1);
  expect(copiesAt(tablet)).toEqual([
    [friend, 'afterwards'],
    [friend, 'later'],
  ]);
  expect(await countsAt(friend)).toEqual({ before: 1, meanwhile: 1, afterwards: 1, later: 1 });
});

test.each(['missing', 'broken'])(
  'an own device whose keys are %s keeps no message from anybody, and misses it alone',
  async (keys) => {
    const { number, phone } = await stage.pairedNumber(stage.bridgeId);
    await stage.pairedNumber(stage.bridgeId, phone);
    await stage.admin('PATCH', `phones/${phone}`, { keys });
    const friend = newPhone();
    await deliver(number, friend, 'for a friend');
    await deliver(number, friend, 'and again');
    expect(await countsAt(friend)).toEqual({ 'for a friend': 1, 'and again': 1 });
  },
);

test('an own device that is gone, unheard, holds up nothing', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const { number: tablet } = await stage.pairedNumber(stage.bridgeId, phone);
  const friend = newPhone();
  await deliver(number, friend, 'to both');
  await until('the other device has a copy', () => copiesAt(tablet).length > 0);
  await stage.admin('PATCH', `phones/${phone}`, { linksQuietly: true });
  tablet.want({ type: 'session.stop', logout: true });
  await until('it is out', () => tablet.factsOf('session.ended').length > 0);
  await deliver(number, friend, 'to one');
  await deliver(number, friend, 'to one again');
  expect(await countsAt(friend)).toEqual({ 'to both': 1, 'to one': 1, 'to one again': 1 });
});

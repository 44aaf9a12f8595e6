import { beforeAll, expect, test } from 'vitest';
import type { FakeNumber } from '../../fake-edge.ts';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

const reset = (who: string, isQuiet: boolean) =>
  stage.admin<{ told: number }>('POST', `phones/${who}/reset`, { isQuiet });

/** Sends a text and waits until who gets it has confirmed it. */
async function deliver(to: string, text: string, readers: string[]) {
  const [message] = number.send({ to, text });
  if (!message) throw new Error('nothing was sent');
  const readBy = () => number.receiptsOf(message).map(({ recipient }) => recipient);
  await until(`"${text}" is delivered`, () => readers.every((reader) => readBy().includes(reader)));
  expect(number.outcomeOf(message)).toMatchObject({ outcome: 'sent' });
  return message;
}

const countOf = async (to: string, text: string) =>
  (await stage.arrivalsAt(to)).filter((arrival) => arrival.text === text).map(({ count }) => count);

test.each([
  ['the network tells of it', false],
  ['nobody tells of it', true],
])('somebody with new keys gets the next message once, and one after it, where %s', async (_, isQuiet) => {
  const friend = newPhone();
  await deliver(friend, 'before', [friend]);
  expect(await reset(friend, isQuiet)).toEqual({ told: isQuiet ? 0 : 1 });
  await deliver(friend, 'after', [friend]);
  await deliver(friend, 'later', [friend]);
  for (const text of ['before', 'after', 'later']) expect(await countOf(friend, text)).toEqual([1]);
});

test('what somebody with new keys writes is read once, and answered', async () => {
  const friend = newPhone();
  const write = (text: string) => stage.admin('POST', `phones/${friend}/messages`, { to: phone, text });
  const told = (text: string) =>
    number.inbound().filter(({ content }) => content.type === 'text' && content.text === text);
  await write('from the old phone');
  await until('it comes in', () => told('from the old phone').length > 0);
  await reset(friend, true);
  await write('from the new phone');
  await until('it comes in', () => told('from the new phone').length > 0);
  await deliver(friend, 'welcome back', [friend]);
  expect(told('from the old phone')).toHaveLength(1);
  expect(told('from the new phone')).toHaveLength(1);
  expect(await countOf(friend, 'welcome back')).toEqual([1]);
});

test('a member of a group with new keys reads what comes next, and nobody there gets it twice', async () => {
  const [first, second] = [newPhone(), newPhone()];
  const { id } = await stage.admin<{ id: string }>('POST', 'groups', {
    subject: 'Choir',
    members: [first, second, phone],
  });
  await deliver(id, 'rehearsal at eight', [first, second]);
  await reset(second, false);
  await deliver(id, 'rehearsal at nine', [first, second]);
  expect(await countOf(id, 'rehearsal at eight')).toEqual([1]);
  expect(await countOf(id, 'rehearsal at nine')).toEqual([1]);
});

test('a device that somebody links later gets what is sent from then on, and one that is unlinked holds up nothing', async () => {
  const friend = newPhone();
  await deliver(friend, 'to the phone alone', [friend]);
  const { number: laptop } = await stage.pairedNumber(stage.bridgeId, friend);
  const texts = () =>
    laptop.inbound().flatMap(({ content }) => (content.type === 'text' ? [content.text] : []));
  await deliver(friend, 'to both', [friend]);
  await until('the device has it', () => texts().includes('to both'));
  await stage.admin('POST', `devices/${friend}/logout`);
  await until('the device is out', () => laptop.factsOf('session.ended').length > 0);
  await deliver(friend, 'to the phone again', [friend]);
  expect(texts()).toEqual(['to both']);
  expect(await countOf(friend, 'to both')).toEqual([1]);
  expect(await countOf(friend, 'to the phone again')).toEqual([1]);
});

import { beforeAll, expect, test } from 'vitest';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function groupOf(...members: string[]): Promise<string> {
  const body = { subject: 'Choir', members: [...members, phone] };
  return (await stage.admin<{ id: string }>('POST', 'groups', body)).id;
}

async function deliver(to: string, text: string, readers: string[]) {
  const [message] = number.send({ to, text });
  if (!message) throw new Error('nothing was sent');
  const readBy = () => number.receiptsOf(message).map(({ recipient }) => recipient);
  await until(`"${text}" is delivered`, () => readers.every((reader) => readBy().includes(reader)));
  return message;
}

const countsIn = async (group: string) =>
  Object.fromEntries((await stage.arrivalsAt(group)).map(({ text, count }) => [text, count]));
const queries = async () =>
  (await stage.admin<{ queries: Record<string, number> }>('GET', `phones/${phone}`)).queries;

async function outcomeOf(to: string, text: string) {
  const [message] = number.send({ to, text });
  if (!message) throw new Error('nothing was sent');
  await until(`"${text}" has an outcome`, () => number.outcomeOf(message));
  return number.outcomeOf(message);
}
const change = (group: string, body: Record<string, unknown>) =>
  stage.admin('PATCH', `groups/${encodeURIComponent(group)}`, body);

test('a group that the number was removed from refuses with the code of the network, whether it was told or not', async () => {
  const [told, untold] = [await groupOf(newPhone()), await groupOf(newPhone())];
  for (const group of [told, untold])
    expect(await outcomeOf(group, 'hello')).toMatchObject({ outcome: 'sent' });
  const notices = number.factsOf('group.notice').length;
  await change(told, { remove: [phone] });
  await change(untold, { remove: [phone], isQuiet: true });
  await until('it is told', () => number.factsOf('group.notice').length > notices);
  // What has to be asked before it leaves is refused here, and the message itself there.
  expect(await outcomeOf(told, 'gone')).toMatchObject({ outcome: 'failed', code: null, refusal: '403' });
  expect(await outcomeOf(untold, 'gone')).toMatchObject({ outcome: 'failed', code: '403' });
});

test('a group whose members are known otherwise by now gets the message after all, once', async () => {
  const reader = newPhone();
  const group = await groupOf(reader);
  await deliver(group, 'before', [reader]);
  await change(group, { rejectWith: '421', rejections: 1 });
  expect(await outcomeOf(group, 'after all')).toMatchObject({ outcome: 'sent' });
  await change(group, { rejectWith: '421', rejections: 2 });
  expect(await outcomeOf(group, 'in vain')).toMatchObject({ outcome: 'failed', code: '421' });
  expect(await countsIn(group)).toEqual({ before: 1, 'after all': 1 });
});

test('a member whose coming was told to nobody gets the first message and the next, and nobody gets one twice', async () => {
  const [old, late] = [newPhone(), newPhone()];
  const group = await groupOf(old);
  await deliver(group, 'before', [old]);
  await stage.admin('PATCH', `groups/${encodeURIComponent(group)}`, { add: [late], isQuiet: true });
  await deliver(group, 'first', [old, late]);
  await deliver(group, 'second', [old, late]);
  expect(await countsIn(group)).toEqual({ before: 1, first: 1, second: 1 });
});

test('an acknowledgement that counts other devices has the members asked for once, and no message sent again', async () => {
  const [stays, goes] = [newPhone(), newPhone()];
  const group = await groupOf(stays, goes);
  await deliver(group, 'before', [stays, goes]);
  await stage.admin('PATCH', `groups/${encodeURIComponent(group)}`, { remove: [goes], isQuiet: true });
  await deliver(group, 'without them', [stays]);
  const asked = (await queries())['w:g2'] ?? 0;
  await deliver(group, 'second', [stays]);
  expect((await queries())['w:g2']).toBe(asked + 1);
  await deliver(group, 'third', [stays]);
  expect((await queries())['w:g2']).toBe(asked + 1);
  expect(await countsIn(group)).toEqual({ before: 1, 'without them': 1, second: 1, third: 1 });
});

import { beforeAll, expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open({ factRepeatMs: 2_000 });
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

const write = (from: string, text: string) =>
  stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
const countOf = (text: string) =>
  number.inbound().filter((message) => textOf(message.content) === text).length;
const hasReached = (text: string) => stage.edge.received.some((frame) => frame.includes(text));

test('facts that an object lost with its memory come again over the same link, each once and in order', async () => {
  const { socket } = number;
  const from = newPhone();
  const texts = Array.from({ length: 5 }, (_, index) => `lost with the memory ${index}`);
  number.storesFacts = false;
  for (const text of texts) {
    await write(from, text);
    await stage.edge.until('it reaches the edge', () => hasReached(text));
  }
  number.storesFacts = true;
  number.hibernate();
  await write(from, 'after that');
  await stage.edge.until('all are there', () => countOf('after that') > 0);
  expect(
    number
      .inbound()
      .map(({ content }) => textOf(content))
      .slice(-6),
  ).toEqual([...texts, 'after that']);
  expect(number.socket).toBe(socket);
});

test('a fact that the edge refuses is not sent again and holds up nothing behind it', async () => {
  const from = newPhone();
  number.refuses = (fact) => JSON.stringify(fact).includes('poison');
  await write(from, 'poison');
  await stage.edge.until('it reaches the edge', () => hasReached('poison'));
  await write(from, 'behind it');
  await stage.edge.until('the next one is stored', () => countOf('behind it') > 0);
  const timesSent = () => stage.edge.received.filter((frame) => frame.includes('poison')).length;
  expect([timesSent(), countOf('poison')]).toEqual([1, 0]);
  stage.edge.cutLinks();
  await write(from, 'over the next link');
  await stage.edge.until('the next link carries facts', () => countOf('over the next link') > 0);
  expect(timesSent()).toBe(1);
  const parked = stage.logLines.filter((line) => line.includes('fact.parked'));
  expect(parked).toHaveLength(1);
  expect(parked.join()).not.toContain('poison');
});

test('a frame that the bridge does not know ends the link, and the next one goes on', async () => {
  const { socket } = number;
  socket?.send(JSON.stringify({ type: 'made.up' }));
  await stage.edge.until('there is another link', () => number.socket && number.socket !== socket);
  await write(newPhone(), 'after a strange frame');
  await stage.edge.until('facts go on', () => countOf('after a strange frame') > 0);
});

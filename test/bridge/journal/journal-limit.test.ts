import { expect, test } from 'vitest';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { newPhone, Stage } from '../stage.ts';

const stage = Stage.open();

const limitBytes = 2 * 1024 * 1024;

/** Lets a phone write to a number whose edge takes nothing, until its bridge says that the journal is full. */
async function fill(number: FakeNumber, phone: string, from: string): Promise<string[]> {
  const logged = stage.logLines.length;
  const texts: string[] = [];
  number.storesFacts = false;
  while (!stage.logLines.slice(logged).some((line) => line.includes('journal.full'))) {
    const text = `${String(texts.length).padStart(3, '0')} `.padEnd(60_000, 'x');
    texts.push(text);
    await stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
    expect(texts.length).toBeLessThan(200);
  }
  return texts;
}

/** What can be told apart and read in a failure. */
const names = (texts: string[]) => texts.map((text) => text.slice(0, 20)).toSorted();
const reported = (number: FakeNumber) => names(number.inbound().map(({ content }) => textOf(content)));
const journalled = () => stage.logLines.filter((line) => line.includes('inbound.journalled')).length;

test('with its journal full a bridge leaves messages with the network, says so, and takes them when there is room', async () => {
  const { bridgeId } = await stage.startBridge(await stage.newHome(), {}, limitBytes);
  const { number, phone } = await stage.pairedNumber(bridgeId);
  const from = newPhone();
  const texts = await fill(number, phone, from);
  await stage.admin('POST', `phones/${from}/messages`, { to: phone, text: 'with the network' });
  const [sent] = number.send({ to: from, text: 'sends go on' });
  await expect
    .poll(async () => (await stage.arrivalsAt(from)).map(({ text }) => text))
    .toContain('sends go on');
  expect(journalled()).toBeLessThan(texts.length);

  number.storesFacts = true;
  stage.edge.cutLinks();
  await stage.edge.until('all are reported', () => number.inbound().length === texts.length + 1);
  expect(reported(number)).toEqual(names([...texts, 'with the network']));
  await stage.edge.until('the outcome is reported', () => sent && number.outcomeOf(sent));
  expect(stage.logLines.some((line) => line.includes('journal.has_room'))).toBe(true);
});

test('what a full journal left with the network comes again over the next connection', async () => {
  const home = await stage.newHome();
  const first = await stage.startBridge(home, {}, limitBytes);
  const { number, phone } = await stage.pairedNumber(first.bridgeId);
  const texts = await fill(number, phone, newPhone());
  await first.close();
  number.storesFacts = true;
  await stage.startBridge(home, {}, limitBytes);
  // What the first bridge had read may be reported twice: the log knows it by the network's id.
  const once = () => [...new Set(reported(number))];
  await stage.edge.until('all are reported', () => once().length === texts.length);
  expect(once()).toEqual(names(texts));
});

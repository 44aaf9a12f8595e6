import { expect, test } from 'vitest';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
const until = (what: string, condition: () => unknown) => stage.edge.until(what, condition);

test('all of what waited comes in, however much, in order and once, and what is written then comes in behind it', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const friend = newPhone();
  const write = (text: string) => stage.admin('POST', `phones/${friend}/messages`, { to: phone, text });
  number.want({ type: 'session.stop', logout: false });
  await until('it is away', () => number.factsOf('session.disconnected').length > 0);
  // The network hands over a hundred at a time, and only when it is asked.
  const texts = Array.from({ length: 230 }, (_, index) => `while away ${index}`);
  for (const text of texts) await write(text);
  number.want({ type: 'session.start' });
  const heard = () =>
    number.inbound().flatMap(({ content }) => (content.type === 'text' ? [content.text] : []));
  await until('what waited is in', () => heard().length >= texts.length);
  await write('are you back?');
  await until('what is new is in', () => heard().includes('are you back?'));
  expect(heard()).toEqual([...texts, 'are you back?']);
});

import { expect, test } from 'vitest';
import { BridgeStage, newPhone } from '../../stage.ts';

const stage = BridgeStage.open();
const { until } = stage;

test('messages come in, and are confirmed, while the network answers no question, also by people and in groups that are not known', async () => {
  const { number, phone } = await stage.pairedNumber(stage.bridgeId);
  const [hidden, member, stranger] = [newPhone(), newPhone(), newPhone()];
  await stage.admin('PATCH', `phones/${hidden}`, { hidesNumber: true });
  const { lid } = await stage.admin<{ lid: string }>('GET', `phones/${hidden}`);
  const { id: group } = await stage.admin<{ id: string }>('POST', 'groups', {
    subject: 'Choir',
    members: [hidden, member, phone],
  });
  // A question would wait for a minute, and the ratchet with it: longer than this test does.
  const silent = { silent: true };
  await stage.admin('PATCH', `devices/${phone}`, {
    queries: { usync: silent, 'w:g2': silent, encrypt: silent, 'w:m': silent },
  });
  const texts = () =>
    number.inbound().map(({ from, content }) => [from, content.type === 'text' ? content.text : null]);
  const write = (from: string, to: string, text: string) =>
    stage.admin('POST', `phones/${from}/messages`, { to, text });
  await write(hidden, group, 'from nobody knows whom');
  await until('it comes in', () => texts().length === 1);
  await write(hidden, group, 'and again');
  await write(member, group, 'from a member');
  await write(stranger, phone, 'from somebody new');
  await until('all come in', () => texts().length === 4);
  expect(texts()).toEqual(
    expect.arrayContaining([
      [lid, 'from nobody knows whom'],
      [lid, 'and again'],
      [member, 'from a member'],
      [stranger, 'from somebody new'],
    ]),
  );
  // Whatever was told of is confirmed to the network, which keeps nothing of it.
  const waiting = async () =>
    (await stage.admin<{ devices: { waiting: number }[] }>('GET', `phones/${phone}`)).devices[0]?.waiting;
  await expect.poll(waiting).toBe(0);
});

test('a bridge that is asked to end while it looks up who wrote tells of the message first, and gives its number up', async () => {
  const bridge = await stage.startBridge(await stage.newHome(), { aliasLookupMs: 60_000 });
  const { number, phone } = await stage.pairedNumber(bridge.bridgeId);
  const hidden = newPhone();
  await stage.admin('PATCH', `phones/${hidden}`, { hidesNumber: true });
  const { lid } = await stage.admin<{ lid: string }>('GET', `phones/${hidden}`);
  const members = [hidden, phone];
  const { id: group } = await stage.admin<{ id: string }>('POST', 'groups', { subject: 'Choir', members });
  await stage.admin('PATCH', `devices/${phone}`, { queries: { 'w:g2': { silent: true } } });
  await stage.admin('POST', `phones/${hidden}/messages`, { to: group, text: 'just before the end' });
  const isJournalled = (line: string) =>
    line.includes(number.numberId) && line.includes('inbound.journalled');
  await until('the bridge has it', () => stage.logLines.some(isJournalled));
  await bridge.drain();
  expect(number.inbound()).toMatchObject([{ from: lid, content: { text: 'just before the end' } }]);
  const isReleased = () =>
    stage.edge.controlFrames.some(
      ({ frame }) => frame.type === 'lease.released' && frame.numberId === number.numberId,
    );
  await until('the number is given up', isReleased);
});

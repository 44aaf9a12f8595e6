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

interface Phone {
  lid: string;
  refusedMessages: number;
}

const describe = (who: string) => stage.admin<Phone>('GET', `phones/${who}`);
const script = (who: string, change: Record<string, unknown>) =>
  stage.admin('PATCH', `phones/${who}`, change);

/** Sends a text and answers what became of it. */
async function outcomeOf(to: string, text = 'hello') {
  const [message] = number.send({ to, text });
  await until('it has an outcome', () => message && number.outcomeOf(message));
  return message && number.outcomeOf(message);
}

test('somebody with an alias is written to under it, also the first time', async () => {
  const to = newPhone();
  await script(to, { rejectPnWith: '463' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 0 });
});

test('somebody who is refused under the alias is written to by number, once, and from then on', async () => {
  const to = newPhone();
  await script(to, { rejectLidWith: '400' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 1 });
  expect((await stage.arrivalsAt(to)).map(({ count }) => count)).toEqual([1, 1]);
});

test('another bridge knows how somebody is addressed', async () => {
  const to = newPhone();
  const { number: moved } = await stage.pairedNumber(stage.bridgeId);
  await script(to, { rejectLidWith: '463' });
  const [first] = moved.send({ to, text: 'from here' });
  await until('it is sent', () => first && moved.outcomeOf(first));
  const other = await stage.startBridge(await stage.newHome());
  await stage.edge.takeAway(moved);
  stage.edge.grant(moved, other.bridgeId);
  await until('the session connects there', () => moved.factsOf('session.connected').length > 1);
  const [second] = moved.send({ to, text: 'from there' });
  await until('it is sent', () => second && moved.outcomeOf(second));
  expect(await describe(to)).toMatchObject({ refusedMessages: 1 });
});

test('somebody who is refused under both addresses is tried under the other one once, and not again with the next message', async () => {
  const to = newPhone();
  await script(to, { rejectWith: '463' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'failed', code: '463' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 2 });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'failed', code: '463' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 3 });
});

test('somebody who was written to after a refusal may move back: the refusal says nothing any more', async () => {
  const to = newPhone();
  await script(to, { rejectLidWith: '400' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  await script(to, { rejectLidWith: null, rejectPnWith: '400' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 2 });
});

test('while the number may begin no new chats, nothing that was refused is tried again', async () => {
  const to = newPhone();
  await stage.admin('PATCH', `devices/${phone}`, { newChatsFrom: Date.now() + 3_600_000 });
  await script(to, { rejectLidWith: '463' });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'failed', code: '463' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 1 });
  await stage.admin('PATCH', `devices/${phone}`, { newChatsFrom: null });
});

test('somebody is answered under the address that their last message came from', async () => {
  const to = newPhone();
  await script(to, { addressing: 'pn', rejectLidWith: '400' });
  await stage.admin('POST', `phones/${to}/messages`, { to: phone, text: 'by number' });
  await until('it comes in', () => number.inbound().some(({ from }) => from === to));
  await until('how they are addressed is kept', () => {
    const key = [...number.vault.keys()].find(
      (one) => one.startsWith('contact-addressing/') && one.endsWith(`:${to}`),
    );
    return key !== undefined;
  });
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  await script(to, { addressing: 'lid', rejectLidWith: null, rejectPnWith: '463' });
  await stage.admin('POST', `phones/${to}/messages`, { to: phone, text: 'by alias' });
  await until('it comes in', () => number.inbound().filter(({ from }) => from === to).length === 2);
  expect(await outcomeOf(to)).toMatchObject({ outcome: 'sent' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 0 });
});

test('somebody who is known by the alias alone is answered under it', async () => {
  const stranger = newPhone();
  await script(stranger, { hidesNumber: true, rejectPnWith: '463' });
  await stage.admin('POST', `phones/${stranger}/messages`, { to: phone, text: 'who am I' });
  const { lid } = await describe(stranger);
  await until('it comes in', () => number.inbound().some(({ from }) => from === lid));
  expect(await outcomeOf(`${lid}@lid`, 'whoever you are')).toMatchObject({ outcome: 'sent' });
  expect(await stage.arrivalsAt(stranger)).toMatchObject([{ text: 'whoever you are', count: 1 }]);
});

test('a message whose encryption is stale is encrypted anew and sent once more, and no more than that', async () => {
  const to = newPhone();
  await outcomeOf(to);
  await script(to, { rejectWith: '479', rejections: 1 });
  expect(await outcomeOf(to, 'anew')).toMatchObject({ outcome: 'sent' });
  await script(to, { rejectWith: '479', rejections: 5 });
  expect(await outcomeOf(to, 'in vain')).toMatchObject({ outcome: 'failed', code: '479' });
  expect(await describe(to)).toMatchObject({ refusedMessages: 3 });
  expect((await stage.arrivalsAt(to)).map(({ text, count }) => [text, count])).toEqual([
    ['hello', 1],
    ['anew', 1],
  ]);
});

test('a message to somebody new asks for devices once and for keys once, and the next one asks nothing', async () => {
  const { number: fresh, phone: own } = await stage.pairedNumber(stage.bridgeId);
  const to = newPhone();
  const asked = async () => {
    const { queries } = await stage.admin<{ queries: Record<string, number> }>('GET', `phones/${own}`);
    return [queries.usync ?? 0, queries.encrypt ?? 0];
  };
  const sentTo = async (recipient: string) => {
    const [message] = fresh.send({ to: recipient, text: 'hello' });
    await until('it is sent', () => message && fresh.outcomeOf(message));
  };
  await sentTo(newPhone());
  const before = await asked();
  await sentTo(to);
  const first = await asked();
  await sentTo(to);
  const second = await asked();
  expect(first.map((count, kind) => count - (before[kind] ?? 0))).toEqual([1, 1]);
  expect(second).toEqual(first);
});

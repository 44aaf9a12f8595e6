import { beforeAll, expect, test } from 'vitest';
import type { OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

function sendOne(to: string, text: string, expiresInMs?: number): OutboundMessage {
  const [message] = number.send({ to, text, ...(expiresInMs !== undefined && { expiresInMs }) });
  if (!message) throw new Error('nothing was sent');
  return message;
}

function inboundWith(text: string) {
  return number.inbound().filter((message) => textOf(message.content) === text);
}

test('a text that the edge hands over arrives once, and is sent, delivered and read by a named recipient', async () => {
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { autoRead: true });
  const message = sendOne(to, 'good morning');
  await stage.edge.until('it is sent', () => number.outcomeOf(message));
  await stage.edge.until('it is read', () => number.receiptsOf(message).some(({ kind }) => kind === 'read'));
  expect(number.outcomeOf(message)?.outcome).toBe('sent');
  expect(number.receiptsOf(message)).toMatchObject([
    { kind: 'delivered', recipient: to, isGroup: false },
    { kind: 'read', recipient: to, isGroup: false },
  ]);
  expect(await stage.arrivalsAt(to)).toMatchObject([
    { id: message.providerMessageId, from: phone, text: 'good morning', count: 1 },
  ]);
});

test('receipts that name their author by privacy alias alone still name the phone number', async () => {
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { addressing: 'lid' });
  const message = sendOne(to, 'hello alias');
  await stage.edge.until('it is delivered', () => number.receiptsOf(message).length > 0);
  const { lid } = await stage.admin<{ lid: string }>('GET', `phones/${to}`);
  expect(number.receiptsOf(message)).toMatchObject([{ kind: 'delivered', recipient: to, recipientLid: lid }]);
});

test('a hundred texts to one chat arrive in the order in which they were handed over', async () => {
  const to = newPhone();
  const texts = Array.from({ length: 100 }, (_, index) => `number ${index}`);
  const messages = number.send(...texts.map((text) => ({ to, text })));
  await stage.edge.until('all are sent', () => messages.every((message) => number.outcomeOf(message)));
  const arrivals = await stage.arrivalsAt(to);
  expect(arrivals.map(({ text }) => text)).toEqual(texts);
  expect(new Set(arrivals.map(({ count }) => count))).toEqual(new Set([1]));
});

test('an address in a text is sent as it stands and fetched by nobody', async () => {
  const to = newPhone();
  const message = sendOne(to, `see ${stage.adminUrl}/admin/messages`);
  await stage.edge.until('it is sent', () => number.outcomeOf(message));
  expect(await stage.arrivalsAt(to)).toMatchObject([{ text: textOf(message.content), count: 1 }]);
});

test('a send that the network refuses fails with a sentence that says why', async () => {
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { rejectWith: '463' });
  const message = sendOne(to, 'hello stranger');
  await stage.edge.until('it fails', () => number.outcomeOf(message));
  expect(number.outcomeOf(message)).toMatchObject({
    outcome: 'failed',
    code: '463',
    errorMessage: 'The network restricts this number from messaging new contacts (463).',
  });
});

test('a message whose time is over is returned and does not leave', async () => {
  const to = newPhone();
  const message = sendOne(to, 'too late', 0);
  await stage.edge.until('it is returned', () =>
    number.sent.get(message.messageId)?.outcomes.some(({ outcome }) => outcome === 'returned'),
  );
  expect(await stage.arrivalsAt(to)).toEqual([]);
});

test('a message that is handed over twice leaves once and its outcome is repeated', async () => {
  const to = newPhone();
  const message = sendOne(to, 'only once');
  number.handOver([message]);
  await stage.edge.until('it is sent', () => number.outcomeOf(message));
  number.handOver([{ ...message, handedTo: 'you' }]);
  await stage.edge.until(
    'the outcome is repeated',
    () => number.sent.get(message.messageId)?.outcomes.length === 2,
  );
  expect(await stage.arrivalsAt(to)).toMatchObject([{ count: 1 }]);
});

test('without an ack from the network a message leaves once, and receipts prove that it was sent', async () => {
  await stage.admin('PATCH', 'network', { dropAckRate: 1 });
  const to = newPhone();
  const message = sendOne(to, 'no ack for this');
  await stage.edge.until('it is sent', () => number.outcomeOf(message));
  await stage.admin('PATCH', 'network', { dropAckRate: 0 });
  expect(number.outcomeOf(message)?.outcome).toBe('sent');
  expect(await stage.arrivalsAt(to)).toMatchObject([{ count: 1 }]);
});

test('a receipt for several messages proves of each of them that it has left', async () => {
  const to = newPhone();
  await stage.admin('PATCH', `phones/${to}`, { name: 'Eko' });
  const messages = ['one', 'two'].map((text): OutboundMessage => {
    const id = crypto.randomUUID();
    const providerMessageId = `3EB0${id.replaceAll('-', '').slice(0, 18).toUpperCase()}`;
    const address = { messageId: `msg_${id}`, providerMessageId, to, chatType: 'personal' as const };
    const content = { type: 'text' as const, text };
    return { ...address, content, handedTo: 'another', handOver: 1, expiresInMs: 86_400_000, typingMs: 0 };
  });
  const [first = '', second = ''] = messages.map(({ providerMessageId }) => providerMessageId);
  await stage.admin('POST', `devices/${phone}/stanza`, {
    tag: 'receipt',
    attrs: { id: first, from: `${to}@s.whatsapp.net`, t: '1' },
    content: [{ tag: 'list', attrs: {}, content: [{ tag: 'item', attrs: { id: second } }] }],
  });
  await stage.edge.until('both are delivered', () =>
    messages.every((message) => number.receiptsOf(message).length > 0),
  );
  for (const message of messages) number.sent.set(message.messageId, { message, outcomes: [] });
  number.handOver(messages);
  await stage.edge.until('both are sent', () => messages.every((message) => number.outcomeOf(message)));
  // Another bridge had sent them: nothing left from here.
  expect(await stage.arrivalsAt(to)).toEqual([]);
});

test.each(['pn', 'lid'])(
  'a text from a phone addressed by %s is reported under its phone number',
  async (addressing) => {
    const from = newPhone();
    await stage.admin('PATCH', `phones/${from}`, { addressing, name: 'Ana' });
    const text = `hello by ${addressing}`;
    const { id } = await stage.admin<{ id: string }>('POST', `phones/${from}/messages`, { to: phone, text });
    await stage.edge.until('it is reported', () => inboundWith(text).length > 0);
    const { lid } = await stage.admin<{ lid: string }>('GET', `phones/${from}`);
    expect(inboundWith(text)).toMatchObject([
      {
        providerMessageId: id,
        from,
        senderLid: lid,
        chatType: 'personal',
        pushName: 'Ana',
        content: { type: 'text' },
      },
    ]);
  },
);

test('a group takes a text from the number, and a text from a member is reported with its group', async () => {
  const member = newPhone();
  const members = [member, phone, newPhone()];
  const { id: group } = await stage.admin<{ id: string }>('POST', 'groups', { subject: 'Trial', members });
  const message = sendOne(group, 'hello everyone');
  await stage.edge.until('it is sent', () => number.outcomeOf(message));
  await stage.edge.until('a member has it', () =>
    number.receiptsOf(message).some(({ recipient, isGroup }) => isGroup && recipient === member),
  );
  await stage.admin('POST', `phones/${member}/messages`, { to: group, text: 'hello from the group' });
  await stage.edge.until('the answer is reported', () => inboundWith('hello from the group').length > 0);
  expect(inboundWith('hello from the group')).toMatchObject([
    { from: member, chatType: 'group', groupId: group },
  ]);
});

test('what the number itself writes from its phone is reported as such, with whom it went to', async () => {
  const other = await stage.pairedNumber(stage.edge.bridgeOf(number));
  await stage.admin('POST', `phones/${phone}/messages`, { to: other.phone, text: 'typed on the phone' });
  await stage.edge.until('it arrives', () => other.number.inbound().length > 0);
  await stage.admin('POST', `phones/${other.phone}/messages`, { to: phone, text: 'the answer to it' });
  await stage.edge.until('the answer is reported', () => inboundWith('the answer to it').length > 0);
  expect(inboundWith('typed on the phone')).toMatchObject([{ from: phone, sentTo: other.phone }]);
});

test('what people write in one moment, who have never written before, is reported in the order in which it was written', async () => {
  const texts = ['one', 'two', 'three', 'four', 'five'];
  const people = Array.from({ length: 8 }, newPhone);
  for (const from of people) {
    for (const text of texts) await stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
  }
  const of = (from: string) => number.inbound().filter((message) => message.from === from);
  await stage.edge.until('all are reported', () => people.every((from) => of(from).length === texts.length));
  for (const from of people) expect(of(from).map(({ content }) => textOf(content))).toEqual(texts);
});

test('facts that the edge did not acknowledge come again after the link was cut, and none is lost', async () => {
  const from = newPhone();
  number.storesFacts = false;
  const texts = Array.from({ length: 20 }, (_, index) => `while the edge forgets ${index}`);
  for (const text of texts) await stage.admin('POST', `phones/${from}/messages`, { to: phone, text });
  await stage.edge.until('they reach the edge', () =>
    stage.edge.received.join().includes(texts.at(-1) ?? ''),
  );
  number.storesFacts = true;
  stage.edge.cutLinks();
  await stage.edge.until('all are stored', () => texts.every((text) => inboundWith(text).length === 1));
});

test('sends handed over while the link is cut at every turn arrive once each', async () => {
  const to = newPhone();
  const messages = number.send(...Array.from({ length: 60 }, (_, index) => ({ to, text: `cut ${index}` })));
  for (const wanted of [5, 20, 40]) {
    const resolved = () => messages.filter((message) => number.outcomeOf(message)).length;
    await stage.edge.until(`${wanted} are sent`, () => resolved() >= wanted);
    stage.edge.cutLinks();
  }
  await stage.edge.until('all are sent', () => messages.every((message) => number.outcomeOf(message)));
  const arrivals = await stage.arrivalsAt(to);
  expect(arrivals).toHaveLength(60);
  expect(arrivals.filter(({ count }) => count !== 1)).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { type ArrivedMessage, Customer } from './stage/customer.ts';
import { GatewayProcess } from './stage/gateway-process.ts';

let gateway: GatewayProcess;
let customer: Customer;

beforeAll(async () => {
  gateway = await GatewayProcess.start();
  customer = await Customer.join(gateway);
});

afterAll(async () => {
  await customer?.leave();
  await gateway?.discard();
});

type Data = Record<string, unknown>;

/** The first callback of this event that bears all this. */
function told(event: string, data: Data): Promise<Data> {
  return waitUntil(`${event} with ${JSON.stringify(data)} did not arrive`, async () => {
    const found = customer.receiver.callbacks.find(
      (callback) =>
        callback.event === event &&
        Object.entries(data).every(([name, value]) => callback.data[name] === value),
    );
    return (found?.data as Data | undefined) ?? null;
  });
}

async function send(body: Data): Promise<string> {
  const response = await customer.sendOnce({ to: customer.recipient, ...body }, randomUUID());
  const answer = (await response.json()) as { messageId: string };
  expect([response.status, answer]).toEqual([202, expect.anything()]);
  await told('message.sent', { messageId: answer.messageId });
  return answer.messageId;
}

/** The phone of the recipient writes to the number. */
async function write(content: Data, from = customer.recipient, to = customer.phoneNumber): Promise<string> {
  const path = `/admin/phones/${from}/messages`;
  return (await customer.simulator<{ id: string }>('POST', path, { to, ...content })).id;
}

const recordOf = (messageId: unknown) => customer.get<Data>(`/v1/messages/${messageId}`);

/** What arrived at the phone under the network's id of a message. */
async function arrivalOf(messageId: string): Promise<ArrivedMessage & Data> {
  const { providerMessageId } = await recordOf(messageId);
  const found = (await customer.arrived()).filter(({ id }) => id === providerMessageId);
  expect(found).toHaveLength(1);
  return found[0] as ArrivedMessage & Data;
}

describe('every kind of message, through real processes', () => {
  test('a place, cards and an answer arrive as they were sent', async () => {
    const location = { latitude: -6.1754, longitude: 106.8272, name: 'Monument' };
    expect(await arrivalOf(await send({ type: 'location', location }))).toMatchObject({
      kind: 'location',
      count: 1,
      content: { latitude: -6.1754, longitude: 106.8272, name: 'Monument' },
    });
    const contacts = [{ name: 'Dewi', phoneNumber: '+62 898-7654-321' }];
    expect(await arrivalOf(await send({ type: 'contacts', contacts }))).toMatchObject({
      kind: 'contacts',
      content: [{ name: 'Dewi', vcard: expect.stringContaining('waid=628987654321') }],
    });
    const id = await write({ text: 'Shall we?' });
    const { messageId } = await told('message.received', { providerMessageId: id });
    const answer = await send({ text: 'Yes', quotedMessageId: messageId });
    expect(await arrivalOf(answer)).toMatchObject({ text: 'Yes', quotedMessageId: id });
  });

  test('votes in a poll come back, of several options and changed, and are counted on its record', async () => {
    const poll = { name: 'When?', options: ['Now', 'Later', 'Never'], selectableCount: 0 };
    const messageId = await send({ type: 'poll', poll });
    const { id } = await arrivalOf(messageId);
    await write({ vote: { messageId: id, options: ['Later', 'Now'] } });
    const first = await told('poll.voted', { messageId });
    expect(first).toMatchObject({ from: customer.recipient, options: ['Now', 'Later'] });
    await write({ vote: { messageId: id, options: ['Never'] } });
    const record = await waitUntil('the vote was not changed', async () => {
      const { poll: shown } = await recordOf(messageId);
      const { votes } = shown as { votes: { option: string; count: number }[] };
      return votes.find(({ option }) => option === 'Never')?.count === 1 ? votes : null;
    });
    expect(record.map(({ count }) => count)).toEqual([0, 0, 1]);
  });

  test('a message is reacted to, changed and taken back, by both sides', async () => {
    const messageId = await send({ text: 'with a mistaek' });
    const { id } = await arrivalOf(messageId);
    await write({ reaction: { messageId: id, emoji: '👍' } });
    await told('message.reaction', { messageId, from: customer.recipient, emoji: '👍' });
    await customer.admin('PATCH', `/v1/messages/${messageId}`, { text: 'without a mistake' });
    await told('message.edited', { messageId, direction: 'outbound', text: 'without a mistake' });
    await customer.admin('PUT', `/v1/messages/${messageId}/reaction`, { emoji: '🎉' });
    await told('message.reaction', { messageId, from: customer.phoneNumber, emoji: '🎉' });
    await customer.admin('DELETE', `/v1/messages/${messageId}`);
    await told('message.deleted', { messageId, direction: 'outbound' });
    expect(await recordOf(messageId)).toMatchObject({
      text: 'without a mistake',
      editedAt: expect.any(String),
      deletedAt: expect.any(String),
      reactions: expect.arrayContaining([expect.objectContaining({ from: customer.recipient, emoji: '👍' })]),
    });
    const kinds = (await customer.arrived()) as unknown as {
      kind?: string;
      content?: { messageId?: string };
    }[];
    const done = kinds.filter(({ content }) => content?.messageId === id).map(({ kind }) => kind);
    expect(done).toEqual(['edit', 'reaction', 'delete']);

    const theirs = await write({ text: 'Helo' });
    const received = await told('message.received', { providerMessageId: theirs });
    await write({ edit: { messageId: theirs, text: 'Hello' } });
    await told('message.edited', { messageId: received.messageId, direction: 'inbound', text: 'Hello' });
    await customer.admin('POST', `/v1/messages/${received.messageId}/read`);
    await write({ delete: { messageId: theirs } });
    await told('message.deleted', { messageId: received.messageId, direction: 'inbound' });
    await waitUntil('it was not marked as read', async () => {
      const path = `/admin/phones/${customer.phoneNumber}/activity`;
      const { data } = await customer.simulator<{ data: { kind: string; what: string }[] }>('GET', path);
      return data.some(({ kind, what }) => kind === 'read' && what === theirs) ? true : null;
    });
  });

  test('what a phone writes arrives as its kind, and something unknown by its name', async () => {
    const kinds = [
      [{ location: { latitude: 1, longitude: 2, name: 'Here' } }, 'location', { location: { name: 'Here' } }],
      [
        { contacts: [{ name: 'Dewi', phoneNumber: '628987654321' }] },
        'contacts',
        { contacts: [{ name: 'Dewi', phoneNumber: '628987654321' }] },
      ],
      [
        { poll: { name: 'Why?', options: ['a', 'b'] } },
        'poll',
        { poll: { name: 'Why?', options: ['a', 'b'] } },
      ],
      [{ text: 'forwarded', isForwarded: true }, 'text', { text: 'forwarded', isForwarded: true }],
      // A request for a payment.
      [{ protobuf: 'sgECEAE=' }, 'unsupported', { unsupportedType: 'requestPaymentMessage', text: '' }],
    ] as const;
    for (const [content, messageType, data] of kinds) {
      const id = await write(content);
      const received = await told('message.received', { providerMessageId: id });
      expect(received).toMatchObject({ messageType, from: customer.recipient, ...data });
    }
  });

  test('what the owner writes on the phone is told with its recipient', async () => {
    const id = await write({ text: 'typed', as: 'own' }, customer.phoneNumber, customer.recipient);
    const data = await told('message.sent_from_phone', { providerMessageId: id });
    expect(data).toMatchObject({ to: customer.recipient, text: 'typed', messageType: 'text' });
    expect(await recordOf(data.messageId)).toMatchObject({
      direction: 'outbound',
      status: 'sent',
      text: 'typed',
    });
  });
});

import { createCipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import { afterAll, describe, expect } from 'vitest';
import { LinkedClient } from '../simulator/stage/linked-client.ts';
import { waitUntil } from '../wait-until.ts';
import { type ArrivedMessage, Customer } from './stage/customer.ts';
import type { GatewayProcess } from './stage/gateway-process.ts';
import { test } from './stage/workers-gateway.ts';

let gateway: GatewayProcess;
let customer: Customer;

test.beforeAll(async ({ gateway: workers }) => {
  gateway = workers;
  customer = await Customer.join(gateway);
});

afterAll(() => customer?.leave());

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

  test('an edit that is sealed changes its message, and what is no message wakes nothing', async () => {
    const id = await write({ text: 'a mistaek', bearsSecret: true });
    const { messageId } = await told('message.received', { providerMessageId: id });
    await write({ reaction: { messageId: id, emoji: '👍', isSealed: true } });
    await told('message.reaction', { messageId, from: customer.recipient, emoji: '👍' });
    await write({ edit: { messageId: id, text: 'no mistake', isSealed: true } });
    await told('message.edited', { messageId, direction: 'inbound', text: 'no mistake' });
    expect(await recordOf(messageId)).toMatchObject({ text: 'no mistake', messageType: 'text' });

    const unread = async () => {
      const { data } = await customer.admin<{ data: Data[] }>('GET', '/v1/conversations?limit=200');
      return data.map(({ unreadCount }) => Number(unreadCount)).reduce((sum, one) => sum + one, 0);
    };
    const before = await unread();
    const key = { id, fromMe: true, remoteJid: `${customer.phoneNumber}@s.whatsapp.net` };
    const sealed = { targetMessageKey: key, encPayload: 'AAAA', encIv: 'AAAAAAAAAAAAAAAA' };
    const envelopes = [
      { secretEncryptedMessage: { ...sealed, secretEncType: 'MESSAGE_EDIT' } },
      { secretEncryptedMessage: { ...sealed, secretEncType: 'EVENT_EDIT' } },
      { encReactionMessage: sealed },
      { encCommentMessage: sealed },
      { pinInChatMessage: { key, type: 'PIN_FOR_ALL' } },
      { keepInChatMessage: { key, keepType: 'KEEP_FOR_ALL' } },
      { protocolMessage: { type: 'EPHEMERAL_SETTING', ephemeralExpiration: 86_400 } },
      { placeholderMessage: {} },
      { messageContextInfo: { messageSecret: 'AAAA' } },
    ];
    const unseen: string[] = [];
    for (const content of envelopes) unseen.push(await write({ content }));
    const last = await write({ text: 'and a message' });
    await told('message.received', { providerMessageId: last });
    expect(await unread()).toBe(before + 1);
    const seen = customer.receiver.callbacks.map(({ data }) => (data as Data).providerMessageId);
    expect(seen.filter((one) => unseen.includes(String(one)))).toEqual([]);
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

describe('a customer with an unmodified client who forges', () => {
  test('changes nothing that others wrote, takes nothing back, and votes for nobody else', async () => {
    const forger = new LinkedClient(`ws://127.0.0.1:${gateway.environment.SIMULATOR_PORT}/ws/chat`);
    await forger.pair(`http://127.0.0.1:${gateway.environment.SIMULATOR_PORT}`, customer.recipient);
    const third = `1556${customer.recipient.slice(4)}`;
    const members = [third, customer.recipient, customer.phoneNumber];
    const { id: group } = await customer.simulator<{ id: string }>('POST', '/admin/groups', {
      subject: 'Trial',
      members,
    });
    await told('group.created', { groupId: group });
    const poll = { name: 'Shall we?', options: ['Yes', 'No'], selectableCount: 1 };
    const ours = await send({ text: 'You owe 100' });
    const oursInGroup = await send({ to: group, text: 'Pay here' });
    const pollInGroup = await send({ to: group, type: 'poll', poll });
    const thirds = await write({ text: 'I agree' }, third, group);
    const { messageId: theirs } = await told('message.received', { providerMessageId: thirds });
    const records = () => Promise.all([ours, oursInGroup, pollInGroup, theirs].map(recordOf));
    const networkIds = (await records()).map(({ providerMessageId }) => String(providerMessageId));
    const [id, idInGroup, pollId] = networkIds as [string, string, string];
    const before = (await records()).map(({ text, poll: shown }) => ({ text, shown }));

    const own = `${customer.phoneNumber}@s.whatsapp.net`;
    const lids = await Promise.all(
      [customer.phoneNumber, third].map((phone) =>
        customer.simulator<{ lid: string }>('GET', `/admin/phones/${phone}`),
      ),
    );
    const [ownLid, thirdLid] = lids.map(({ lid }) => `${lid}@lid`) as [string, string];
    const say = (chat: string, message: proto.IMessage) =>
      forger.socket.relayMessage(chat, proto.Message.fromObject(message), {});
    const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
    const forged: [string, proto.IMessageKey][] = [
      ...[true, false].map((fromMe): [string, proto.IMessageKey] => [own, { remoteJid: own, fromMe, id }]),
      [own, { remoteJid: group, fromMe: false, id: idInGroup, participant: ownLid }],
      [group, { remoteJid: group, fromMe: false, id: idInGroup, participant: ownLid }],
      [group, { remoteJid: group, fromMe: false, id: thirds, participant: thirdLid }],
      [group, { remoteJid: group, fromMe: true, id: thirds, participant: thirdLid }],
      [group, { remoteJid: own, fromMe: true, id }],
    ];
    for (const [chat, key] of forged) {
      const edit = {
        protocolMessage: { key, type: MESSAGE_EDIT, editedMessage: { conversation: 'I owe you 100' } },
      };
      await say(chat, edit);
      await say(chat, { editedMessage: { message: edit } });
      await say(chat, { ephemeralMessage: { message: edit } });
      await say(chat, { deviceSentMessage: { destinationJid: chat, message: edit } });
      await say(chat, { protocolMessage: { key, type: REVOKE } });
      await say(chat, { pinInChatMessage: { key, type: 1 } });
      await say(chat, { keepInChatMessage: { key, keepType: 1 } });
    }
    // A message of the group is none of the chat of two.
    await say(own, {
      reactionMessage: {
        key: { remoteJid: group, fromMe: false, id: idInGroup, participant: ownLid },
        text: '👍',
      },
    });
    // With the secret of the poll, which every member has, a vote can be sealed in anybody's name.
    const secret = await waitUntil('the poll did not come', async () => {
      const found = forger.messages.find(({ key }) => key.id === pollId)?.message;
      return found?.messageContextInfo?.messageSecret ?? null;
    });
    await say(group, {
      pollUpdateMessage: {
        pollCreationMessageKey: { remoteJid: group, fromMe: false, id: pollId, participant: ownLid },
        vote: sealedVote(secret, pollId, ownLid, thirdLid, 'Yes'),
        senderTimestampMs: Date.now(),
      },
    });
    for (const chat of [own, group]) {
      const { key } = (await forger.socket.sendMessage(chat, { text: 'that was all' })) ?? {};
      await told('message.received', { providerMessageId: key?.id, text: 'that was all' });
    }

    expect((await records()).map(({ text, poll: shown }) => ({ text, shown }))).toEqual(before);
    for (const { deletedAt = null } of await records()) expect(deletedAt).toBeNull();
    const about = new Set([ours, oursInGroup, pollInGroup, theirs]);
    const { data } = await customer.get<{ data: { event: string; data: Data }[] }>('/v1/events?limit=1000');
    const changes = ['message.edited', 'message.deleted', 'message.reaction', 'poll.voted'];
    expect(data.filter((it) => changes.includes(it.event) && about.has(String(it.data.messageId)))).toEqual(
      [],
    );
    const kinds = data.map(({ data: { unsupportedType } }) => unsupportedType);
    expect(kinds.filter((kind) => kind !== undefined && kind !== 'requestPaymentMessage')).toEqual([]);

    // Whoever has made the group may take back what a member wrote.
    await write({ delete: { messageId: idInGroup } }, third, group);
    await told('message.deleted', { messageId: oursInGroup });
    await forger.disconnect();
  });
});

/** A vote for one option, as the network's clients seal it: in the name of whom it says. */
function sealedVote(secret: Uint8Array, pollId: string, creator: string, voter: string, option: string) {
  const info = `${pollId}${creator}${voter}Poll Vote`;
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32));
  const encIv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, encIv).setAAD(Buffer.from(`${pollId}\0${voter}`));
  const selectedOptions = [createHash('sha256').update(option).digest()];
  const plain = proto.Message.PollVoteMessage.encode({ selectedOptions }).finish();
  return { encPayload: Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]), encIv };
}

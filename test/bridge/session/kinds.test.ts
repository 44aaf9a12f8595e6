import { beforeAll, expect, test } from 'vitest';
import type { InboundMessage, OutboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { MessageChange } from '../../../src/contract/messages/changes.ts';
import {
  openEdit,
  openReaction,
  openVote,
  optionsOf,
} from '../../../src/durable/event-log/messages/sealed-changes.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

const stage = BridgeStage.open();
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

async function write(from: string, to: string, content: object): Promise<string> {
  return (await stage.admin<{ id: string }>('POST', `phones/${from}/messages`, { to, ...content })).id;
}

async function reported(id: string): Promise<InboundMessage> {
  const find = () => number.inbound().find(({ providerMessageId }) => providerMessageId === id);
  await stage.edge.until('it is reported', () => find() !== undefined);
  return find() as InboundMessage;
}

async function changeOf(id: string, change: MessageChange['change'], count = 1): Promise<MessageChange> {
  const found = () =>
    number
      .factsOf('changes')
      .flatMap(({ items }) => items)
      .filter((item) => item.target.providerMessageId === id && item.change === change);
  await stage.edge.until('the change is reported', () => found().length >= count);
  return found().at(-1) as MessageChange;
}

async function sent(to: string, content: OutboundMessage['content']): Promise<OutboundMessage> {
  const [message] = number.send({ to, content });
  if (!message) throw new Error('nothing was sent');
  await stage.edge.until('it is sent', () => number.outcomeOf(message) !== undefined);
  expect(number.outcomeOf(message)?.outcome).toBe('sent');
  return message;
}

const base64 = Buffer.from('some bytes').toString('base64');
const written: [string, object, object][] = [
  ['a place', { location: { latitude: 1, longitude: 2, name: 'Shop' } }, { type: 'location' }],
  [
    'a card',
    { contacts: [{ name: 'Dewi', phoneNumber: '628987654321' }] },
    { type: 'contacts', contacts: [{ name: 'Dewi', phoneNumber: '628987654321' }] },
  ],
  [
    'a poll',
    { poll: { name: 'When?', options: ['Now', 'Later'] } },
    { type: 'poll', secret: expect.any(String) },
  ],
  [
    'a picture',
    { media: { kind: 'image', mimetype: 'image/jpeg', base64, caption: 'Look' } },
    { type: 'image', media: { caption: 'Look', bytes: 10, source: { directPath: expect.any(String) } } },
  ],
  [
    'a voice note',
    { media: { kind: 'audio', mimetype: 'audio/ogg', base64, voice: true } },
    { type: 'audio', media: { voice: true } },
  ],
  ['a sticker', { media: { kind: 'sticker', mimetype: 'image/webp', base64 } }, { type: 'sticker' }],
  [
    'a picture to be seen once, in a chat that forgets',
    { media: { kind: 'image', mimetype: 'image/jpeg', base64 }, viewOnce: true, isEphemeral: true },
    { type: 'image', viewOnce: true, isEphemeral: true },
  ],
  ['a forwarded text', { text: 'Read this', isForwarded: true }, { type: 'text', isForwarded: true }],
];

test.each(written)('%s from a phone is reported as what it is', async (_, content, expected) => {
  const id = await write(newPhone(), phone, content);
  expect((await reported(id)).content).toMatchObject(expected);
});

test('a reply from a phone says what it answers, also in a group, and whom it mentions', async () => {
  const from = newPhone();
  const message = await sent(from, { type: 'text', text: 'Shall we?' });
  const reply = await reported(
    await write(from, phone, { text: `Yes @${phone}`, quoted: message.providerMessageId, mentions: [phone] }),
  );
  expect(reply.content).toMatchObject({
    quoted: { providerMessageId: message.providerMessageId, isOwn: true, text: 'Shall we?' },
    mentions: [phone],
  });
  const members = [from, phone];
  const { id: group } = await stage.admin<{ id: string }>('POST', 'groups', { subject: 'Trial', members });
  const first = await write(from, group, { text: 'in the group' });
  const second = await reported(await write(from, group, { text: 'and again', quoted: first }));
  expect(second.content).toMatchObject({ quoted: { providerMessageId: first, isOwn: false, author: from } });
});

test('what the owner writes on the phone is reported with its recipient, and not as received', async () => {
  const to = newPhone();
  const id = await write(phone, to, { text: 'from my phone', as: 'own' });
  expect(await reported(id)).toMatchObject({ from: phone, sentTo: to, chatType: 'personal' });
});

test('reactions, changes and deletions by the other side name the message and who did it', async () => {
  const from = newPhone();
  const message = await sent(from, { type: 'text', text: 'Shall we?' });
  await write(from, phone, { reaction: { messageId: message.providerMessageId, emoji: '👍' } });
  expect(await changeOf(message.providerMessageId, 'reaction')).toMatchObject({
    target: { isOwn: true },
    chatType: 'personal',
    chat: from,
    from,
    emoji: '👍',
  });
  const id = await write(from, phone, { text: 'A text with a mistaek' });
  await write(from, phone, { edit: { messageId: id, text: 'A text without a mistake' } });
  expect(await changeOf(id, 'edited')).toMatchObject({
    target: { isOwn: false, author: from },
    text: 'A text without a mistake',
  });
  await write(from, phone, { delete: { messageId: id } });
  expect(await changeOf(id, 'deleted')).toMatchObject({ target: { isOwn: false, author: from }, from });
});

test.each(['pn', 'lid'])(
  'what newer phones seal, by somebody addressed by %s, opens with the secret of its message',
  async (addressing) => {
    const from = newPhone();
    await stage.admin('PATCH', `phones/${from}`, { addressing });
    const id = await write(from, phone, { text: 'A text with a mistaek', bearsSecret: true });
    const { secret = '' } = (await reported(id)).content;
    await write(from, phone, { edit: { messageId: id, text: 'without a mistake', isSealed: true } });
    await write(from, phone, { reaction: { messageId: id, emoji: '👍', isSealed: true } });
    const [edit, reaction] = [await changeOf(id, 'sealed_edit'), await changeOf(id, 'sealed_reaction')];
    if (edit.change !== 'sealed_edit' || reaction.change !== 'sealed_reaction') throw new Error('not sealed');
    expect(edit).toMatchObject({ from, target: { isOwn: false, author: from } });
    expect(openEdit({ ...edit, targetId: id, secret })).toBe('without a mistake');
    expect(openReaction({ ...reaction, targetId: id, secret })).toBe('👍');
  },
);

test('what the owner does on the phone to a message is reported as theirs', async () => {
  const from = newPhone();
  const id = await write(from, phone, { text: 'Hello' });
  await reported(id);
  await write(phone, from, { reaction: { messageId: id, emoji: '❤️' }, as: 'own' });
  expect(await changeOf(id, 'reaction')).toMatchObject({
    target: { isOwn: false, author: from },
    chat: from,
    from: phone,
    emoji: '❤️',
  });
  const own = await write(phone, from, { text: 'My answer', as: 'own' });
  await write(phone, from, { delete: { messageId: own }, as: 'own' });
  expect(await changeOf(own, 'deleted')).toMatchObject({
    target: { isOwn: true, author: phone },
    from: phone,
  });
});

test.each(['pn', 'lid'])(
  'votes in a poll of the number, by somebody addressed by %s, open with the secret of the poll',
  async (addressing) => {
    const from = newPhone();
    await stage.admin('PATCH', `phones/${from}`, { addressing });
    const secret = Buffer.alloc(32, 6).toString('base64');
    const options = ['Now', 'Later', 'Never'];
    const poll = await sent(from, {
      type: 'poll',
      poll: { name: 'When?', options, selectableCount: 0 },
      secret,
    });
    const id = poll.providerMessageId;
    const votes = [['Later', 'Now'], ['Never'], []];
    for (const [index, chosen] of votes.entries()) {
      await write(from, phone, { vote: { messageId: id, options: chosen } });
      const vote = await changeOf(id, 'vote', index + 1);
      if (vote.change !== 'vote') throw new Error('no vote');
      const sealed = { ...vote, targetId: id, authors: vote.creators, doers: vote.voters };
      const hashes = openVote({ ...sealed, secret });
      expect(hashes && optionsOf(options, hashes)).toEqual(
        options.filter((option) => chosen.includes(option)),
      );
      expect(openVote({ ...sealed, secret: Buffer.alloc(32, 7).toString('base64') })).toBeNull();
    }
  },
);

test('a call is reported once it rings', async () => {
  const from = newPhone();
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${from}/calls`, {
    to: phone,
    isVideo: true,
  });
  const calls = () => number.factsOf('calls').flatMap(({ items }) => items);
  await stage.edge.until('it is reported', () => calls().some(({ callId }) => callId === id));
  expect(calls().find(({ callId }) => callId === id)).toMatchObject({ from, isVideo: true, isGroup: false });
});

const outbound: [string, OutboundMessage['content'], object][] = [
  [
    'a place',
    { type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Shop' } },
    { kind: 'location', content: { latitude: 1.5, longitude: 2, name: 'Shop' } },
  ],
  [
    'a card',
    { type: 'contacts', contacts: [{ name: 'Dewi', phoneNumber: '628987654321' }] },
    { kind: 'contacts', content: [{ name: 'Dewi' }] },
  ],
  [
    'a poll',
    { type: 'poll', poll: { name: 'When?', options: ['Now', 'Later'], selectableCount: 1 } },
    { kind: 'poll', content: { name: 'When?', options: ['Now', 'Later'], selectableCount: 1 } },
  ],
  [
    'a text that mentions somebody',
    { type: 'text', text: 'Hi @628987654321', mentions: ['628987654321'], isForwarded: true },
    { text: 'Hi @628987654321', mentions: ['628987654321'], isForwarded: true },
  ],
];

test.each(outbound)('%s arrives as it was sent, once', async (_, content, expected) => {
  const to = newPhone();
  const { providerMessageId } = await sent(to, content);
  expect(await stage.arrivalsAt(to)).toMatchObject([{ id: providerMessageId, count: 1, ...expected }]);
});

test('a reply arrives with what it answers', async () => {
  const from = newPhone();
  const id = await write(from, phone, { text: 'Shall we?' });
  await reported(id);
  const quoted = { providerMessageId: id, isOwn: false, author: from, text: 'Shall we?' };
  await sent(from, { type: 'text', text: 'Yes', quoted });
  expect(await stage.arrivalsAt(from)).toMatchObject([{ text: 'Yes', quotedMessageId: id }]);
});

test('what is done to messages arrives as that, and a read mark is seen', async () => {
  const them = newPhone();
  const { providerMessageId } = await sent(them, { type: 'text', text: 'with a mistaek' });
  const targetId = `msg_${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`;
  const target = { providerMessageId, isOwn: true };
  await sent(them, { type: 'edit', targetId, target, text: 'without a mistake' });
  await sent(them, { type: 'reaction', targetId, target, emoji: '👍' });
  await sent(them, { type: 'delete', targetId, target });
  expect((await stage.arrivalsAt(them)).slice(1)).toMatchObject([
    { kind: 'edit', content: { messageId: providerMessageId, text: 'without a mistake' }, count: 1 },
    { kind: 'reaction', content: { messageId: providerMessageId, emoji: '👍' }, count: 1 },
    { kind: 'delete', content: { messageId: providerMessageId }, count: 1 },
  ]);
  const id = await write(them, phone, { text: 'Read me' });
  await reported(id);
  await sent(them, { type: 'read', targetId, target: { providerMessageId: id, isOwn: false, author: them } });
  const seen = () =>
    stage.admin<{ data: { kind: string; what: string }[] }>('GET', `phones/${phone}/activity`);
  expect((await seen()).data).toContainEqual(expect.objectContaining({ kind: 'read', what: id }));
});

import { evictDurableObject } from 'cloudflare:test';
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { MessageChange } from '../../../src/contract/messages/changes.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import {
  eventsOf,
  type LogStub,
  newLog,
  queued,
  received,
  record,
  sent,
  start,
} from './event-log-fixture.ts';

const own = '15550000001';
const them = '628123456789';
const later = (seconds: number) => new Date(start + seconds * 1000).toISOString();

function changed(numberId: string, change: object): Fact {
  const head = { chatType: 'personal', chat: them, from: them, at: later(10) };
  return { kind: 'message.changed', numberId, own, change: { ...head, ...change } as MessageChange };
}

const told = async (log: LogStub, event: string) =>
  (await eventsOf(log)).map(({ envelope }) => envelope).filter((envelope) => envelope.event === event);

/** A log with one message each way, of one number. */
async function withMessages() {
  const log = newLog();
  const message = record();
  const { numberId } = message;
  await log.take([queued(message), sent(message), received({ providerMessageId: 'IN1' }, numberId)]);
  const inbound = (await log.messages({ direction: 'inbound' }, 1, null)).messages[0];
  if (!inbound) throw new Error('nothing came in');
  const toOwn = { providerMessageId: providerMessageIdOf(message.messageId), isOwn: true };
  const toTheirs = { providerMessageId: 'IN1', isOwn: false, author: them };
  return { log, numberId, message, inbound, toOwn, toTheirs };
}

describe('a message', () => {
  test('that its author has changed says so, is found by its new words alone, and tells it once', async () => {
    const { log, numberId, inbound, toTheirs } = await withMessages();
    expect((await log.messages({ q: 'hello' }, 5, null)).messages).toHaveLength(2);
    const edit = changed(numberId, { change: 'edited', target: toTheirs, text: 'good morning' });
    await log.take([edit, edit]);
    await evictDurableObject(log);
    await log.take([edit]);
    expect(await log.message(inbound.messageId)).toMatchObject({
      content: { type: 'text', text: 'good morning' },
      editedAt: start + 10_000,
    });
    expect((await log.messages({ q: 'morning' }, 5, null)).messages).toHaveLength(1);
    expect((await log.messages({ q: 'hello' }, 5, null)).messages).toHaveLength(1);
    expect((await told(log, 'message.edited')).map(({ data }) => data)).toEqual([
      {
        messageId: inbound.messageId,
        numberId,
        providerMessageId: 'IN1',
        chat: `${them}@s.whatsapp.net`,
        direction: 'inbound',
        text: 'good morning',
        editedAt: later(10),
      },
    ]);
  });

  test('is not changed by what is older than what is known of it', async () => {
    const { log, numberId, inbound, toTheirs } = await withMessages();
    await log.take([
      changed(numberId, { change: 'edited', target: toTheirs, text: 'second', at: later(20) }),
      changed(numberId, { change: 'edited', target: toTheirs, text: 'first', at: later(10) }),
    ]);
    expect(await log.message(inbound.messageId)).toMatchObject({ content: { text: 'second' } });
    await log.take([changed(numberId, { change: 'deleted', target: toTheirs, at: later(30) })]);
    await log.take([
      changed(numberId, { change: 'edited', target: toTheirs, text: 'third', at: later(40) }),
      changed(numberId, { change: 'deleted', target: toTheirs, at: later(50) }),
    ]);
    expect(await log.message(inbound.messageId)).toMatchObject({
      content: { text: 'second' },
      deletedAt: start + 30_000,
    });
    expect(await told(log, 'message.deleted')).toMatchObject([
      { data: { messageId: inbound.messageId, direction: 'inbound', deletedAt: later(30) } },
    ]);
  });

  test('to a group is changed by the phone that sent it, not by the one that the number has by then', async () => {
    const [log, to, other] = [newLog(), '120363041234567890@g.us', '15550000002'];
    const message = record({ to, chatType: 'group' });
    const target = { providerMessageId: providerMessageIdOf(message.messageId), isOwn: true };
    const edit = (from: string, text: string): Fact =>
      Object.assign(
        changed(message.numberId, { change: 'edited', chatType: 'group', chat: to, target, from, text }),
        { own: other },
      );
    await log.take([sent(message), edit(own, 'its own'), edit(other, 'not its own')]);
    expect(await log.message(message.messageId)).toMatchObject({ content: { text: 'its own' } });
  });

  test('bears what its sender has called it on every event of what is done to it', async () => {
    const log = newLog();
    const message = record({ clientReference: 'order-1042' });
    const { numberId } = message;
    const target = { providerMessageId: providerMessageIdOf(message.messageId), isOwn: true };
    const change = (change: object) => changed(numberId, { target, ...change });
    await log.take([
      sent(message),
      change({ change: 'reaction', emoji: '👍' }),
      change({ change: 'edited', from: own, text: 'hello again' }),
      change({ change: 'deleted', from: own, at: later(20) }),
    ]);
    for (const event of ['message.reaction', 'message.edited', 'message.deleted'])
      expect(await told(log, event), event).toMatchObject([{ data: { clientReference: 'order-1042' } }]);
  });

  test('has one reaction of each person, the newest, and none that was taken back', async () => {
    const { log, numberId, message, toOwn } = await withMessages();
    const react = (emoji: string, seconds: number, from = them) =>
      changed(numberId, { change: 'reaction', target: toOwn, emoji, from, at: later(seconds) });
    await log.take([react('👍', 1), react('❤️', 2), react('👍', 1), react('🎉', 3, own), react('', 4, own)]);
    expect(await log.message(message.messageId)).toMatchObject({
      reactions: { [them]: { emoji: '❤️' }, [own]: { emoji: '' } },
    });
    const events = await told(log, 'message.reaction');
    expect(events.map(({ data }) => 'emoji' in data && data.emoji)).toEqual(['👍', '❤️', '🎉', '']);
    expect(events[1]?.data).toEqual({
      messageId: message.messageId,
      numberId,
      chat: `${them}@s.whatsapp.net`,
      from: them,
      emoji: '❤️',
      reactedAt: later(2),
    });
  });

  test('of another number of the account, or that nobody knows, is not touched', async () => {
    const { log, message, toOwn, toTheirs, inbound, numberId } = await withMessages();
    await log.take([
      changed(newUuid(), { change: 'deleted', target: toOwn }),
      changed(newUuid(), { change: 'deleted', target: toTheirs }),
      changed(newUuid(), { change: 'reaction', target: toOwn, emoji: '👍' }),
      changed(numberId, { change: 'deleted', target: { ...toTheirs, providerMessageId: 'IN2' } }),
    ]);
    for (const { messageId } of [message, inbound]) {
      expect(await log.message(messageId)).toMatchObject({ deletedAt: null, reactions: {} });
    }
    expect(await told(log, 'message.deleted')).toEqual([]);
    expect(await told(log, 'message.reaction')).toEqual([]);
  });
});

test('a mind that is changed within one second of the network counts as changed', async () => {
  const { log, numberId, message, toOwn } = await withMessages();
  const react = (emoji: string) => changed(numberId, { change: 'reaction', target: toOwn, emoji });
  await log.take([react('👍'), react('👍'), react('❤️')]);
  expect(await log.message(message.messageId)).toMatchObject({ reactions: { [them]: { emoji: '❤️' } } });
  expect(await told(log, 'message.reaction')).toHaveLength(2);
});

describe('what the owner writes on the phone', () => {
  test('is an outbound message of no sender, told as such once, and can be taken back', async () => {
    const log = newLog();
    const numberId = newUuid();
    const more = { providerMessageId: '3A01', from: own, sentTo: them, pushName: 'Shop' };
    const fact = received({ ...more, content: { type: 'text', text: 'typed' } }, numberId);
    await log.take([fact, fact]);
    const [message, ...others] = (await log.messages({ to: them }, 5, null)).messages;
    expect(others).toEqual([]);
    expect(message).toMatchObject({ direction: 'outbound', status: 'sent', peer: them, senderSource: null });
    expect((await told(log, 'message.sent_from_phone')).map(({ data }) => data)).toEqual([
      {
        messageId: message?.messageId,
        numberId,
        providerMessageId: '3A01',
        to: them,
        messageType: 'text',
        text: 'typed',
        isGroup: false,
        pushName: 'Shop',
        chatType: 'personal',
      },
    ]);
    const target = { providerMessageId: '3A01', isOwn: true, author: own };
    await log.take([changed(numberId, { change: 'deleted', target, from: own })]);
    expect(await log.message(message?.messageId ?? '')).toMatchObject({ deletedAt: start + 10_000 });
  });
});

test('a reply says which message of the account it answers, where there is such', async () => {
  const { log, numberId, message, inbound } = await withMessages();
  const reply = (providerMessageId: string, quoted: object) =>
    received(
      { providerMessageId, content: { type: 'text', text: 'yes', quoted: { text: '', ...quoted } as never } },
      numberId,
    );
  await log.take([
    reply('IN2', { providerMessageId: providerMessageIdOf(message.messageId), isOwn: true, author: own }),
    reply('IN3', { providerMessageId: 'IN1', isOwn: false, author: them }),
    reply('IN4', { providerMessageId: 'gone', isOwn: false, author: them }),
  ]);
  const quotedBy = (await told(log, 'message.received')).map(
    ({ data }) => 'quotedMessageId' in data && data.quotedMessageId,
  );
  expect(quotedBy).toEqual([false, message.messageId, inbound.messageId, false]);
});

test('a reply that names its author by number alone finds a message that came with the alias', async () => {
  const log = newLog();
  const numberId = newUuid();
  const senderLid = '100000000000017';
  const quoted = { providerMessageId: 'IN1', isOwn: false, author: them, text: 'hello' };
  await log.take([
    received({ providerMessageId: 'IN1', from: them, senderLid }, numberId),
    received(
      { providerMessageId: 'IN2', from: them, senderLid, content: { type: 'text', text: 'so?', quoted } },
      numberId,
    ),
  ]);
  const [first, reply] = (await told(log, 'message.received')).map(({ data }) => data);
  if (first === undefined || !('messageId' in first)) throw new Error('nothing came in');
  expect(reply).toMatchObject({ quotedMessageId: first.messageId });
});

test('a change of what somebody wrote who is known by an alias alone is told as one in the chat of the alias', async () => {
  const [log, numberId, lid] = [newLog(), newUuid(), '100000000000018'];
  const target = { providerMessageId: 'IN1', isOwn: false, author: lid, authorLid: lid };
  const change = { change: 'edited', target, text: 'good morning', chat: lid, from: lid, fromLid: lid };
  await log.take([
    received({ providerMessageId: 'IN1', from: lid, senderLid: lid }, numberId),
    changed(numberId, change),
  ]);
  expect(await told(log, 'message.edited')).toMatchObject([{ data: { chat: `${lid}@lid` } }]);
});

test('a vote opens with the secret of its poll, may be of several options, and replaces the one before', async () => {
  const log = newLog();
  const secret = randomBytes(32);
  const options = ['Now', 'Later', 'Never'];
  const clientReference = 'order-1042';
  const poll = record({
    clientReference,
    content: {
      type: 'poll',
      poll: { name: 'When?', options, selectableCount: 0 },
      secret: secret.toString('base64'),
    },
  });
  const { messageId, numberId } = poll;
  const pollId = providerMessageIdOf(poll.messageId);
  const creators = [`${own}@s.whatsapp.net`, '900000000001@lid'];
  const voters = [`${them}@s.whatsapp.net`, '900000000002@lid'];
  const vote = (chosen: string[], seconds: number, key = secret) =>
    changed(poll.numberId, {
      change: 'vote',
      target: { providerMessageId: pollId, isOwn: true },
      at: later(seconds),
      creators,
      voters,
      ...sealedVote(key, pollId, creators[1] ?? '', voters[1] ?? '', chosen),
    });
  const first = vote(['Never', 'Now'], 1);
  await log.take([
    queued(poll),
    sent(poll),
    first,
    first,
    vote(['Later'], 2),
    vote(['Never'], 1),
    vote(['Now'], 3, randomBytes(32)),
  ]);
  expect((await told(log, 'poll.voted')).map(({ data }) => data)).toEqual([
    { messageId, numberId, from: them, options: ['Now', 'Never'], votedAt: later(1), clientReference },
    { messageId, numberId, from: them, options: ['Later'], votedAt: later(2), clientReference },
  ]);
  expect(await log.message(poll.messageId)).toMatchObject({ votes: { [them]: { options: ['Later'] } } });
});

test('a sealed edit opens with the secret that its message came with, and changes nothing where that is missing', async () => {
  const log = newLog();
  const { numberId } = record();
  const secret = randomBytes(32);
  const words = (text: string, more = {}) => ({ content: { type: 'text', text, ...more } as const });
  await log.take([
    received(
      { providerMessageId: 'IN1', ...words('mistaek', { secret: secret.toString('base64') }) },
      numberId,
    ),
    received({ providerMessageId: 'IN2', ...words('mistaek') }, numberId),
  ]);
  const events = (await eventsOf(log)).length;
  const names = [`${them}@s.whatsapp.net`];
  const edit = (providerMessageId: string) =>
    changed(numberId, {
      change: 'sealed_edit',
      target: { providerMessageId, isOwn: false, author: them },
      ...sealed(secret, 'Message Edit', providerMessageId, names[0] ?? '', Buffer.from('\n\nno mistake')),
      authors: names,
      doers: names,
    });
  await log.take([edit('IN1'), edit('IN2'), edit('IN1')]);
  expect((await eventsOf(log)).slice(events).map(({ envelope }) => envelope)).toMatchObject([
    { event: 'message.edited', data: { providerMessageId: 'IN1', text: 'no mistake' } },
  ]);
  const texts = (await log.messages({}, 5, null)).messages.map(
    ({ content }) => 'text' in content && content.text,
  );
  expect(texts.sort()).toEqual(['mistaek', 'no mistake']);
});

test('an edit in words of what has none changes nothing', async () => {
  const log = newLog();
  const { numberId } = record();
  const location = { latitude: 1, longitude: 2 };
  await log.take([received({ providerMessageId: 'IN1', content: { type: 'location', location } }, numberId)]);
  const target = { providerMessageId: 'IN1', isOwn: false, author: them };
  await log.take([changed(numberId, { change: 'edited', target, text: 'elsewhere' })]);
  expect(await told(log, 'message.edited')).toEqual([]);
});

/** What is done to a message, as the network's clients seal it without associated data. */
function sealed(secret: Buffer, sealedFor: string, targetId: string, name: string, plain: Buffer) {
  const info = `${targetId}${name}${name}${sealedFor}`;
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const payload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { payload: payload.toString('base64'), iv: iv.toString('base64') };
}

/** As the network's clients seal a vote. */
function sealedVote(secret: Buffer, pollId: string, creator: string, voter: string, chosen: string[]) {
  const hmac = (key: Uint8Array, data: Uint8Array) => createHmac('sha256', key).update(data).digest();
  const info = Buffer.concat([Buffer.from(`${pollId}${creator}${voter}Poll Vote`), Buffer.from([1])]);
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', hmac(hmac(Buffer.alloc(32), secret), info), iv);
  cipher.setAAD(Buffer.from(`${pollId}\0${voter}`));
  const plain = Buffer.concat(
    chosen.map((option) =>
      Buffer.concat([Buffer.from([0x0a, 32]), createHash('sha256').update(option).digest()]),
    ),
  );
  const payload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { payload: payload.toString('base64'), iv: iv.toString('base64') };
}

test('what became of a file is told once, however often its number says so, and with the words that it has by now', async () => {
  const log = newLog();
  const numberId = newUuid();
  const mediaId = newUuid();
  const image = (status: 'pending' | 'ready') =>
    ({
      type: 'image',
      media: {
        ...{ mediaId, mimetype: 'image/jpeg', bytes: 5, sha256: 'ab'.repeat(32) },
        ...{ status, caption: 'mistaek' },
      },
    }) as const;
  const withFile = (status: 'pending' | 'ready') =>
    received({ providerMessageId: 'IN9', at: later(1), content: image(status) }, numberId);
  const settled = { ...withFile('ready'), kind: 'message.media' } as Fact;
  const outbound = record({ numberId, content: image('pending') });
  const targets = [
    { target: { providerMessageId: 'IN9', isOwn: false, author: them }, from: them },
    {
      target: { providerMessageId: providerMessageIdOf(outbound.messageId), isOwn: true, author: own },
      from: own,
    },
  ];
  await log.take([withFile('pending'), sent(outbound)]);
  await log.take(targets.map((of) => changed(numberId, { change: 'edited', text: 'no mistake', ...of })));
  await log.take([settled, settled]);
  await log.take([settled, { kind: 'message.completed', message: { ...outbound, content: image('ready') } }]);
  expect(await told(log, 'message.media')).toHaveLength(1);
  const media = { status: 'ready', caption: 'no mistake' };
  expect((await log.messages({ numberId }, 5, null)).messages).toMatchObject([
    { content: { media } },
    { content: { media } },
  ]);
});

test('whoever is heard of first by a message that comes with its file is a contact', async () => {
  const log = newLog();
  const content = { type: 'image' as const, media: { mediaId: newUuid(), mimetype: 'image/png', bytes: 1 } };
  const fact = received({ from: '628999000111', pushName: 'Citra', content });
  if (fact.kind !== 'message.received') throw new Error('it is no message');
  await log.take([{ ...fact, kind: 'message.media' }]);
  expect(await log.contactsAt(['628999000111'])).toMatchObject([{ pushName: 'Citra' }]);
});

test('what happened to a group is told once, however often its number says so', async () => {
  const log = newLog();
  const group = { numberId: newUuid(), groupId: '120363041234567890@g.us', subject: 'Team' };
  const fact = {
    kind: 'group.changed',
    revision: 1,
    at: start,
    ...group,
    news: [{ event: 'group.created' }],
  };
  await log.take([fact, fact] as Fact[]);
  await log.take([fact as Fact]);
  expect((await told(log, 'group.created')).map(({ data }) => data)).toEqual([group]);
});

test('a call is told once, however often the network tells of it', async () => {
  const log = newLog();
  const numberId = newUuid();
  const call = { callId: 'C1', from: them, isVideo: false, isGroup: false, at: later(1) };
  const fact: Fact = { kind: 'call.received', numberId, call };
  await log.take([fact, fact]);
  await log.take([fact]);
  expect((await told(log, 'call.received')).map(({ data }) => data)).toEqual([{ numberId, ...call }]);
  // Ids of calls are those of one phone: another number may have the same.
  const other = newUuid();
  await log.take([{ ...fact, numberId: other }]);
  expect(await told(log, 'call.received')).toMatchObject([
    { data: { numberId } },
    { data: { numberId: other } },
  ]);
  // However many there were before.
  const many = Array.from({ length: 101 }, (_, index) => ({
    ...fact,
    call: { ...call, callId: `M${index}` },
  }));
  for (const facts of [many.slice(0, 60), many.slice(60), many.slice(-1)]) await log.take(facts);
  expect(await told(log, 'call.received')).toHaveLength(2 + 101);
});

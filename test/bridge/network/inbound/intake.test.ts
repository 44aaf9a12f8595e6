import { EventEmitter } from 'node:events';
import { type BinaryNode, encodeWAMessage, proto, type WASocket } from '@whiskeysockets/baileys';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { InboundMessage } from '../../../../src/contract/bridge/bridge-frames.ts';
import type { MessageChange } from '../../../../src/contract/messages/changes.ts';
import type { ReadMarks } from '../../../../src/session-bridge/network/activity.ts';
import {
  MessageIntake,
  takeOfflineInBatches,
} from '../../../../src/session-bridge/network/inbound/message-intake.ts';
import { readMessage } from '../../../../src/session-bridge/network/inbound/read-message.ts';

const own = { phoneNumber: '628100000001', lid: '900000000001' };
const ownJid = `${own.phoneNumber}@s.whatsapp.net`;
const customer = '628200000002';
const customerJid = `${customer}@s.whatsapp.net`;
const group = '120363000000000042@g.us';
const seconds = 1_769_851_800;
const at = '2026-01-31T09:30:00.000Z';
const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value);

async function read(message: proto.IMessage, attrs: Record<string, string> = {}, self = own) {
  const node = { tag: 'message', attrs: { id: 'A1', t: String(seconds), from: customerJid, ...attrs } };
  return readMessage(node, encodeWAMessage(message), self, async () => null);
}
async function messageOf(...parameters: Parameters<typeof read>): Promise<InboundMessage | null> {
  const reading = await read(...parameters);
  return reading?.kind === 'message' ? reading.message : null;
}
async function changeOf(...parameters: Parameters<typeof read>): Promise<MessageChange | null> {
  const reading = await read(...parameters);
  return reading?.kind === 'change' ? reading.change : null;
}

/** What a session hears, and notes as not read yet. */
function intakeOf(knownNumber: () => Promise<string | null> = async () => null) {
  const inbound: InboundMessage[] = [];
  /** Of each whether its author is still to be found. */
  const searched: boolean[] = [];
  const unread: string[] = [];
  const marks: unknown[] = [];
  const intake = new MessageIntake({
    events: {
      onInbound: (message, authorLater) => {
        inbound.push(message);
        searched.push(authorLater !== null);
      },
      onChange: () => {},
      onNothing: () => {},
    },
    own: () => own,
    heard: async () => {},
    knownNumber,
    phoneNumberOfAlias: async () => null,
    readMarks: {
      received: (chat: string, mark: unknown) => {
        unread.push(chat);
        marks.push(mark);
      },
    } as unknown as ReadMarks,
  });
  const take = async (attrs: Record<string, string>, message: proto.IMessage) => {
    const ciphertext = new Uint8Array(1);
    const enc: BinaryNode = { tag: 'enc', attrs: {}, content: ciphertext };
    intake.rememberStanza({ tag: 'message', attrs: { t: String(seconds), ...attrs }, content: [enc] });
    await intake.readPlaintext(ciphertext, encodeWAMessage(message));
  };
  return { intake, inbound, searched, unread, marks, take };
}

/** The answer of a phone that was asked for a message. */
function handedOver(key: proto.IMessageKey): proto.IMessage {
  const info = { key, message: { conversation: 'hello' }, messageTimestamp: seconds };
  const webMessageInfoBytes = proto.WebMessageInfo.encode(info).finish();
  const peerDataOperationResult = [{ placeholderMessageResendResponse: { webMessageInfoBytes } }];
  return {
    protocolMessage: {
      type: proto.Message.ProtocolMessage.Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
      peerDataOperationRequestResponseMessage: { peerDataOperationResult },
    },
  };
}

describe('a message that a phone hands over', () => {
  const theirs = { id: 'LATE', remoteJid: customerJid, fromMe: false };

  test('is taken from the own phone, and from nobody else', async () => {
    const { inbound, take } = intakeOf();
    await take({ id: 'P1', from: customerJid, category: 'peer' }, handedOver(theirs));
    expect(inbound).toEqual([]);
    await take({ id: 'P2', from: ownJid, category: 'peer' }, handedOver(theirs));
    expect(inbound).toMatchObject([{ providerMessageId: 'LATE', from: customer, at }]);
  });

  test('is none that came in where the number has sent it itself', async () => {
    const { inbound, take } = intakeOf();
    await take({ id: 'P1', from: ownJid, category: 'peer' }, handedOver({ ...theirs, fromMe: true }));
    expect(inbound).toEqual([]);
  });

  test('is taken whatever somebody else has sent under its id as if between the phone and its devices', async () => {
    const { inbound, take } = intakeOf();
    await take({ id: 'LATE', from: '628300000003@s.whatsapp.net', category: 'peer' }, handedOver(theirs));
    await take({ id: 'P1', from: ownJid, category: 'peer' }, handedOver(theirs));
    expect(inbound).toMatchObject([{ providerMessageId: 'LATE', from: customer }]);
  });

  test('is of the member who has written it in a group', async () => {
    const { inbound, take } = intakeOf();
    const inGroup = { ...theirs, remoteJid: group, participant: customerJid };
    await take({ id: 'P1', from: ownJid, category: 'peer' }, handedOver(inGroup));
    expect(inbound).toMatchObject([{ providerMessageId: 'LATE', from: customer, groupId: group }]);
  });

  test('is from whom the network has named, which names people more completely', async () => {
    const { intake, inbound, take } = intakeOf();
    const lid = '900000000002@lid';
    const told = { id: 'LATE', t: String(seconds), from: lid, sender_pn: customerJid };
    intake.rememberStanza({ tag: 'message', attrs: told, content: [] });
    await take({ id: 'P1', from: ownJid, category: 'peer' }, handedOver({ ...theirs, remoteJid: lid }));
    expect(inbound).toMatchObject([{ from: customer, senderLid: '900000000002' }]);
  });
});

test('what people write is noted as not read yet, and what the owner writes from the phone is not', async () => {
  const { inbound, unread, take } = intakeOf();
  await take({ id: 'A1', from: customerJid }, { conversation: 'hello' });
  const deviceSentMessage = { destinationJid: customerJid, message: { conversation: 'hi' } };
  await take({ id: 'A2', from: ownJid, recipient: customerJid }, { deviceSentMessage });
  expect(inbound).toMatchObject([{ from: customer }, { from: own.phoneNumber, sentTo: customer }]);
  expect(unread).toEqual([customer]);
});

test('what a member of a group writes is marked as theirs, and only in a group an alias is looked up', async () => {
  const { marks, searched, take } = intakeOf();
  const alias = '900000000002@lid';
  await take({ id: 'A1', from: group, participant: alias }, { conversation: 'hello' });
  await take({ id: 'A2', from: alias }, { conversation: 'hello' });
  expect(searched).toEqual([true, false]);
  expect(marks).toEqual([
    { id: 'A1', remoteJid: group, participant: alias },
    { id: 'A2', remoteJid: alias },
  ]);
});

test('a message whose author cannot be looked up is told by alias, with as much of their name as there is room for', async () => {
  const { inbound, take } = intakeOf(() => Promise.reject(new Error('the vault is away')));
  const attrs = { id: 'A1', from: '900000000002@lid', notify: 'x'.repeat(300) };
  await take(attrs, { conversation: 'hello' });
  expect(inbound).toMatchObject([{ from: '900000000002', pushName: 'x'.repeat(256) }]);
});

describe('what waited for a session', () => {
  function waiting(room: () => Promise<void> = async () => {}) {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const [ws, ended, asked] = [new EventEmitter(), new AbortController(), [] as BinaryNode[]];
    const sock = { ws, sendNode: async (node: BinaryNode) => asked.push(node) } as unknown as WASocket;
    takeOfflineInBatches({ sock, room, ended: ended.signal });
    const come = async (messages: number) => {
      for (let one = 0; one < messages; one += 1)
        ws.emit('frame', { tag: 'message', attrs: { offline: String(one) } });
      await vi.advanceTimersByTimeAsync(0);
    };
    return { ws, ended, asked, come };
  }

  test('is asked for when a hundred have come, or none for a second, and no more when it is all there', async () => {
    const { ws, asked, come } = waiting();
    await come(99);
    expect(asked).toHaveLength(0);
    await come(1);
    expect(asked).toHaveLength(1);
    await come(100);
    expect(asked).toHaveLength(2);
    await come(99);
    await vi.advanceTimersByTimeAsync(999);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(asked).toHaveLength(3);
    await come(1);
    ws.emit('CB:ib,,offline');
    await come(100);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(3);
  });

  test('is asked for neither without room nor behind the end of its connection', async () => {
    const room = Promise.withResolvers<void>();
    const { ended, asked, come } = waiting(() => room.promise);
    await come(100);
    expect(asked).toHaveLength(0);
    ended.abort();
    room.resolve();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(asked).toHaveLength(0);
  });
});

describe('the copy of what the owner sends from the phone', () => {
  const copy = (destinationJid: string, message: proto.IMessage) => ({
    deviceSentMessage: { destinationJid, message },
  });

  test('bears the secret that stands around it: without that no vote and no edit can be opened', async () => {
    const outer = { messageContextInfo: { messageSecret: bytes(32, 9) } };
    const sent = { ...outer, ...copy(customerJid, { conversation: 'hello' }) };
    expect((await messageOf(sent, { from: ownJid, recipient: customerJid }))?.content).toMatchObject({
      secret: Buffer.from(bytes(32, 9)).toString('base64'),
    });
    const own = { messageContextInfo: { messageSecret: bytes(32, 5) }, conversation: 'hello' };
    const withOwn = { ...outer, ...copy(customerJid, own) };
    expect((await messageOf(withOwn, { from: ownJid, recipient: customerJid }))?.content).toMatchObject({
      secret: Buffer.from(bytes(32, 5)).toString('base64'),
    });
  });

  test('is of the group that it went to', async () => {
    const sent = copy(group, { conversation: 'hello' });
    expect(await messageOf(sent, { from: ownJid, recipient: group })).toMatchObject({
      ...{ chatType: 'group', groupId: group, sentTo: group, from: own.phoneNumber },
    });
  });

  test('is none of a chat where it went to a status, a broadcast list or a channel', async () => {
    for (const recipient of ['status@broadcast', '1769851800@broadcast', '120363000000000043@newsletter']) {
      const sent = copy(recipient, { conversation: 'to all' });
      expect(await read(sent, { from: ownJid, recipient })).toBeNull();
    }
  });
});

test('the secret of a message may stand around the envelope that it is in', async () => {
  const messageContextInfo = { messageSecret: bytes(32, 9) };
  const ephemeralMessage = { message: { conversation: 'hello' } };
  expect((await messageOf({ messageContextInfo, ephemeralMessage }))?.content).toMatchObject({
    secret: Buffer.from(bytes(32, 9)).toString('base64'),
  });
});

test('files of different numbers, groups and authors never share an id, whatever the ids of their messages', async () => {
  const message = { imageMessage: { fileSha256: bytes(32), mimetype: 'image/jpeg' } };
  const other = '628200000003@s.whatsapp.net';
  const found = await Promise.all([
    messageOf(message),
    messageOf(message, { from: other }),
    messageOf(message, { from: group, participant: customerJid }),
    messageOf(message, { from: group, participant: other }),
    messageOf(message, { from: '120363000000000043@g.us', participant: other }),
    messageOf(message, {}, { phoneNumber: '628100000009', lid: '900000000009' }),
  ]);
  const ids = found.map((one) => (one && 'media' in one.content ? one.content.media.mediaId : null));
  expect(ids).not.toContain(null);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a change', () => {
  function reaction(key: proto.IMessageKey, senderTimestampMs?: number): proto.IMessage {
    return { reactionMessage: { key, text: '👍', ...(senderTimestampMs && { senderTimestampMs }) } };
  }

  test('in a chat of two is to a message of its own author where the key says so', async () => {
    expect(await changeOf(reaction({ id: 'X', fromMe: true }))).toMatchObject({
      from: customer,
      target: { isOwn: false, author: customer },
    });
    const toOurs = await changeOf(reaction({ id: 'X', fromMe: false }));
    expect(toOurs?.from).toBe(customer);
    // An own message is found without the alias.
    expect(toOurs?.target).toEqual({ providerMessageId: 'X', isOwn: true, author: own.phoneNumber });
  });

  test('bears the time of the clock of who made it, unless that is wrong', async () => {
    const right = Date.parse(at) - 450;
    expect((await changeOf(reaction({ id: 'X' }, right)))?.at).toBe(new Date(right).toISOString());
    for (const wrong of [Date.parse(at) - 3_600_000, Date.parse(at) + 3_600_000]) {
      expect((await changeOf(reaction({ id: 'X' }, wrong)))?.at).toBe(at);
    }
  });

  test('that is sealed for something else than an edit is none', async () => {
    const { MESSAGE_EDIT, EVENT_EDIT } = proto.Message.SecretEncryptedMessage.SecretEncType;
    const sealed = (secretEncType: number): proto.IMessage => ({
      secretEncryptedMessage: {
        targetMessageKey: { id: 'X' },
        encPayload: bytes(60),
        encIv: bytes(12),
        secretEncType,
      },
    });
    expect(await changeOf(sealed(MESSAGE_EDIT))).toMatchObject({ change: 'sealed_edit' });
    expect(await read(sealed(EVENT_EDIT))).toMatchObject({ kind: 'nothing' });
  });
});

test('a quoted text is told up to a length, and an order of one item is in the singular', async () => {
  const contextInfo = {
    stanzaId: 'Q',
    participant: ownJid,
    quotedMessage: { conversation: 'x'.repeat(5_000) },
  };
  const quoting = await messageOf({ extendedTextMessage: { text: 'yes', contextInfo } });
  expect(quoting?.content.quoted?.text).toHaveLength(1_024);
  const order = await messageOf({ orderMessage: { itemCount: 1, orderTitle: 'Chairs' } });
  expect(order?.content).toMatchObject({ text: 'Chairs\n1 item' });
});

test('an own message that is quoted by its alias is of the number itself', async () => {
  const contextInfo = { stanzaId: 'Q', participant: `${own.lid}@lid`, quotedMessage: { conversation: 'hi' } };
  const quoting = await messageOf({ extendedTextMessage: { text: 'yes', contextInfo } });
  expect(quoting?.content.quoted).toEqual({
    ...{ providerMessageId: 'Q', isOwn: true, author: own.phoneNumber, text: 'hi' },
  });
});

test('a message of somebody who is known by alias alone is quoted as theirs, and one that was passed on says so', async () => {
  const contextInfo = {
    stanzaId: 'Q',
    participant: '900000000002@lid',
    quotedMessage: { conversation: 'hi' },
    forwardingScore: 3,
  };
  const content = (await messageOf({ extendedTextMessage: { text: 'yes', contextInfo } }))?.content;
  expect(content).toMatchObject({
    isForwarded: true,
    quoted: { isOwn: false, author: '900000000002', authorLid: '900000000002' },
  });
});

test('a message of a chat whose messages disappear says so, also without an envelope around it', async () => {
  const disappearing = { text: 'for a day', contextInfo: { expiration: 86_400 } };
  const content = (await messageOf({ extendedTextMessage: disappearing }))?.content;
  expect(content).toMatchObject({ text: 'for a day', isEphemeral: true });
});

test('a voice note that may be heard once says so', async () => {
  const audioMessage = { fileSha256: bytes(32), mimetype: 'audio/ogg', ptt: true };
  const once = await messageOf({ viewOnceMessageV2Extension: { message: { audioMessage } } });
  expect(once?.content).toMatchObject({ type: 'audio', viewOnce: true });
});

test('who writes in a group or to a list is named by whatever the network says of them', async () => {
  const said = { conversation: 'hello' };
  const lid = '900000000002';
  const inGroup = { from: group, participant: customerJid, participant_lid: `${lid}@lid` };
  expect(await messageOf(said, inGroup)).toMatchObject({ from: customer, senderLid: lid, groupId: group });
  const toList = await messageOf(said, { from: '1769851800@broadcast', participant: customerJid });
  expect(toList).toMatchObject({ from: customer, chatType: 'personal' });
});

test('whoever comes from an advertisement does so also where the network tells their click alone', async () => {
  const clicked = (externalAdReply: proto.ContextInfo.IExternalAdReplyInfo) =>
    messageOf({ extendedTextMessage: { text: 'How much?', contextInfo: { externalAdReply } } });
  expect((await clicked({ ctwaClid: 'click' }))?.content.referral).toEqual({ clickId: 'click' });
  expect((await clicked({ title: 'A card around a link' }))?.content).not.toHaveProperty('referral');
});

test('what may be seen once says so, whatever else is around it', async () => {
  const imageMessage = { fileSha256: bytes(32), mimetype: 'image/jpeg' };
  const viewOnceMessageV2 = { message: { ephemeralMessage: { message: { imageMessage } } } };
  expect((await messageOf({ viewOnceMessageV2 }))?.content).toMatchObject({
    ...{ type: 'image', viewOnce: true, isEphemeral: true },
  });
});

test('a place that somebody shares as they move says so, whichever way the network tells it', async () => {
  const place = { degreesLatitude: -6.2, degreesLongitude: 106.8 };
  for (const message of [{ liveLocationMessage: place }, { locationMessage: { ...place, isLive: true } }]) {
    expect((await messageOf(message))?.content).toMatchObject({ location: { isLive: true } });
  }
  const still = (await messageOf({ locationMessage: place }))?.content;
  expect(still).toEqual({ type: 'location', location: { latitude: -6.2, longitude: 106.8 } });
});

test('a place that is not on this earth is no place, and its message is told all the same', async () => {
  for (const [degreesLatitude, degreesLongitude] of [
    [120, 10],
    [-120, 10],
    [10, 200],
    [Number.NaN, 10],
  ] as const) {
    const locationMessage = { degreesLatitude, degreesLongitude };
    expect((await messageOf({ locationMessage }))?.content).toEqual({
      type: 'unsupported',
      kind: 'locationMessage',
    });
  }
});

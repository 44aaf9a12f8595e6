import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { describe, expect, test } from 'vitest';
import { emojiUnitsMax } from '../../../../src/contract/messages/changes.ts';
import { changeFactOf, inboundFactOf } from './reading.ts';

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
const ownPhone = '628100000001';
const customer = '628200000002';
const inGroup = { from: '120363000000000042@g.us', participant: `${customer}@s.whatsapp.net` };
const editedMessage = { conversation: 'I owe you everything' };

const edit = (key: proto.IMessageKey) => ({
  protocolMessage: { key, type: MESSAGE_EDIT, editedMessage },
});
const revoke = (key: proto.IMessageKey) => ({ protocolMessage: { key, type: REVOKE } });

describe('whose message is changed follows from who has sent the change', () => {
  const claims: [string, proto.IMessageKey][] = [
    ['its author', { id: 'X', fromMe: true }],
    ['the receiver', { id: 'X', fromMe: false }],
    ['nothing', { id: 'X' }],
    ['somebody else', { id: 'X', fromMe: false, participant: `${ownPhone}@s.whatsapp.net` }],
  ];
  test.each(claims)('whatever the key says, as that it is from %s', async (_, key) => {
    const theirs = { isOwn: false, author: customer };
    const wrapped = [
      edit(key),
      { editedMessage: { message: edit(key) } },
      { ephemeralMessage: { message: { viewOnceMessageV2: { message: edit(key) } } } },
    ];
    for (const message of wrapped) {
      expect(await changeFactOf(encodeWAMessage(message))).toMatchObject({
        change: 'edited',
        target: theirs,
      });
      const inGroupToo = await changeFactOf(encodeWAMessage(message), inGroup);
      expect(inGroupToo).toMatchObject({ change: 'edited', target: theirs });
    }
    expect(await changeFactOf(encodeWAMessage(revoke(key)))).toMatchObject({
      change: 'deleted',
      target: theirs,
    });
  });

  test('only in a group somebody else is named, for an admin may take back what they wrote', async () => {
    const key = { id: 'X', fromMe: false, participant: `${ownPhone}@s.whatsapp.net` };
    expect(await changeFactOf(encodeWAMessage(revoke(key)), inGroup)).toMatchObject({
      change: 'deleted',
      from: customer,
      target: { isOwn: true, author: ownPhone },
    });
    const asTheirOwn = { ...key, fromMe: true };
    expect(await changeFactOf(encodeWAMessage(revoke(asTheirOwn)), inGroup)).toMatchObject({
      change: 'deleted',
      target: { isOwn: false, author: customer },
    });
  });

  test('what claims to be a copy from another device of the number is not taken from anybody else', async () => {
    const copy = {
      deviceSentMessage: {
        destinationJid: '628300000003@s.whatsapp.net',
        message: edit({ id: 'X', fromMe: true }),
      },
    };
    expect(await changeFactOf(encodeWAMessage(copy))).toBeNull();
    expect(await inboundFactOf(encodeWAMessage(copy))).toBeNull();
    const fromPhone = { from: `${ownPhone}@s.whatsapp.net`, recipient: '628300000003@s.whatsapp.net' };
    expect(await changeFactOf(encodeWAMessage(copy), fromPhone)).toMatchObject({
      change: 'edited',
      from: ownPhone,
      target: { isOwn: true },
    });
  });
});

test('whose message a reaction is about follows from who of the two has given it, here or on the phone', async () => {
  const other = '628300000003';
  const react = (fromMe: boolean) => ({ reactionMessage: { key: { id: 'X', fromMe }, text: '👍' } });
  const fromPhone = { from: `${ownPhone}@s.whatsapp.net`, recipient: `${other}@s.whatsapp.net` };
  const targetOf = async (fromMe: boolean, isOnPhone: boolean) => {
    const copy = { destinationJid: `${other}@s.whatsapp.net`, message: react(fromMe) };
    const message = isOnPhone ? { deviceSentMessage: copy } : react(fromMe);
    return (await changeFactOf(encodeWAMessage(message), isOnPhone ? fromPhone : {}))?.target;
  };
  expect(await targetOf(false, true)).toMatchObject({ isOwn: false, author: other });
  expect(await targetOf(true, true)).toMatchObject({ isOwn: true });
  expect(await targetOf(false, false)).toMatchObject({ isOwn: true });
  expect(await targetOf(true, false)).toMatchObject({ isOwn: false, author: customer });
});

describe('what somebody claims never makes a frame that cannot be taken', () => {
  const odd = [
    '',
    'nobody',
    '@',
    `${'9'.repeat(500)}@s.whatsapp.net`,
    'a b@s.whatsapp.net',
    'status@broadcast',
  ];
  const bytes = (length: number) => new Uint8Array(length).fill(1);

  test.each(odd)('as that it is about a message of %j', async (participant) => {
    const key = { id: 'X'.repeat(1000), fromMe: false, participant, remoteJid: participant };
    const vote = { encPayload: bytes(60), encIv: bytes(12) };
    for (const attrs of [{}, inGroup]) {
      // The frame is parsed: what it cannot carry throws.
      await changeFactOf(encodeWAMessage({ reactionMessage: { key, text: '👍' } }), attrs);
      await changeFactOf(
        encodeWAMessage({ pollUpdateMessage: { pollCreationMessageKey: key, vote } }),
        attrs,
      );
      await changeFactOf(encodeWAMessage(revoke(key)), attrs);
      const contextInfo = {
        stanzaId: 'Q',
        participant,
        quotedMessage: editedMessage,
        mentionedJid: [participant],
      };
      const quoting = encodeWAMessage({ extendedTextMessage: { text: 'hi', contextInfo } });
      expect(await inboundFactOf(quoting, attrs)).toMatchObject({ content: { text: 'hi' } });
    }
  });

  test('as that it answers a message whose name is longer than any', async () => {
    const contextInfo = { stanzaId: 'Q'.repeat(1000), quotedMessage: editedMessage };
    const quoting = encodeWAMessage({ extendedTextMessage: { text: 'hi', contextInfo } });
    expect((await inboundFactOf(quoting))?.content).toEqual({ type: 'text', text: 'hi' });
  });

  test('as more options, cards and mentions than any has, or a path that leads nowhere', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index) => index);
    const options = many(150).map((index) => ({ optionName: `Option ${index}` }));
    const poll = { pollCreationMessageV3: { name: 'When?', options } };
    const told = await inboundFactOf(encodeWAMessage(poll));
    expect(told?.content.type === 'poll' && told.content.poll.options).toHaveLength(100);
    const vcard = `BEGIN:VCARD\n${many(60)
      .map((index) => `TEL:+62812000${100 + index}`)
      .join('\n')}\nEND:VCARD`;
    const contacts = many(3).map(() => ({ displayName: 'Dewi', vcard }));
    const cards = await inboundFactOf(encodeWAMessage({ contactsArrayMessage: { contacts } }));
    expect(cards?.content.type === 'contacts' && cards.content.contacts).toHaveLength(100);
    const mentionedJid = many(1_100).map((index) => `62812${100_000 + index}@s.whatsapp.net`);
    const text = encodeWAMessage({
      extendedTextMessage: { text: 'all of you', contextInfo: { mentionedJid } },
    });
    expect((await inboundFactOf(text))?.content.mentions).toHaveLength(1_024);
    const [fileSha256, mediaKey, fileEncSha256] = [bytes(32), bytes(32), bytes(32)];
    const file = { fileSha256, mediaKey, fileEncSha256, directPath: `/${'v'.repeat(2_048)}` };
    expect(await inboundFactOf(encodeWAMessage({ documentMessage: file }))).toMatchObject({
      content: { type: 'document', media: { status: 'unavailable' } },
    });
  });

  test('as keys and secrets of another length', async () => {
    const key = { id: 'X' };
    const vote = { encPayload: bytes(60), encIv: bytes(500) };
    expect(
      await changeFactOf(encodeWAMessage({ pollUpdateMessage: { pollCreationMessageKey: key, vote } })),
    ).toBeNull();
    const large = { encPayload: bytes(12_001), encIv: bytes(12) };
    expect(
      await changeFactOf(
        encodeWAMessage({ pollUpdateMessage: { pollCreationMessageKey: key, vote: large } }),
      ),
    ).toBeNull();
    const sealed = (length: number) => ({
      encReactionMessage: { targetMessageKey: key, encPayload: bytes(60), encIv: bytes(length) },
    });
    expect(await changeFactOf(encodeWAMessage(sealed(12)))).toMatchObject({ change: 'sealed_reaction' });
    expect(await changeFactOf(encodeWAMessage(sealed(500)))).toBeNull();
    const long = { targetMessageKey: key, encPayload: bytes(90_001), encIv: bytes(12) };
    expect(await changeFactOf(encodeWAMessage({ encReactionMessage: long }))).toBeNull();
    const reaction = await changeFactOf(
      encodeWAMessage({ reactionMessage: { key, text: '👍'.repeat(100) } }),
    );
    expect(reaction?.change === 'reaction' && reaction.emoji).toHaveLength(emojiUnitsMax);
    const poll = {
      messageContextInfo: { messageSecret: bytes(500) },
      pollCreationMessageV3: { name: 'When?', options: [{ optionName: 'Now' }] },
    };
    expect(await inboundFactOf(encodeWAMessage(poll))).toMatchObject({ content: { type: 'poll' } });
  });
});

describe('an edit says what its message says from then on', () => {
  const fileSha256 = new Uint8Array(32).fill(2);
  const edits: [string, proto.IMessage, string | null][] = [
    ['the caption of a picture alone', { imageMessage: { caption: 'A better caption' } }, 'A better caption'],
    ['a caption with its file', { videoMessage: { caption: 'Better', fileSha256 } }, 'Better'],
    [
      'the caption of a document',
      { documentWithCaptionMessage: { message: { documentMessage: { caption: 'The bill' } } } },
      'The bill',
    ],
    ['a caption that is gone', { imageMessage: { fileSha256 } }, ''],
    ['a file of which nothing is said', { imageMessage: {} }, null],
    ['something that has no words', { locationMessage: { degreesLatitude: 1, degreesLongitude: 2 } }, null],
    ['nothing', {}, null],
  ];
  test.each(edits)('as of %s', async (_, edited, text) => {
    const protocolMessage = { key: { id: 'X' }, type: MESSAGE_EDIT, editedMessage: edited };
    const change = await changeFactOf(encodeWAMessage({ protocolMessage }));
    expect(change?.change === 'edited' ? change.text : null).toBe(text);
  });
});

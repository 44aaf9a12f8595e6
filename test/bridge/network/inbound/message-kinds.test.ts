import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { describe, expect, test } from 'vitest';
import {
  isContent,
  kindOf,
  messageKinds,
} from '../../../../src/session-bridge/network/inbound/content/message-kinds.ts';
import { changeFactOf, inboundFactOf, nothingOf } from './reading.ts';

type Kind = keyof proto.IMessage;
const kinds = Object.keys(messageKinds) as Kind[];
const ofMeaning = (meaning: string) => kinds.filter((kind) => messageKinds[kind] === meaning);

/** A message that is of this kind, and says as little as it can. */
const bare = (kind: Kind): proto.IMessage =>
  proto.Message.fromObject({ [kind]: kind === 'conversation' ? 'hi' : {} });
const holding = (kind: Kind): proto.IMessage =>
  proto.Message.fromObject({ [kind]: { message: { conversation: 'hi' } } });
/** What travels with any message. */
const luggage = {
  senderKeyDistributionMessage: { groupId: '1@g.us' },
  messageContextInfo: { messageSecret: new Uint8Array(32).fill(9) },
};

test('every part of a message that the client knows is judged', () => {
  // A part that a newer client brings fails here: see message-kinds.ts for where it belongs.
  const parts = Object.keys(proto.Message.prototype).filter((name) => name !== 'toJSON');
  expect([...kinds].sort()).toEqual(parts.sort());
});

describe('what a person wrote is a message', () => {
  test.each(ofMeaning('content'))('%s, whatever travels with it', async (kind) => {
    const message = { ...luggage, ...bare(kind) };
    expect(kindOf(proto.Message.fromObject(message))).toBe(kind);
    const { content } = (await inboundFactOf(encodeWAMessage(message))) ?? {};
    const carried = kind === 'conversation' ? { type: 'text' } : { type: 'unsupported', kind };
    // Some say what they are with nothing in them.
    expect(content).toMatchObject(content?.type === 'unsupported' ? carried : { type: expect.any(String) });
  });

  const taken = ['editedMessage', 'deviceSentMessage'];
  test.each(ofMeaning('wrapper').filter((kind) => !taken.includes(kind)))('%s holds one', async (kind) => {
    const inbound = await inboundFactOf(encodeWAMessage({ ...luggage, ...holding(kind) }));
    expect(inbound?.content).toMatchObject({ type: 'text', text: 'hi' });
  });

  test.each(taken)('but %s, from somebody else, holds none', async (kind) => {
    expect(await inboundFactOf(encodeWAMessage(holding(kind as Kind)))).toBeNull();
  });
});

describe('what is no message is told of as none', () => {
  test.each([...ofMeaning('change'), ...ofMeaning('nothing')])('%s', async (kind) => {
    const wrapped: proto.IMessage[] = [
      bare(kind),
      { ...luggage, ...bare(kind) },
      { ephemeralMessage: { message: bare(kind) } },
      { ephemeralMessage: { message: { botInvokeMessage: { message: bare(kind) } } } },
    ];
    for (const message of wrapped) {
      expect(await inboundFactOf(encodeWAMessage(message))).toBeNull();
      expect(await changeFactOf(encodeWAMessage(message))).toBeNull();
    }
    expect(isContent(kind)).toBe(false);
  });

  test.each(
    Object.entries(proto.Message.ProtocolMessage.Type).filter(([, type]) => typeof type === 'number'),
  )('protocolMessage of the type %s without a message that it is about', async (_, type) => {
    const message = encodeWAMessage({ protocolMessage: { type: Number(type) } });
    expect(await inboundFactOf(message)).toBeNull();
    expect(await changeFactOf(message)).toBeNull();
  });

  test('nor is an envelope that the client does not know, which the log of the bridge names', async () => {
    // Field 122 with three bytes in it, and what travels with any message.
    const unknown = Buffer.from([0xd2, 0x07, 3, 1, 2, 3]);
    const whole = Buffer.concat([proto.Message.encode({ messageContextInfo: {} }).finish(), unknown]);
    const plaintext = Buffer.concat([whole, Buffer.from([1])]);
    expect(await inboundFactOf(plaintext)).toBeNull();
    expect(await nothingOf(plaintext)).toBe('fields 35, 122');
    const sealed = { secretEncType: proto.Message.SecretEncryptedMessage.SecretEncType.EVENT_EDIT };
    expect(await nothingOf(encodeWAMessage({ secretEncryptedMessage: sealed }))).toBe(
      'secretEncryptedMessage EVENT_EDIT',
    );
    expect(await nothingOf(encodeWAMessage({ pinInChatMessage: { key: { id: 'X' } } }))).toBe(
      'pinInChatMessage',
    );
  });
});

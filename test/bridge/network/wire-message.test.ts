import { expect, test } from 'vitest';
import type { MessageContent } from '../../../src/contract/messages/content.ts';
import { wireMessage } from '../../../src/session-bridge/network/outbound/wire-message.ts';

const own = '628100000001';
const secret = Buffer.alloc(32, 5);
const poll = { name: 'When?', options: ['Now', 'Later'], selectableCount: 1 };

const kinds: [string, MessageContent, object][] = [
  ['a text', { type: 'text', text: 'hello' }, { extendedTextMessage: { text: 'hello' } }],
  [
    'a place',
    { type: 'location', location: { latitude: 1.5, longitude: -2, name: 'Shop' } },
    { locationMessage: { degreesLatitude: 1.5, degreesLongitude: -2, name: 'Shop' } },
  ],
  [
    'a poll with one choice',
    { type: 'poll', poll, secret: secret.toString('base64') },
    {
      messageContextInfo: { messageSecret: secret },
      pollCreationMessageV3: {
        name: 'When?',
        options: [{ optionName: 'Now' }, { optionName: 'Later' }],
        selectableOptionsCount: 1,
      },
    },
  ],
  [
    'a poll with any number of choices',
    { type: 'poll', poll: { ...poll, selectableCount: 0 } },
    { pollCreationMessage: { name: 'When?', selectableOptionsCount: 0 } },
  ],
];

test.each(kinds)('%s is sent as the network carries it', (_, content, message) => {
  expect(wireMessage(content, own).message).toMatchObject(message);
});

test('a card holds the number in the form that a phone writes to', () => {
  const card = { name: 'Dewi, of the; shop', phoneNumber: '628987654321', organisation: 'Shop' };
  const { message } = wireMessage({ type: 'contacts', contacts: [card] }, own);
  expect(message.contactMessage?.displayName).toBe('Dewi, of the; shop');
  expect(message.contactMessage?.vcard?.split('\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:;Dewi\\, of the\\; shop;;;',
    'FN:Dewi\\, of the\\; shop',
    'ORG:Shop',
    'TEL;type=CELL;type=VOICE;waid=628987654321:+628987654321',
    'END:VCARD',
  ]);
  const two = wireMessage({ type: 'contacts', contacts: [card, card] }, own).message;
  expect(two.contactsArrayMessage?.contacts).toHaveLength(2);
});

test('a reply names what it answers and who wrote that', () => {
  const quoted = { providerMessageId: 'A1', text: 'Shall we?' };
  const contextOf = (content: MessageContent) =>
    wireMessage(content, own).message.extendedTextMessage?.contextInfo;
  const theirs = { ...quoted, isOwn: false, author: '628200000002', authorLid: '900000000002' };
  expect(contextOf({ type: 'text', text: 'Yes', quoted: theirs })).toEqual({
    stanzaId: 'A1',
    participant: '628200000002@s.whatsapp.net',
    quotedMessage: { conversation: 'Shall we?' },
  });
  expect(contextOf({ type: 'text', text: 'Yes', quoted: { ...quoted, isOwn: true } })).toMatchObject({
    participant: '628100000001@s.whatsapp.net',
  });
  const alias = { ...quoted, isOwn: false, author: '900000000002', authorLid: '900000000002' };
  expect(contextOf({ type: 'text', text: 'Yes', quoted: alias })).toMatchObject({
    participant: '900000000002@lid',
  });
});

test('people who are mentioned, and that a message was forwarded, stand beside its text', () => {
  const content: MessageContent = {
    type: 'text',
    text: 'Hi @628200000002',
    mentions: ['628200000002'],
    isForwarded: true,
  };
  expect(wireMessage(content, own).message.extendedTextMessage?.contextInfo).toEqual({
    mentionedJid: ['628200000002@s.whatsapp.net'],
    isForwarded: true,
    forwardingScore: 1,
  });
});

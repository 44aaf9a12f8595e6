import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import { expect, test } from 'vitest';
import { inboundFactOf } from './reading.ts';

const bytes = (length: number, value = 7) => new Uint8Array(length).fill(value);
const file = {
  url: 'https://mmg.example.com/f',
  directPath: '/v/t62/f?x=1',
  mediaKey: bytes(32, 1),
  fileSha256: bytes(32, 2),
  fileEncSha256: bytes(32, 3),
  fileLength: 1234,
};
const source = {
  directPath: '/v/t62/f?x=1',
  url: 'https://mmg.example.com/f',
  mediaKey: Buffer.from(bytes(32, 1)).toString('base64'),
  encSha256: Buffer.from(bytes(32, 3)).toString('base64'),
};
const stored = { bytes: 1234, sha256: '02'.repeat(32), status: 'pending', source };
const vcard =
  'BEGIN:VCARD\nVERSION:3.0\nFN:Dewi\\, Support\nORG:Shop;Desk\nitem1.TEL;waid=628987654321:+62 898-7654-321\nEND:VCARD';

const kinds: [string, proto.IMessage, object][] = [
  [
    'a picture',
    { imageMessage: { ...file, mimetype: 'image/jpeg', caption: 'Look', width: 10, height: 20 } },
    { type: 'image', media: { ...stored, mimetype: 'image/jpeg', caption: 'Look', width: 10, height: 20 } },
  ],
  [
    'a round video',
    { ptvMessage: { ...file, mimetype: 'video/mp4', seconds: 3 } },
    { type: 'video', media: { ...stored, mimetype: 'video/mp4', durationSeconds: 3 } },
  ],
  [
    'a voice note',
    { audioMessage: { ...file, mimetype: 'audio/ogg; codecs=opus', seconds: 4, ptt: true } },
    {
      type: 'audio',
      media: { ...stored, mimetype: 'audio/ogg; codecs=opus', durationSeconds: 4, voice: true },
    },
  ],
  [
    'a document with a caption',
    {
      documentWithCaptionMessage: {
        message: {
          documentMessage: { ...file, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'Bill' },
        },
      },
    },
    {
      type: 'document',
      media: { ...stored, mimetype: 'application/pdf', fileName: 'a.pdf', caption: 'Bill' },
    },
  ],
  [
    'a sticker',
    { stickerMessage: { ...file, mimetype: 'image/webp' } },
    { type: 'sticker', media: { ...stored, mimetype: 'image/webp' } },
  ],
  [
    'a picture to be seen once',
    { viewOnceMessageV2: { message: { imageMessage: { ...file, mimetype: 'image/jpeg' } } } },
    { type: 'image', media: { ...stored, mimetype: 'image/jpeg' }, viewOnce: true },
  ],
  [
    'a picture whose key only the phone has',
    { imageMessage: { fileSha256: bytes(32, 2), mimetype: 'image/jpeg', viewOnce: true } },
    { type: 'image', media: { mimetype: 'image/jpeg', status: 'unavailable' }, viewOnce: true },
  ],
  [
    'a place',
    { locationMessage: { degreesLatitude: -6.5, degreesLongitude: 106.5, name: 'Shop', address: 'Jl. 1' } },
    { type: 'location', location: { latitude: -6.5, longitude: 106.5, name: 'Shop', address: 'Jl. 1' } },
  ],
  [
    'a place that moves',
    { liveLocationMessage: { degreesLatitude: 1, degreesLongitude: 2, caption: 'On my way' } },
    { type: 'location', location: { latitude: 1, longitude: 2, name: 'On my way', isLive: true } },
  ],
  [
    'a card',
    { contactMessage: { displayName: 'Dewi', vcard } },
    {
      type: 'contacts',
      contacts: [{ name: 'Dewi', phoneNumber: '628987654321', organisation: 'Shop, Desk' }],
    },
  ],
  [
    'several cards',
    { contactsArrayMessage: { contacts: [{ vcard }, { displayName: 'No number', vcard: '' }] } },
    {
      type: 'contacts',
      contacts: [
        { name: 'Dewi, Support', phoneNumber: '628987654321', organisation: 'Shop, Desk' },
        { name: 'No number' },
      ],
    },
  ],
  [
    'a card with several numbers, an extension and a name for each app',
    {
      contactMessage: {
        vcard: [
          'BEGIN:VCARD',
          'VERSION:4.0',
          'N:Sari\\; Putri;Dewi;;Dr.;',
          'TEL;VALUE=uri;TYPE="voice,work":tel:+1-555-555-5555;ext=5555',
          'item2.TEL;type=CELL;waid=628987654321:+62 898-7654-',
          ' 321',
          'TEL;HOME:+1 (555) 555-0001 ext. 77',
          'TEL:+1.555.555.0001',
          'TEL:',
          'END:VCARD',
        ].join('\r\n'),
      },
    },
    {
      type: 'contacts',
      contacts: ['15555555555', '628987654321', '15555550001'].map((phoneNumber) => ({
        name: 'Dr. Dewi Sari; Putri',
        phoneNumber,
      })),
    },
  ],
  [
    'a card of an old phone, in quoted-printable',
    {
      contactMessage: {
        vcard: [
          'BEGIN:VCARD',
          'VERSION:2.1',
          'FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4A=C3=B6=72=67=20=',
          '=4D=C3=BCller',
          'ORG;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:B=E4ckerei;Verkauf',
          'TEL;CELL:0171 2345678',
          'END:VCARD',
        ].join('\n'),
      },
    },
    {
      type: 'contacts',
      contacts: [{ name: 'Jörg Müller', phoneNumber: '01712345678', organisation: 'Bäckerei, Verkauf' }],
    },
  ],
  [
    'a document whose name leads elsewhere',
    {
      documentMessage: { ...file, mimetype: 'application/pdf', fileName: '../in\nvoice\u202Efdp 1/2.pdf\0' },
    },
    { type: 'document', media: { ...stored, fileName: '.._invoicefdp 1_2.pdf' } },
  ],
  [
    'a document whose name is nothing but that',
    { documentMessage: { ...file, mimetype: 'application/pdf', fileName: '../..', title: 'Bill' } },
    { type: 'document', media: { ...stored, fileName: 'Bill' } },
  ],
  [
    'a poll',
    {
      messageContextInfo: { messageSecret: bytes(32, 9) },
      pollCreationMessageV3: {
        name: 'When?',
        options: [{ optionName: 'Now' }, { optionName: 'Later' }],
        selectableOptionsCount: 1,
      },
    },
    {
      type: 'poll',
      poll: { name: 'When?', options: ['Now', 'Later'], selectableCount: 1 },
      secret: Buffer.from(bytes(32, 9)).toString('base64'),
    },
  ],
  [
    'a chosen button',
    { buttonsResponseMessage: { selectedButtonId: 'b1', selectedDisplayText: 'Yes, please' } },
    { type: 'text', text: 'Yes, please' },
  ],
  [
    'a chosen row of a list',
    { listResponseMessage: { title: 'Blue', singleSelectReply: { selectedRowId: 'row-2' } } },
    { type: 'text', text: 'Blue' },
  ],
  [
    'a reply to a template',
    { templateButtonReplyMessage: { selectedId: 'id', selectedDisplayText: 'Call me' } },
    { type: 'text', text: 'Call me' },
  ],
  [
    'a reply to something interactive',
    {
      interactiveResponseMessage: {
        body: { text: 'Monday' },
        nativeFlowResponseMessage: { paramsJson: '{}' },
      },
    },
    { type: 'text', text: 'Monday' },
  ],
  [
    'buttons of a business',
    { buttonsMessage: { contentText: 'Shall we?', footerText: 'The shop' } },
    { type: 'text', text: 'Shall we?\nThe shop' },
  ],
  [
    'an order',
    {
      orderMessage: {
        itemCount: 2,
        totalAmount1000: 12500,
        totalCurrencyCode: 'EUR',
        message: 'Soon, please',
      },
    },
    { type: 'text', text: 'Order\n2 items, 12.50 EUR\nSoon, please' },
  ],
  [
    'a product',
    { productMessage: { product: { title: 'Chair', priceAmount1000: 99000, currencyCode: 'EUR' } } },
    { type: 'text', text: 'Chair\n99.00 EUR' },
  ],
  [
    'an invitation to a group',
    { groupInviteMessage: { inviteCode: 'AbC', groupName: 'Neighbours', groupJid: '1@g.us' } },
    { type: 'text', text: 'Neighbours\nhttps://chat.whatsapp.com/AbC' },
  ],
  [
    'something that is not carried',
    { requestPaymentMessage: { amount1000: 1 } },
    { type: 'unsupported', kind: 'requestPaymentMessage' },
  ],
  [
    'a picture without a trace of its file',
    { imageMessage: { caption: 'Look' } },
    { type: 'unsupported', kind: 'imageMessage' },
  ],
];

test.each(kinds)('%s is read as what it is', async (_, message, content) => {
  const inbound = await inboundFactOf(encodeWAMessage(proto.Message.fromObject(message)));
  expect(inbound?.content).toMatchObject(content);
});

test('a message says what it answers, whom it mentions and how it came about', async () => {
  const inbound = await inboundFactOf(
    encodeWAMessage({
      ephemeralMessage: {
        message: {
          extendedTextMessage: {
            text: 'Yes, @628300000003',
            contextInfo: {
              stanzaId: '3EB0FF',
              participant: '628100000001@s.whatsapp.net',
              quotedMessage: { conversation: 'Shall we?' },
              mentionedJid: ['628300000003@s.whatsapp.net', '900000000009@lid', '900000000008@lid'],
              isForwarded: true,
              externalAdReply: { sourceType: 'ad', sourceId: '42', title: 'Chairs', ctwaClid: 'click' },
            },
          },
        },
      },
    }),
  );
  expect(inbound?.content).toEqual({
    type: 'text',
    text: 'Yes, @628300000003',
    quoted: { providerMessageId: '3EB0FF', isOwn: true, author: '628100000001', text: 'Shall we?' },
    mentions: ['628300000003', '628200000009', '900000000008'],
    isForwarded: true,
    isEphemeral: true,
    referral: { sourceType: 'ad', sourceId: '42', headline: 'Chairs', clickId: 'click' },
  });
});

test('a card around a link is no advertisement', async () => {
  const inbound = await inboundFactOf(
    encodeWAMessage({
      extendedTextMessage: {
        text: 'https://example.com',
        contextInfo: { externalAdReply: { title: 'Example', sourceUrl: 'https://example.com' } },
      },
    }),
  );
  expect(inbound?.content).toEqual({ type: 'text', text: 'https://example.com' });
});

test('the file of a message has the same id whenever the message comes again', async () => {
  const message = encodeWAMessage({ imageMessage: { ...file, mimetype: 'image/jpeg' } });
  const [first, again, other] = await Promise.all([
    inboundFactOf(message),
    inboundFactOf(message),
    inboundFactOf(message, { id: 'A2' }),
  ]);
  const idOf = (it: typeof first) => (it && 'media' in it.content ? it.content.media.mediaId : null);
  expect(idOf(first)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  expect(idOf(again)).toBe(idOf(first));
  expect(idOf(other)).not.toBe(idOf(first));
});

test('a text that is too long for a frame is cut, between two characters', async () => {
  const inbound = await inboundFactOf(encodeWAMessage({ conversation: `${'x'.repeat(65_535)}😀 and more` }));
  const text = inbound?.content.type === 'text' ? inbound.content.text : '';
  expect(text).toHaveLength(65_536);
  expect(text.isWellFormed()).toBe(true);
});

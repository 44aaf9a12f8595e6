import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { proto } from '@whiskeysockets/baileys';
import { describe, expect, test } from 'vitest';
import { openEdit, openReaction } from '../../../../src/durable/event-log/messages/sealed-changes.ts';

const { MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;
const author = ['628123456789@s.whatsapp.net', '100000000000017@lid'] as const;
const secret = randomBytes(32);

/** As newer phones do: HKDF over the message's secret, and no associated data. */
function sealed(plain: Uint8Array, sealedFor: string, writer: string, doer: string) {
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `A1${writer}${doer}${sealedFor}`, 32));
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const payload = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return {
    targetId: 'A1',
    secret: secret.toString('base64'),
    payload: payload.toString('base64'),
    iv: iv.toString('base64'),
    authors: author,
    doers: author,
  };
}

const edit = (editedMessage: proto.IMessage) =>
  proto.Message.encode({
    protocolMessage: { key: { id: 'A1' }, type: MESSAGE_EDIT, editedMessage },
  }).finish();
const opened = (plain: Uint8Array, name: string = author[1]) =>
  openEdit(sealed(plain, 'Message Edit', name, name));

describe('a sealed edit', () => {
  test('opens with the secret of its message, whichever name its author was sealed under', () => {
    for (const name of author) expect(opened(edit({ conversation: 'better' }), name)).toBe('better');
    expect(opened(proto.Message.encode({ conversation: 'bare' }).finish())).toBe('bare');
    const other = sealed(edit({ conversation: 'x' }), 'Message Edit', author[0], author[0]);
    expect(openEdit({ ...other, secret: randomBytes(32).toString('base64') })).toBeNull();
    expect(openEdit({ ...other, targetId: 'A2' })).toBeNull();
    expect(openEdit({ ...other, doers: ['628999999999@s.whatsapp.net'] })).toBeNull();
    expect(openEdit({ ...other, payload: 'AAAA' })).toBeNull();
    expect(openReaction(other)).toBeNull();
  });

  const fileSha256 = new Uint8Array(32).fill(2);
  const texts: [string, proto.IMessage, string | null][] = [
    ['a text with more around it', { extendedTextMessage: { text: 'more', contextInfo: {} } }, 'more'],
    ['a caption alone', { imageMessage: { caption: 'of a picture' } }, 'of a picture'],
    ['a caption with its file', { videoMessage: { caption: 'of a film', fileSha256 } }, 'of a film'],
    ['a caption that is gone', { imageMessage: { fileSha256 } }, ''],
    [
      'the caption of a document',
      { documentWithCaptionMessage: { message: { documentMessage: { caption: 'Bill' } } } },
      'Bill',
    ],
    ['a text that disappears', { ephemeralMessage: { message: { conversation: 'soon gone' } } }, 'soon gone'],
    ['a text with NUL', { conversation: 'a\0b' }, 'ab'],
    ['something without words', { locationMessage: { degreesLatitude: 1 } }, null],
    ['a file of which nothing is said', { imageMessage: {} }, null],
  ];
  test.each(texts)('of %s is read as such', (_, message, text) => {
    expect(opened(edit(message))).toBe(text);
  });

  test('of what is no message changes nothing', () => {
    expect(opened(Buffer.from([0xff, 0xff, 0xff]))).toBeNull();
    expect(opened(Buffer.from('these are not the bytes of a message'))).toBeNull();
  });
});

test('a sealed reaction opens likewise, and may take one back', () => {
  const [writer, doer] = author;
  const react = (text: string) =>
    openReaction(
      sealed(proto.Message.ReactionMessage.encode({ text }).finish(), 'Enc Reaction', writer, doer),
    );
  expect(react('👍')).toBe('👍');
  expect(react('')).toBe('');
});

import { decodeBinaryNode, encodeBinaryNode } from '@whiskeysockets/baileys';
import { expect, test } from 'vitest';
import { type Stanza, stanza } from '../../../src/network-simulator/wire/stanza.ts';

/**
 * Bytes written by hand from the format: a flag byte 00; f8 nn a list of nn entries (a stanza is its tag, its
 * attributes in pairs, its content); single bytes are words of the token dictionary (1b ack, 15 class, 13 message…);
 * fb and ff are packed hexadecimal and decimal digits behind their number of bytes; fa is user and server of an
 * address, f7 domain, device and user of a device's address; fc nn are nn plain bytes. The simulator uses the same
 * codec as the client, so only such bytes show a fault that both share.
 */
const vectors: { name: string; bytes: string; node: Stanza }[] = [
  {
    name: 'an acknowledgement with an id of hexadecimal digits',
    bytes: '00 f805 1b 15 07 08 fb043eb012af',
    node: stanza('ack', { class: 'receipt', id: '3EB012AF' }),
  },
  {
    name: 'a ping to the network itself, whose address has no user',
    bytes: '00 f80a 19 11 fa0003 04 29 16 57 08 fb0212ab f801 f801 56',
    node: stanza('iq', { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p', id: '12AB' }, [stanza('ping')]),
  },
  {
    name: 'a receipt from a phone number of an even number of digits',
    bytes: '00 f807 07 06 faff0662813000000103 08 fb02a1b2 1a ff051795249000',
    node: stanza('receipt', { from: '628130000001@s.whatsapp.net', id: 'A1B2', t: '1795249000' }),
  },
  {
    name: 'digits of an odd number, the last half byte filled up',
    bytes: '00 f803 07 08 ff8312345f',
    node: stanza('receipt', { id: '12345' }),
  },
  {
    name: 'a message from the second device of an alias, with ciphertext',
    bytes: '00 f806 13 06 f70102ff88123456789012345f 04 38 f801 f806 1d 51 45 04 4d fc03010203',
    node: stanza('message', { from: '123456789012345:2@lid', type: 'text' }, [
      stanza('enc', { v: '2', type: 'msg' }, Buffer.from([1, 2, 3])),
    ]),
  },
  {
    name: 'a group message from a device of a phone number',
    bytes: '00 f806 13 06 faff09120363000000000001 1c 05 f70001ff06628130000001 f801 f804 1d 04 32 fc01ff',
    node: stanza(
      'message',
      { from: '120363000000000001@g.us', participant: '628130000001:1@s.whatsapp.net' },
      [stanza('enc', { type: 'skmsg' }, Buffer.from([0xff]))],
    ),
  },
  {
    name: 'the end of a replaced connection, with words of the second dictionary',
    bytes: '00 f802 9d f801 f803 ec0e 04 ec11',
    node: stanza('stream:error', {}, [stanza('conflict', { type: 'replaced' })]),
  },
  {
    name: 'text outside the dictionary, and content longer than 255 bytes behind a length of 20 bits',
    bytes: `00 f804 1d 04 fc0568c3a96c6c fd000100 ${'61'.repeat(256)}`,
    node: stanza('enc', { type: 'héll' }, Buffer.alloc(256, 'a')),
  },
];

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test.each(vectors)('$name is written byte for byte', ({ bytes, node }) => {
  expect(encodeBinaryNode(node).toString('hex')).toBe(hex(bytes).toString('hex'));
});

test.each(vectors)('$name is read as it was meant', async ({ bytes, node }) => {
  expect(await decodeBinaryNode(hex(bytes))).toEqual(node);
});

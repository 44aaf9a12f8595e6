import { type BinaryNode, encodeWAMessage, type proto } from '@whiskeysockets/baileys';
import { expect, test } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { MessageChange } from '../../../src/contract/messages/changes.ts';
import { sendRefusal } from '../../../src/contract/messages/send-refusals.ts';
import { readReceipt } from '../../../src/session-bridge/network/connection/listen.ts';
import { readMessage } from '../../../src/session-bridge/network/inbound/read-message.ts';

const own = { phoneNumber: '628100000001', lid: '900000000001' };
const ana = { pn: '628200000002@s.whatsapp.net', lid: '900000000002@lid' };
const group = '120363000000000001@g.us';
const seconds = '1769851800';
const at = '2026-01-31T09:30:00.000Z';

function receipt(attrs: Record<string, string>, content?: BinaryNode[]): BinaryNode {
  return { tag: 'receipt', attrs: { id: 'A1', t: seconds, ...attrs }, ...(content && { content }) };
}

async function read(
  attrs: Record<string, string>,
  message: proto.IMessage,
): Promise<InboundMessage | MessageChange | null> {
  const node = { tag: 'message', attrs: { id: 'A1', t: seconds, ...attrs } };
  const reading = await readMessage(node, encodeWAMessage(message), own, async (lid) =>
    lid === '900000000009' ? '628200000009' : null,
  );
  if (reading === null || reading.kind === 'nothing') return null;
  return reading.kind === 'message' ? reading.message : reading.change;
}

test.each([
  [{}, 'delivered'],
  [{ type: 'inactive' }, 'delivered'],
  [{ type: 'read' }, 'read'],
  [{ type: 'played' }, 'read'],
  [{ type: 'retry' }, 'evidence'],
])('a receipt with %o from a contact says %s', (attrs, kind) => {
  expect(readReceipt(receipt({ from: ana.pn, ...attrs }), own)).toEqual({
    providerMessageIds: ['A1'],
    kind,
    isFromOwnDevice: false,
    at,
    groupId: null,
    recipient: '628200000002',
    recipientLid: null,
  });
});

const ownReceipts: Record<string, string>[] = [
  { from: '628100000001@s.whatsapp.net', type: 'sender', recipient: ana.pn },
  { from: '628100000001:3@s.whatsapp.net' },
  { from: '900000000001@lid', type: 'read' },
];

test.each(ownReceipts)(
  'a receipt from our own account, %o, proves that the message left and nothing more',
  (attrs) => {
    expect(readReceipt(receipt(attrs), own)).toMatchObject({ kind: 'evidence', isFromOwnDevice: true });
  },
);

test.each(['read-self', 'played-self', 'hist_sync', 'peer_msg', 'server-error'])(
  'a receipt of type %s says nothing about our messages',
  (type) => {
    expect(readReceipt(receipt({ from: ana.pn, type }), own)).toBeNull();
  },
);

test('one receipt may speak of many messages', () => {
  const list: BinaryNode = {
    tag: 'list',
    attrs: {},
    content: ['A2', 'A3'].map((id) => ({ tag: 'item', attrs: { id } })),
  };
  const reading = readReceipt(receipt({ from: ana.lid, type: 'read' }, [list]), own);
  expect(reading).toMatchObject({
    providerMessageIds: ['A1', 'A2', 'A3'],
    recipient: null,
    recipientLid: '900000000002',
  });
});

test('a receipt in a group names the member, not the group', () => {
  const node = receipt({ from: group, participant: ana.lid, participant_pn: ana.pn });
  expect(readReceipt(node, own)).toMatchObject({
    groupId: group,
    recipient: '628200000002',
    recipientLid: '900000000002',
  });
});

const texts: [string, proto.IMessage][] = [
  ['plain', { conversation: 'hello' }],
  ['formatted', { extendedTextMessage: { text: 'hello' } }],
  ['disappearing', { ephemeralMessage: { message: { extendedTextMessage: { text: 'hello' } } } }],
  ['seen once', { viewOnceMessageV2: { message: { conversation: 'hello' } } }],
];

test.each(texts)('a %s text is read', async (_, message) => {
  expect(await read({ from: ana.pn, sender_lid: ana.lid, notify: 'Ana' }, message)).toMatchObject({
    providerMessageId: 'A1',
    at,
    chatType: 'personal',
    from: '628200000002',
    senderLid: '900000000002',
    pushName: 'Ana',
    content: { type: 'text', text: 'hello' },
  });
});

test('an author named by alias alone is looked up, and stays an alias where nothing is known', async () => {
  const known = await read({ from: '900000000009@lid' }, { conversation: 'hello' });
  const unknown = await read({ from: '900000000008@lid' }, { conversation: 'hello' });
  expect(known).toMatchObject({ from: '628200000009', senderLid: '900000000009' });
  expect(unknown).toMatchObject({ from: '900000000008', senderLid: '900000000008' });
});

test('a text in a group bears the group and its author', async () => {
  const attrs = { from: group, participant: ana.lid, participant_pn: ana.pn };
  expect(await read(attrs, { conversation: 'hello' })).toMatchObject({
    chatType: 'group',
    groupId: group,
    from: '628200000002',
  });
});

const silent: [string, Record<string, string>, proto.IMessage][] = [
  [
    'a key of a group',
    { from: group, participant: ana.lid },
    { senderKeyDistributionMessage: { groupId: group } },
  ],
  ['a status', { from: 'status@broadcast', participant: ana.pn }, { conversation: 'hello' }],
  ['our own text', { from: '628100000001@s.whatsapp.net' }, { conversation: 'hello' }],
  [
    'news between our devices',
    { from: '628100000001@s.whatsapp.net', category: 'peer' },
    { protocolMessage: { type: 5 } },
  ],
];

test.each(silent)('%s is no message that came in', async (_, attrs, message) => {
  expect(await read(attrs, message)).toBeNull();
});

test('every refusal of a send has a sentence that bears its code', () => {
  for (const code of ['463', '479', '599'])
    expect(sendRefusal(code)).toMatch(new RegExp(`^The .+ \\(${code}\\)\\.$`));
});

import { expect, test } from 'vitest';
import { acceptedMessage } from '../../../src/durable/event-log/messages/logged-message.ts';
import { waitingRecord } from '../../../src/worker/features/messages/shown-message.ts';

const at = Date.parse('2026-02-02T10:00:00.000Z');
const message = acceptedMessage({
  messageId: 'msg_01890a5d-ac96-774b-bcce-b302099a8057',
  numberId: 'n',
  from: '15550000001',
  to: '120363000000000042@g.us',
  chatType: 'group',
  content: { type: 'text', text: 'hi' },
  senderSource: 'pool',
  queuedAt: at,
});
const shown = (more: object, waiting: Parameters<typeof waitingRecord>[1] = null) =>
  waitingRecord({ ...message, ...more }, waiting, () => null);

test('the record of a message to a group says who of it has it, and has read it', () => {
  const receipts = [
    { phoneNumber: '628123456789', lid: null, deliveredAt: at + 1_000, readAt: at + 2_000 },
    { phoneNumber: null, lid: '100000000000017', deliveredAt: at + 1_000, readAt: null },
  ];
  expect(shown({ receipts })).toMatchObject({
    receipts: [
      {
        phoneNumber: '628123456789',
        deliveredAt: '2026-02-02T10:00:01.000Z',
        readAt: '2026-02-02T10:00:02.000Z',
      },
      { lid: '100000000000017', deliveredAt: '2026-02-02T10:00:01.000Z', readAt: null },
    ],
  });
  expect(shown({})).not.toHaveProperty('receipts');
});

test('the record of a message that waits says for what, and until when it is expected to', () => {
  const waiting = { heldReason: 'daily_limit', expectedAt: at } as const;
  expect(shown({}, waiting as never)).toMatchObject({
    heldReason: 'daily_limit',
    expectedAt: '2026-02-02T10:00:00.000Z',
  });
  expect(shown({})).toMatchObject({ heldReason: null, expectedAt: null });
});

test('of a poll each option says how many have chosen it', () => {
  const poll = { name: 'When?', options: ['Today', 'Later', 'Never'], selectableCount: 2 };
  const content = { type: 'poll', poll, secret: 'c2VjcmV0' };
  const votes = {
    '628123456789': { options: ['Today', 'Later'], at },
    '628123456780': { options: ['Today'], at },
    '628123456781': { options: [], at },
  };
  const record = shown({ content, votes });
  expect(record).toMatchObject({
    poll: {
      votes: [
        { option: 'Today', count: 2 },
        { option: 'Later', count: 1 },
        { option: 'Never', count: 0 },
      ],
    },
  });
  expect(JSON.stringify(record)).not.toContain('c2VjcmV0');
});

test('what the network calls a message is told once the network knows it', () => {
  expect(shown({})).toMatchObject({ providerMessageId: null });
  const { providerMessageId } = message;
  expect(shown({ status: 'sent', sentAt: at })).toMatchObject({ providerMessageId });
});

test('a reaction that was taken back is none', () => {
  const reactions = { '628123456789': { emoji: '👍', at }, '628123456780': { emoji: '', at } };
  const [first] = Object.keys(reactions);
  expect(shown({ reactions })).toMatchObject({
    reactions: [{ from: first, emoji: '👍', reactedAt: '2026-02-02T10:00:00.000Z' }],
  });
  expect(shown({ reactions: { '628123456780': { emoji: '', at } } })).not.toHaveProperty('reactions');
});

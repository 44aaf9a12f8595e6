import { expect, test } from 'vitest';
import type {
  InboundMessage,
  NumberFact,
  SendOutcome,
} from '../../../../src/contract/bridge/bridge-frames.ts';
import {
  applyMessageFact,
  isMessageFact,
  logFactsOf,
  type MessageFact,
  targetsOf,
} from '../../../../src/durable/phone-number/bridge/message-facts.ts';
import type { NumberParts } from '../../../../src/durable/phone-number/number-parts.ts';
import { connected, NumberLife, now, text } from './number-life.ts';

const at = new Date(now).toISOString();

/** A number to which a bridge tells facts, and what it remembers of them beside its queue. */
function newNumber(pacing: ConstructorParameters<typeof NumberLife>[0] = {}) {
  const life = new NumberLife(pacing);
  const held: string[] = [];
  const parts = {
    ...{ queue: life.queue, dispatch: life.dispatch, health: life.health, pace: life.pace },
    ...{ returns: life.returns, notes: life.notes },
    device: { known: { ...connected, phoneNumber: '628123456789' } },
    groups: { isAdminsDeletion: () => true, holdDeletion: () => held.push('deletion') },
    inboundMedia: { hold: ({ providerMessageId }: InboundMessage) => held.push(providerMessageId) },
  } as unknown as NumberParts;
  const toLog = (fact: MessageFact) => logFactsOf(parts, fact);
  const apply = (fact: MessageFact) => applyMessageFact(parts, fact, now);
  const outcome = (more: Omit<SendOutcome, 'at'>): MessageFact => ({
    type: 'send.outcomes',
    items: [{ at, ...more } as SendOutcome],
  });
  const handed = (message = text('one')) => {
    life.give([message]);
    return message;
  };
  const notes = () => life.notes.first(100).map(({ note }) => note);
  return { life, held, toLog, apply, outcome, handed, notes };
}

test('a message that came back from its last hand-over waits again, counts for no day, and the log hears nothing', () => {
  const { life, toLog, apply, outcome, handed } = newNumber({ dailyLimit: 1 });
  const { messageId } = handed();
  life.link('next', now + 1);
  life.look(now + 1);
  const back = (handOver: number) => outcome({ outcome: 'returned', messageId, handOver });
  apply(back(1));
  expect(life.look(now + 2)).toEqual([]);
  expect(toLog(back(2))).toEqual([]);
  apply(back(2));
  expect(life.look(now + 2)).toEqual(['one']);
  expect(life.handed.at(-1)).toMatchObject({ handedTo: null, handOver: 3 });
});

test('that a message came back which is not here any more changes nothing', () => {
  const { life, toLog, apply, outcome } = newNumber();
  for (const name of ['returned', 'sent'] as const) {
    const fact = outcome({ outcome: name, messageId: text('').messageId, handOver: 1 });
    expect(toLog(fact)).toEqual([]);
    apply(fact);
  }
  expect(life.queue.all).toEqual([]);
});

test('what the network took, refused or left open is told to the log as that, and is gone from the number', () => {
  const { life, toLog, apply, outcome, handed } = newNumber();
  const failed = { outcome: 'failed', handOver: 1, errorMessage: 'No.' } as const;
  const told = [
    { ...failed, outcome: 'sent' as const },
    { ...failed, code: '463' },
    { ...failed, code: 'unknown_outcome' },
  ].map((end) => {
    const fact = outcome({ ...end, messageId: handed().messageId } as Omit<SendOutcome, 'at'>);
    const [logFact] = toLog(fact);
    apply(fact);
    return logFact;
  });
  expect(told).toMatchObject([
    { kind: 'message.sent', at: now },
    { kind: 'message.failed', at: now, errorMessage: 'No.', errorCode: 'network_463' },
    { kind: 'message.failed', at: now, errorMessage: 'No.', errorCode: 'unknown_outcome' },
  ]);
  expect([life.queue.all, life.dispatch.ackDueAt()]).toEqual([[], null]);
});

test('what never got as far as the network goes back to the account with the reason, and the log hears nothing', () => {
  const { life, toLog, apply, outcome, handed, notes } = newNumber({ dailyLimit: 1 });
  const end = { outcome: 'failed', handOver: 1, code: null, errorMessage: 'No.' } as const;
  for (const refusal of ['403', 'unprepared']) {
    const { messageId } = handed();
    const fact = outcome({ ...end, refusal, messageId } as Omit<SendOutcome, 'at'>);
    expect(toLog(fact)).toEqual([]);
    apply(fact);
  }
  expect(notes()).toMatchObject([
    { reason: 'not_sendable', errorMessage: 'No.', errorCode: 'network_403' },
    { reason: 'not_sendable', errorMessage: 'No.' },
  ]);
  expect(notes()[1]).not.toHaveProperty('errorCode');
  // Both have had the only place of the day.
  expect([life.handed.length, life.queue.all]).toEqual([2, []]);
});

test('a receipt proves that a message left which is still here, and says of any other what it says', () => {
  const { life, toLog, apply, handed } = newNumber();
  handed();
  const providerMessageId = life.handed[0]?.providerMessageId ?? '';
  const receipt = {
    kind: 'read' as const,
    at,
    isGroup: false,
    recipient: '628999888777',
    recipientLid: '12',
  };
  const fact: MessageFact = { type: 'receipts', items: [{ providerMessageId, ...receipt }] };
  const { recipient, recipientLid } = receipt;
  const told = {
    kind: 'message.receipt',
    providerMessageId,
    receipt: 'read',
    at: now,
    recipient,
    recipientLid,
  };
  expect(toLog(fact)).toMatchObject([{ kind: 'message.sent', at: now }, told]);
  apply(fact);
  expect([life.queue.all, life.dispatch.ackDueAt()]).toEqual([[], null]);
  expect(toLog(fact)).toMatchObject([told]);
  const unnamed = { providerMessageId, kind: 'delivered' as const, at, isGroup: true };
  expect(toLog({ type: 'receipts', items: [unnamed] })).toMatchObject([
    { receipt: 'delivered', recipient: null, recipientLid: null },
  ]);
});

const wrote = (more: object): MessageFact => ({
  type: 'inbound',
  items: [
    {
      ...{ providerMessageId: 'IN1', at, chatType: 'personal', from: '628555555555', pushName: '' },
      content: { type: 'text', text: 'stop' },
      ...more,
    } as InboundMessage,
  ],
});

test('the account hears who wrote to the number, by alias where that is all, and with the word of an opt-out', () => {
  const { apply, notes } = newNumber();
  apply(wrote({}));
  apply(wrote({ from: '1234', senderLid: '1234' }));
  apply(wrote({ content: { type: 'location', latitude: 1, longitude: 2 } }));
  apply(wrote({ chatType: 'group' }));
  apply(wrote({ sentTo: '628999888777' }));
  expect(notes()).toEqual([
    { kind: 'inbound', from: '628555555555', at: now, text: 'STOP' },
    { kind: 'inbound', from: '1234@lid', at: now, text: 'STOP' },
    { kind: 'inbound', from: '628555555555', at: now, text: null },
  ]);
});

test('the log hears of what people write at once, or with its file, and the account at once in any case', () => {
  const { held, toLog, apply, notes } = newNumber();
  const media = { mediaId: 'file', mimetype: 'image/jpeg', bytes: 5, sha256: 'ab', status: 'pending' };
  const picture = wrote({ providerMessageId: 'IN2', content: { type: 'image', media } });
  expect(toLog(wrote({}))).toMatchObject([{ kind: 'message.received', to: '628123456789' }]);
  expect(toLog(picture)).toEqual([]);
  for (const fact of [wrote({}), picture]) apply(fact);
  expect([held, notes().length]).toEqual([['IN2'], 2]);
  const there = wrote({ content: { type: 'image', media: { ...media, status: 'stored' } } });
  expect(toLog(there)).toMatchObject([{ kind: 'message.received' }]);
});

test('what is done to messages is told with the own number and whether an admin did it, and calls as they are', () => {
  const { held, toLog, apply } = newNumber();
  const target = { providerMessageId: '3EB0AA', isOwn: false };
  const change = { change: 'deleted', target } as unknown as Extract<
    MessageFact,
    { type: 'changes' }
  >['items'][0];
  const changes: MessageFact = { type: 'changes', items: [change] };
  expect(toLog(changes)).toMatchObject([
    { kind: 'message.changed', own: '628123456789', change, isByAdmin: true },
  ]);
  const call = { callId: 'C1', at, from: '628555555555', isVideo: false, isGroup: false };
  const calls: MessageFact = { type: 'calls', items: [call] };
  expect(toLog(calls)).toMatchObject([{ kind: 'call.received', call }]);
  for (const fact of [changes, calls]) apply(fact);
  expect([held, [...targetsOf([changes, calls])]]).toEqual([['deletion'], ['3EB0AA']]);
});

test('facts of messages are told from those of the session', () => {
  const session: NumberFact = { type: 'session.connected', phoneNumber: '628123456789', at };
  const types = ['send.outcomes', 'receipts', 'inbound', 'changes', 'calls'];
  expect(types.every((type) => isMessageFact({ type, items: [] } as unknown as NumberFact))).toBe(true);
  expect(isMessageFact(session)).toBe(false);
});

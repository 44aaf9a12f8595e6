import { evictDurableObject } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OutboundRecord } from '../../../src/durable/event-log/facts.ts';
import { newMessageId, newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import {
  aboutMessages,
  countOf,
  eventsOf,
  failed,
  moved,
  namesOf,
  newLog,
  queued,
  receipt,
  received,
  record,
  sent,
  start,
} from './event-log-fixture.ts';

const ladder = ['message.queued', 'message.sent', 'message.delivered', 'message.read'];

test('a sent that comes before the queued yields both, in order, and the queued changes nothing any more', async () => {
  const log = newLog();
  const message = record();
  await log.take([sent(message)]);
  const told = await eventsOf(log);
  expect(told.map(({ envelope }) => envelope)).toMatchObject([
    { event: 'message.queued', data: { messageId: message.messageId, status: 'queued' } },
    {
      event: 'message.sent',
      data: {
        status: 'sent',
        providerMessageId: providerMessageIdOf(message.messageId),
        sentAt: new Date(start + 1000).toISOString(),
      },
    },
  ]);
  await log.take([queued(message)]);
  expect(await eventsOf(log)).toEqual(told);
});

test('a message that fails before the log was told of it is told of as queued, then as failed', async () => {
  const log = newLog();
  const message = record();
  await log.take([failed(message)]);
  expect(await namesOf(log)).toEqual(['message.queued', 'message.failed']);
  expect(await log.message(message.messageId)).toMatchObject({
    status: 'failed',
    errorMessage: 'The network refused it.',
    failedAt: start + 1000,
    sentAt: null,
  });
});

test('whatever order the facts of a message come in, it ends as read, with the same four events', async () => {
  const message = record();
  const told = [queued(message), sent(message), receipt(message, 'delivered'), receipt(message, 'read')];
  // A receipt means something only once anything else is known of the message.
  const first = fc.constantFrom(queued(message), sent(message));
  const all = fc.shuffledSubarray(told, { minLength: told.length });
  const repeats = fc.array(fc.constantFrom(...told), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(first, all, repeats, fc.boolean(), async (known, facts, again, oneByOne) => {
      const log = newLog();
      const arrivals = [known, ...facts, ...again];
      if (oneByOne) for (const fact of arrivals) await log.take([fact]);
      else await log.take(arrivals);
      expect(await namesOf(log)).toEqual(ladder);
      expect(await log.message(message.messageId)).toMatchObject({
        status: 'read',
        sentAt: expect.any(Number),
        deliveredAt: expect.any(Number),
        readAt: expect.any(Number),
        failedAt: null,
      });
    }),
    { numRuns: 25 },
  );
});

test('a failure never undoes a delivery, and nothing undoes a failure', async () => {
  const log = newLog();
  const [arrived, lost] = [record(), record()];
  await log.take([
    receipt(arrived, 'delivered'),
    sent(arrived),
    receipt(arrived, 'delivered'),
    failed(arrived),
  ]);
  await log.take([sent(lost), failed(lost), receipt(lost, 'read'), sent(lost)]);
  expect(await log.message(arrived.messageId)).toMatchObject({ status: 'delivered', failedAt: null });
  expect(await log.message(lost.messageId)).toMatchObject({
    status: 'failed',
    sentAt: start + 1000,
    readAt: null,
  });
});

test('what members of a group confirm of a message that has failed is told to nobody', async () => {
  const log = newLog();
  const group = record({ chatType: 'group', to: '120363041234567890@g.us' });
  await log.take([failed(group), receipt(group, 'delivered', { recipient: '628111' })]);
  const told = (await eventsOf(log)).map(({ envelope }) => envelope.event);
  expect(told).toEqual(['message.queued', 'message.failed']);
});

test('a message climbs on in another life of the log', async () => {
  const log = newLog();
  const message = record();
  for (const fact of [queued(message), sent(message), receipt(message, 'read')]) {
    await log.take([fact]);
    await evictDurableObject(log);
  }
  expect(await namesOf(log)).toEqual(ladder);
});

test('a receipt tells who received it: by phone number where it is known, by alias beside it', async () => {
  const log = newLog();
  const [personal, group] = [record(), record({ chatType: 'group', to: '120363041234567890@g.us' })];
  await log.take([
    sent(personal),
    receipt(personal, 'delivered', { recipientLid: '4455' }),
    sent(group),
    receipt(group, 'delivered', { recipient: '628999', recipientLid: '4466' }),
    receipt(group, 'read', { recipientLid: '4477' }),
  ]);
  const told = (await eventsOf(log)).map(({ envelope }) => envelope);
  expect(told.filter(({ event }) => event === 'message.delivered' || event === 'message.read')).toMatchObject(
    [
      {
        data: {
          chat: '628123456789@s.whatsapp.net',
          recipient: '628123456789',
          recipientLid: '4455',
          isGroup: false,
        },
      },
      { data: { chat: group.to, recipient: '628999', recipientLid: '4466', isGroup: true } },
      { event: 'message.delivered', data: { chat: group.to, recipient: '4477', recipientLid: '4477' } },
      {
        event: 'message.read',
        data: { recipient: '4477', recipientLid: '4477', messageStatus: 'delivered' },
      },
    ],
  );
});

test('in a group each member is told of once and by itself, and the first one stands for nobody else', async () => {
  const log = newLog();
  const group = record({ chatType: 'group', to: '120363041234567890@g.us' });
  const at = (seconds: number) => group.queuedAt + seconds * 1000;
  const one = { recipient: '628111', recipientLid: '4411' };
  const two = { recipient: '628222', recipientLid: '4422' };
  const facts = [
    sent(group),
    receipt(group, 'read', { ...one, at: at(4) }),
    receipt(group, 'delivered', { ...two, at: at(5) }),
    receipt(group, 'delivered', { ...one, at: at(6) }),
    receipt(group, 'read', { recipient: '628222', at: at(7) }),
    receipt(group, 'delivered', { recipient: '628333', at: at(8) }),
  ];
  for (const fact of [...facts, ...facts]) {
    await log.take([fact]);
    await evictDurableObject(log);
  }
  const told = (await eventsOf(log)).map(({ envelope: { event, data } }) => [
    event,
    'recipient' in data ? data.recipient : null,
  ]);
  expect(told).toEqual([
    ['message.queued', null],
    ['message.sent', null],
    ['message.delivered', '628111'],
    ['message.read', '628111'],
    ['message.delivered', '628222'],
    ['message.read', '628222'],
    ['message.delivered', '628333'],
  ]);
  const message = await log.message(group.messageId);
  expect(message).toMatchObject({ status: 'read', deliveredAt: at(4), readAt: at(4) });
  if (message?.direction !== 'outbound') throw new Error('the message is not outbound');
  const receipts = message.receipts?.toSorted((a, b) =>
    String(a.phoneNumber).localeCompare(String(b.phoneNumber)),
  );
  expect(receipts).toEqual([
    { phoneNumber: '628111', lid: '4411', deliveredAt: at(4), readAt: at(4) },
    { phoneNumber: '628222', lid: '4422', deliveredAt: at(5), readAt: at(7) },
    { phoneNumber: '628333', lid: null, deliveredAt: at(8), readAt: null },
  ]);
});

test('a receipt of a message that nobody knows is dropped, and holds up nothing', async () => {
  const log = newLog();
  const stranger = { ...record(), messageId: newMessageId() };
  const fromThePhone = receipt(record(), 'read', { providerMessageId: 'AC0123456789' });
  expect(await log.take([receipt(stranger, 'read'), fromThePhone, queued(record())])).toEqual({ taken: 3 });
  expect(await namesOf(log)).toEqual(['message.queued']);
  expect([await countOf(log, 'messages'), await countOf(log, 'parked_facts')]).toEqual([1, 0]);
});

test('what the receiving side says of a message between two numbers of the account is no receipt of the sender', async () => {
  const log = newLog();
  const message = record();
  await log.take([sent(message), receipt(message, 'read', { numberId: newUuid() })]);
  expect(await namesOf(log)).toEqual(['message.queued', 'message.sent']);
});

test('a message that waits moves to another number without an event, and is sent from there', async () => {
  const log = newLog();
  const first = record();
  const second: OutboundRecord = {
    ...first,
    numberId: newUuid(),
    from: '15550000002',
    senderSource: 'pinned_fallback',
  };
  // A number that has no phone number yet is not known by that of another one.
  const unpaired = { ...second, from: null };
  await log.take([queued(first), moved(unpaired)]);
  expect(await log.message(first.messageId)).toMatchObject({ numberId: second.numberId, ownPhone: null });
  await log.take([moved(second)]);
  const inNewHands = { numberId: second.numberId, ownPhone: '15550000002', senderSource: 'pinned_fallback' };
  expect(await log.message(first.messageId)).toMatchObject({ status: 'queued', ...inNewHands });
  await log.take([sent(second), moved(first), queued(first)]);
  expect(await log.message(first.messageId)).toMatchObject({ status: 'sent', ...inNewHands });
  expect(
    (await eventsOf(log)).map(({ envelope: { event, data } }) => [
      event,
      'numberId' in data && data.numberId,
    ]),
  ).toEqual([
    ['message.queued', first.numberId],
    ['message.sent', second.numberId],
  ]);
});

test('a sent that overtakes the move says who has sent it, and a receipt may overtake both', async () => {
  const log = newLog();
  const first = record();
  const second: OutboundRecord = { ...first, numberId: newUuid(), from: '15550000002' };
  await log.take([queued(first), receipt(second, 'delivered'), sent(second), moved(second)]);
  expect(await namesOf(log)).toEqual(ladder.slice(0, 3));
  expect(await log.message(first.messageId)).toMatchObject({
    numberId: second.numberId,
    ownPhone: '15550000002',
  });
});

test('a failure that overtakes the move says by which number the message was to go', async () => {
  const log = newLog();
  const message = record();
  const there = { ...message, numberId: newUuid(), from: '15550000002' };
  await log.take([queued(message), failed(there), moved(there)]);
  const { numberId, from: ownPhone } = there;
  expect(await log.message(message.messageId)).toMatchObject({ status: 'failed', numberId, ownPhone });
  const told = (await eventsOf(log)).map(({ envelope }) => [envelope.event, envelope.data]);
  expect(told).toMatchObject([
    ['message.queued', { numberId: message.numberId }],
    ['message.failed', { numberId }],
  ]);
});

test('the phone number of a sender is learned when it is known, and not forgotten', async () => {
  const log = newLog();
  const message = record({ from: null });
  await log.take([queued(message)]);
  expect(await log.message(message.messageId)).toMatchObject({ ownPhone: null });
  await log.take([sent({ ...message, from: '15550000009' })]);
  await log.take([failed({ ...message, from: null })]);
  expect(await log.message(message.messageId)).toMatchObject({ ownPhone: '15550000009', status: 'failed' });
});

test('a message that came in is told once, however often the network delivers it, also under another time', async () => {
  const log = newLog();
  const numberId = newUuid();
  const of = (more: Parameters<typeof received>[0]) =>
    received({ providerMessageId: 'AA01', ...more }, numberId);
  await log.take([of({}), of({})]);
  await evictDurableObject(log);
  await log.take([of({ at: new Date(start + 86_400_000).toISOString() })]);
  expect((await namesOf(log)).filter(aboutMessages)).toEqual(['message.received']);
  // The network's ids are unique only within a chat and an author, and each number hears for itself.
  await log.take([
    of({ from: '628999' }),
    of({ chatType: 'group', groupId: '120363041234567890@g.us' }),
    of({ from: '4455', senderLid: '4455' }),
    received({ providerMessageId: 'AA01' }),
  ]);
  expect((await namesOf(log)).filter((name) => name === 'message.received')).toHaveLength(5);
});

test('a message that came in is found by the id that its event bears', async () => {
  const log = newLog();
  await log.take([
    received({
      content: { type: 'text', text: 'hi' },
      groupId: '120363041234567890@g.us',
      chatType: 'group',
    }),
  ]);
  const [event] = await eventsOf(log);
  const data = event?.envelope.event === 'message.received' ? event.envelope.data : null;
  expect(await log.message(data?.messageId ?? '')).toMatchObject({
    direction: 'inbound',
    status: 'received',
    messageId: data?.messageId,
    peer: '628123456789',
    ownPhone: '15550000001',
    groupId: '120363041234567890@g.us',
    content: { type: 'text', text: 'hi' },
    receivedAt: start,
  });
  expect(await log.message(newMessageId())).toBeNull();
});

test('the content of an outbound message is found by the id that the network knows it by', async () => {
  const log = newLog();
  const message = record({ content: { type: 'text', text: 'once more' } });
  await log.take([queued(message), received({ providerMessageId: 'AA02' })]);
  expect(await log.sentContent(providerMessageIdOf(message.messageId))).toEqual({
    content: { type: 'text', text: 'once more' },
    to: message.to,
  });
  expect(await log.sentContent(providerMessageIdOf(newMessageId()))).toBeNull();
  expect(await log.sentContent('AA02')).toBeNull();
});

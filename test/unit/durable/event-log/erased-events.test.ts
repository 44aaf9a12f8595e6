import { expect, test } from 'vitest';
import { type EventEnvelope, eventDataSchemas, eventNames } from '../../../../src/contract/events.ts';
import {
  eventWithout,
  mayName,
  mayNameFile,
} from '../../../../src/durable/event-log/contacts/erasing/erased-person.ts';
import { eventExamples } from '../../../../src/worker/openapi/examples/event-examples.ts';
import { example } from '../../../../src/worker/openapi/examples/example-values.ts';

const [contactId, otherId] = ['019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f', '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e10'];
const person = { contactId, phoneNumber: null, lid: '100000000000017' };
const noFiles: ReadonlySet<string> = new Set();

test('an event that names an erased person by their contact alone keeps nothing of what it says', () => {
  const kept = {
    messageId: 'msg_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e12',
    numberId: '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e11',
    contactId,
    chatType: 'personal',
    messageType: 'text',
    status: 'failed',
  } as const;
  const said = { errorMessage: 'Budi cannot be reached.', clientReference: 'order of Budi' };
  const event: EventEnvelope<'message.failed'> = {
    ...{ id: 'evt_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e13', event: 'message.failed' },
    ...{ timestamp: '2026-01-31T09:30:00.123Z', data: { ...kept, ...said } },
  };
  expect(mayName(JSON.stringify([event]), person)).toBe(true);
  expect(eventWithout(event, person, noFiles)).toEqual({ ...event, data: { ...kept, errorMessage: '' } });
  const other = { ...event, data: { ...event.data, contactId: otherId } };
  expect(mayName(JSON.stringify([other]), person)).toBe(false);
  expect(eventWithout(other, person, noFiles)).toBe(other);
  // A contact that became a part of theirs.
  const joined = { ...person, formerIds: [otherId] };
  expect(mayName(JSON.stringify([other]), joined)).toBe(true);
  expect(eventWithout(other, joined, noFiles).data).toEqual({
    ...kept,
    contactId: otherId,
    errorMessage: '',
  });
});

test('an event of the chat with an erased person does not say whose chat it was', () => {
  const phoneNumber = '628123456789';
  const kept = {
    messageId: 'msg_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e12',
    reactedAt: '2026-01-31T09:30:00.000Z',
  };
  const numberId = '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e11';
  const said = { chat: `${phoneNumber}@s.whatsapp.net`, from: '15550000001', emoji: '👍' };
  const event: EventEnvelope<'message.reaction'> = {
    ...{ id: 'evt_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e13', event: 'message.reaction' },
    ...{ timestamp: '2026-01-31T09:30:00.123Z', data: { ...kept, numberId, ...said } },
  };
  const { data } = eventWithout(event, { contactId, phoneNumber, lid: null }, noFiles);
  expect(data).toEqual({ ...kept, numberId, chat: 'erased', from: '15550000001', emoji: '' });
});

test('an event of somebody whose number begins with that of an erased person stays as it is', () => {
  const phoneNumber = '62812345678';
  const said = { chat: `${phoneNumber}9@s.whatsapp.net`, from: `${phoneNumber}9`, emoji: '👍' };
  const ids = {
    messageId: 'msg_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e12',
    numberId: '019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e11',
  };
  const event: EventEnvelope<'message.reaction'> = {
    ...{ id: 'evt_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e13', event: 'message.reaction' },
    timestamp: '2026-01-31T09:30:00.123Z',
    data: { ...ids, ...said, reactedAt: '2026-01-31T09:30:00.000Z' },
  };
  expect(eventWithout(event, { contactId, phoneNumber, lid: null }, noFiles)).toBe(event);
});

test('of several people in a list an erased one goes, wherever they stand', () => {
  const phoneNumber = '628123456789';
  const others = [{ phoneNumber: '15550000001', role: 'owner' }, { phoneNumber: '4915112345678' }];
  const [owner, member] = others;
  const event = {
    ...{ id: 'evt_019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e13', event: 'group.participants' },
    ...{ timestamp: '2026-01-31T09:30:00.123Z' },
    data: {
      groupId: '120363000000000042@g.us',
      action: 'add',
      participants: [owner, { phoneNumber }, member],
    },
  } as unknown as EventEnvelope;
  const { data } = eventWithout(event, { contactId, phoneNumber, lid: null }, noFiles);
  expect(JSON.stringify(data)).not.toContain(phoneNumber);
  expect(data).toMatchObject({ groupId: '120363000000000042@g.us', action: 'add' });
  expect((data as { participants: object[] }).participants).toEqual(expect.arrayContaining(others));
});

test('what became of a file of an erased person is told without its name and words, and of the file of another stays', () => {
  const fileId = example.mediaId;
  const media = { ...eventExamples['message.media'].media, fileName: 'Budi.pdf', caption: 'my passport' };
  const event = {
    ...{ id: example.eventId, event: 'message.media', timestamp: '2026-01-31T09:30:00.123Z' },
    data: { ...eventExamples['message.media'], media },
  } as EventEnvelope<'message.media'>;
  const theirs = new Set([fileId]);
  expect(mayNameFile(JSON.stringify([event]), theirs)).toBe(true);
  expect(eventWithout(event, person, theirs)).toEqual({
    ...event,
    data: { ...event.data, media: { mediaId: fileId, status: 'unavailable' } },
  });
  expect(eventWithout(event, person, new Set([contactId]))).toBe(event);
  expect(mayNameFile(JSON.stringify([event]), noFiles)).toBe(false);
});

test.each(eventNames)('%s has all that such an event must have when whom it tells of is erased', (event) => {
  const { contactId, recipient } = example;
  const told = {
    id: example.eventId,
    event,
    timestamp: '2026-01-31T09:30:00.123Z',
    data: eventExamples[event],
  };
  const whom = { contactId, phoneNumber: recipient, lid: null };
  const { data } = eventWithout(told as EventEnvelope, whom, new Set([example.mediaId]));
  expect(JSON.stringify(data)).not.toContain(recipient);
  expect(eventDataSchemas[event].safeParse(data).error?.issues ?? []).toEqual([]);
});

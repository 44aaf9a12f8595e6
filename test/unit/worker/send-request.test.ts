import { expect, test } from 'vitest';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';
import { parseBatchBody } from '../../../src/worker/features/messages/sending/send-batch-request.ts';
import {
  type Found,
  parseIdempotencyKey,
  parseSendBody,
} from '../../../src/worker/features/messages/sending/send-request.ts';

const contactId = newUuid();
const found: Found = { known: new Set(), contacts: new Map([[contactId, '628123456789']]) };

/** By which the account tells a repeat under an Idempotency-Key from another send. */
function identityOf(body: object): string {
  const parsed = parseSendBody(body, found);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed));
  return parsed.request.bodyHash;
}

const inAnHour = new Date(Date.now() + 3_600_000);
const [quotedMessageId, mediaId] = [newMessageId(), newUuid()];
const text = { to: '628123456789', text: 'Your code is 4711.' };
const poll = { to: '628123456789', type: 'poll', poll: { name: 'When?', options: ['Today', 'Later'] } };
const image = { to: '628123456789', type: 'image', image: { mediaId } };

test.each<[string, object, object]>([
  ['the recipient is written in another way', text, { ...text, to: '+62 812-3456-789' }],
  ['the kind is named that is meant anyway', text, { ...text, type: 'text' }],
  [
    'its time is told from elsewhere',
    { ...text, sendAt: inAnHour.toISOString() },
    { ...text, sendAt: new Date(inAnHour.getTime() + 7_200_000).toISOString().replace('Z', '+02:00') },
  ],
  ['it is a poll, whose secret is another one each time', poll, poll],
])('a send is the same where %s', (_, one, other) => {
  expect(identityOf(other)).toBe(identityOf(one));
});

test('a send to a contact is the same when another address of theirs is known meanwhile', () => {
  const identityAt = (address: string) => {
    const parsed = parseSendBody(
      { contactId, text: 'hi' },
      { ...found, contacts: new Map([[contactId, address]]) },
    );
    return parsed.ok ? parsed.request.bodyHash : '';
  };
  expect(identityAt('628123456789')).toBe(identityAt('99887766554433@lid'));
});

test.each<[string, object, object]>([
  ['goes to somebody else', text, { ...text, to: '628123456780' }],
  ['says something else', text, { ...text, text: 'Your code is 4712.' }],
  ['answers a message', text, { ...text, quotedMessageId }],
  ['answers another message', { ...text, quotedMessageId }, { ...text, quotedMessageId: newMessageId() }],
  ['leaves at another time', text, { ...text, sendAt: inAnHour.toISOString() }],
  ['has a reference', text, { ...text, clientReference: 'order 17' }],
  ['asks for a sender', text, { ...text, senderHint: newUuid() }],
  ['names somebody', text, { ...text, mentions: ['628123456780'] }],
  ['is marked as forwarded', text, { ...text, isForwarded: true }],
  ['carries another file', image, { ...image, image: { mediaId: newUuid() } }],
  ['carries a file from elsewhere', image, { ...image, image: { url: 'https://example.com/a.png' } }],
])('a send is another one where it %s', (_, one, other) => {
  expect(identityOf(other)).not.toBe(identityOf(one));
});

test('a batch is another one where a message of it is, or has another key', () => {
  const identityOfBatch = (...messages: object[]) => {
    const parsed = parseBatchBody({ messages }, found);
    return parsed.ok ? parsed.batch.bodyHash : '';
  };
  const other = { ...text, to: '628123456780' };
  const known = identityOfBatch(text, other);
  expect(identityOfBatch({ ...text, to: '+62 812-3456-789' }, other)).toBe(known);
  const others = [
    identityOfBatch(other, text),
    identityOfBatch(text),
    identityOfBatch(text, { ...other, text: 'Another text.' }),
    identityOfBatch({ ...text, idempotencyKey: 'order 17' }, other),
    identityOfBatch({ ...text, idempotencyKey: 'order 18' }, other),
    identityOfBatch(text, { ...other, idempotencyKey: 'order 17' }),
  ];
  expect(new Set([known, ...others, '']).size).toBe(others.length + 2);
});

test.each(['', 'order\u000017', 'x'.repeat(256)])('a message of a batch has no key such as %j', (key) => {
  const parsed = parseBatchBody({ messages: [{ ...text, idempotencyKey: key }] }, found);
  expect(parsed).toMatchObject({ batch: { items: [{ ok: false, details: [{ path: 'idempotencyKey' }] }] } });
});

test('an Idempotency-Key has 1 to 255 characters; who sends none has none', () => {
  expect(parseIdempotencyKey(undefined)).toEqual({ ok: true, key: null });
  for (const key of ['a', 'x'.repeat(255)]) expect(parseIdempotencyKey(key)).toEqual({ ok: true, key });
  // An empty one is a mistake: whoever sends it believes that a repeat is safe.
  for (const key of ['', 'x'.repeat(256)])
    expect(parseIdempotencyKey(key)).toMatchObject({ ok: false, details: [{ path: 'Idempotency-Key' }] });
});

test('a message with a file names it once: by its id, by a URL or by its bytes', () => {
  const parsed = (file: object) => parseSendBody({ ...image, image: file }, found);
  expect(parsed({ mediaId })).toMatchObject({ ok: true });
  for (const file of [{}, { mediaId, url: 'https://files.example/1.png' }]) {
    expect(parsed(file)).toMatchObject({ ok: false, details: [{ path: 'image' }] });
  }
});

test('a recipient that a spreadsheet has spoilt, or that is empty, is refused with what is wrong', () => {
  const problemOf = (to: string) => {
    const parsed = parseSendBody({ ...text, to }, found);
    return parsed.ok ? null : parsed.message;
  };
  expect(problemOf(' ')).toBe('The phone number is missing.');
  expect(problemOf('6.28123E+12')).toMatch(/^A spreadsheet has rounded it/);
  expect(problemOf('hello')).toBe('Neither a phone number with country code nor a group ID.');
});

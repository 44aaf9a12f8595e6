import { beforeAll, describe, expect, test } from 'vitest';
import { addConnectedNumber, ask, openAccount, type TestAccount } from '../front-door.ts';

let account: TestAccount;
const to = '628123456789';

beforeAll(async () => {
  account = await openAccount();
  await addConnectedNumber(account, '15550000001');
});

const send = (json: object, headers: Record<string, string> = {}) =>
  ask('POST', '/v1/messages/send', { headers: { ...account.server, ...headers }, json });
const shown = async (messageId: unknown) =>
  (await ask('GET', `/v1/messages/${messageId}`, { headers: account.server })).body;

describe('a message that is no text', () => {
  test('is accepted under its kind, and its record shows what it carries', async () => {
    const location = { latitude: -6.1754, longitude: 106.8272, name: 'Monument' };
    const contacts = [{ name: 'Dewi', phoneNumber: '+62 898-7654-321', organisation: 'Support' }];
    const poll = { name: 'When?', options: ['Now', 'Later'], selectableCount: 2 };
    const kinds = [
      [{ type: 'location', location }, { location }],
      [
        { type: 'contacts', contacts },
        { contacts: [{ name: 'Dewi', phoneNumber: '628987654321', organisation: 'Support' }] },
      ],
      [{ type: 'poll', poll }, { poll }],
    ] as const;
    for (const [body, record] of kinds) {
      const { status, body: answer } = await send({ to, ...body });
      expect([status, answer.messageType]).toEqual([202, body.type]);
      const message = await shown(answer.messageId);
      expect(message).toMatchObject({ messageType: body.type, text: '', ...record });
      expect(JSON.stringify(message)).not.toContain('secret');
    }
  });

  test('is one message under one key, also a poll, which has another secret each time', async () => {
    const poll = { to, type: 'poll', poll: { name: 'When?', options: ['Now', 'Later'] } };
    const key = { 'Idempotency-Key': 'the-poll' };
    const [first, again] = [await send(poll, key), await send(poll, key)];
    expect(again.body.messageId).toBe(first.body.messageId);
    const other = await send({ ...poll, poll: { name: 'Where?', options: ['Here', 'There'] } }, key);
    expect(other.body).toMatchObject({ error: { code: 'IDEMPOTENCY_CONFLICT' } });
  });

  const wrong: [string, object, string][] = [
    [
      'a latitude beyond the pole',
      { type: 'location', location: { latitude: 91, longitude: 0 } },
      'location.latitude',
    ],
    ['no place', { type: 'location' }, 'location'],
    ['a text beside it', { type: 'location', location: { latitude: 1, longitude: 2 }, text: 'x' }, 'text'],
    ['no cards', { type: 'contacts', contacts: [] }, 'contacts'],
    ['a card without a number', { type: 'contacts', contacts: [{ name: 'Dewi' }] }, 'contacts.0.phoneNumber'],
    [
      'a card whose number is none',
      { type: 'contacts', contacts: [{ name: 'D', phoneNumber: '12' }] },
      'contacts.0.phoneNumber',
    ],
    ['one answer', { type: 'poll', poll: { name: 'Why?', options: ['Because'] } }, 'poll.options'],
    ['an answer twice', { type: 'poll', poll: { name: 'Why?', options: ['a', 'a'] } }, 'poll.options'],
    [
      'too many choices',
      { type: 'poll', poll: { name: 'Why?', options: ['a', 'b'], selectableCount: 3 } },
      'poll.selectableCount',
    ],
    ['a kind that cannot be sent', { type: 'unsupported' }, 'type'],
    ['somebody mentioned who is no number', { text: 'Hi @x', mentions: ['x'] }, 'mentions.0'],
  ];

  test.each(wrong)('with %s is refused by the name of the field', async (_, body, path) => {
    expect((await send({ to, ...body })).body).toMatchObject({
      error: { code: 'VALIDATION_ERROR', details: [{ path }] },
    });
  });
});

import { beforeEach, describe, expect, test } from 'vitest';
import { textOf } from '../../../../src/contract/messages/content.ts';
import type { MessageOrigin } from '../../../../src/contract/messages/message.ts';
import type { SendAsRequest } from '../../../../src/durable/account/admission/send-as.ts';
import { newUuid } from '../../../../src/durable/new-ids.ts';
import { StandInLogs, StandInNumbers } from '../../stand-in-objects.ts';
import { until } from '../../until.ts';
import {
  banned,
  disconnected,
  inbound,
  newRecipient,
  news,
  noted,
  poolOf,
  rowsOf,
  sendRequest,
  setUsed,
} from '../account-fixture.ts';

let numbers: StandInNumbers;
let logs: StandInLogs;

beforeEach(async () => {
  numbers = await StandInNumbers.begin();
  logs = await StandInLogs.begin();
});

const person = (): MessageOrigin => ({ kind: 'person', userId: newUuid() });
const campaign = (): MessageOrigin => ({ kind: 'campaign', campaignId: newUuid() });
const automation = (): MessageOrigin => ({
  kind: 'automation',
  automationId: newUuid(),
  eventId: `evt_${newUuid()}`,
  depth: 1,
});

const asked = (more: Partial<SendAsRequest> = {}): SendAsRequest => ({
  origin: person(),
  numberId: null,
  to: newRecipient(),
  chatType: 'personal',
  content: { type: 'text', text: 'hello' },
  idempotencyKey: null,
  ...more,
});
const saying = (text: string, more: Partial<SendAsRequest> = {}) =>
  asked({ content: { type: 'text', text }, ...more });

type Pool = Awaited<ReturnType<typeof poolOf>>;

async function accepted({ account }: Pick<Pool, 'account'>, request: SendAsRequest) {
  const sent = await account.sendAs(request);
  if (!sent.ok) throw new Error(sent.message);
  return sent;
}

const textsGivenTo = (numberId: string) => numbers.givenTo(numberId).map(({ content }) => textOf(content));

/** A number that is connected, and has no room now. */
const full = (revision: number) => ({ revision, room: 0 }) as const;

describe('a send that no API key asks for', () => {
  test('is accepted as any other, and bears who made it to its number and to the log', async () => {
    const pool = await poolOf(1);
    const origin = person();
    const { answer } = await accepted(pool, asked({ origin }));
    expect(answer).toMatchObject({ status: 'queued', numberId: pool.numberIds[0], messageType: 'text' });
    await until(() => numbers.takersOf(answer.messageId).length === 1);
    expect(numbers.givenTo(answer.numberId)[0]).toMatchObject({ origin });
    await until(() => logs.of(pool.accountId).length > 0);
    const { messageId } = answer;
    expect(logs.of(pool.accountId)[0]).toMatchObject({
      kind: 'message.queued',
      message: { messageId, origin },
    });
  });

  test('is refused by the quota, by an opt-out and by a number that is away', async () => {
    const pool = await poolOf(2);
    const [pinned = '', other = ''] = pool.numberIds;
    const recipient = newRecipient();
    await pool.account.hear(noted(other, inbound(recipient, Date.now(), 'STOP')));
    const optedOut = await pool.account.sendAs(asked({ to: recipient }));
    expect(optedOut).toMatchObject({ ok: false, code: 'RECIPIENT_FILTERED' });
    await pool.account.hear(news(pinned, disconnected));
    const away = await pool.account.sendAs(asked({ numberId: pinned }));
    expect(away).toMatchObject({ ok: false, code: 'SENDER_UNAVAILABLE' });
    expect(await pool.account.sendAs(asked())).toMatchObject({ ok: true, answer: { numberId: other } });
    await setUsed(pool.account, 1_000);
    expect(await pool.account.sendAs(asked())).toMatchObject({ ok: false, code: 'QUOTA_EXCEEDED' });
  });

  test('goes through the number that it names, and no other', async () => {
    const pool = await poolOf(3);
    const numberId = pool.numberIds[2] ?? '';
    for (let index = 0; index < 3; index += 1) {
      const { answer } = await accepted(pool, asked({ numberId }));
      expect(answer.numberId).toBe(numberId);
    }
    expect(await pool.account.sendAs(asked({ numberId: newUuid() }))).toMatchObject({
      code: 'SENDER_UNAVAILABLE',
    });
  });

  test('among some numbers moves to those, and to no other', async () => {
    const pool = await poolOf(3);
    const [first = '', second = '', third = ''] = pool.numberIds;
    for (const numberId of [first, third]) await pool.account.hear(news(numberId, full(1_100)));
    const among = [first, third];
    for (let sends = 0; sends < 6; sends += 1) await accepted(pool, asked({ origin: campaign(), among }));
    await pool.account.hear(news(first, { ...banned, revision: 1_200 }));
    await pool.account.hear(news(third, { revision: 1_200 }));
    await until(() => numbers.givenTo(first, second, third).length === 6);
    expect(numbers.givenTo(third)).toHaveLength(6);
  });

  test('is the same send under the same key, which is none that a customer could use', async () => {
    const pool = await poolOf(1);
    const to = newRecipient();
    const request = saying('once', { to, idempotencyKey: 'campaign:1' });
    const first = await accepted(pool, request);
    const again = await accepted(pool, request);
    expect(again).toEqual({ ...first, replayed: true });
    const other = await pool.account.sendAs(saying('otherwise', { to, idempotencyKey: 'campaign:1' }));
    expect(other).toMatchObject({ ok: false, code: 'IDEMPOTENCY_CONFLICT' });
    const byKey = await pool.account.send(sendRequest(pool.keyHash, { to, idempotencyKey: 'campaign:1' }));
    expect(byKey).toMatchObject({ ok: true, replayed: false });
    expect((await pool.account.usage()).used).toBe(2);
  });

  test('of a poll is the same under the same key, though each poll has a secret of its own', async () => {
    const pool = await poolOf(1);
    const [to, idempotencyKey] = [newRecipient(), 'automation:1'];
    const poll = (secret: string) => {
      const question = { name: 'Lunch?', options: ['yes', 'no'], selectableCount: 1 };
      return asked({ to, idempotencyKey, content: { type: 'poll', poll: question, secret } });
    };
    const first = await accepted(pool, poll('one'));
    expect(await accepted(pool, poll('two'))).toEqual({ ...first, replayed: true });
  });

  test('of a machine is refused once a person has written from that number, and not for what they plan', async () => {
    const pool = await poolOf(1);
    const [to, numberId = ''] = [newRecipient(), pool.numberIds[0]];
    const began = Date.now();
    const machine = () =>
      pool.account.sendAs(asked({ to, numberId, origin: automation(), unlessPersonSince: began }));
    await accepted(pool, asked({ to, numberId, sendAt: began + 3_600_000 }));
    expect(await machine()).toMatchObject({ ok: true });
    await accepted(pool, asked({ to, numberId }));
    expect(await machine()).toMatchObject({ ok: false, code: 'CONFLICT' });
    // Once they are erased, nobody knows who has written to them.
    await pool.account.forgetRecipient(to);
    expect(await rowsOf(pool.account, 'person_sends')).toBe(0);
  });

  test('of a machine is refused also where a person wrote to an alias whose phone number has shown since', async () => {
    const pool = await poolOf(1);
    const [phoneNumber, numberId = ''] = [newRecipient(), pool.numberIds[0]];
    const lid = `9${phoneNumber}`;
    const began = Date.now();
    const machine = (to: string) =>
      pool.account.sendAs(asked({ to, numberId, origin: automation(), unlessPersonSince: began }));
    await accepted(pool, asked({ to: `${lid}@lid`, numberId }));
    expect(await machine(phoneNumber)).toMatchObject({ ok: true });
    await pool.account.knowAliases([{ lid, phoneNumber }]);
    expect(await machine(phoneNumber)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await rowsOf(pool.account, 'person_sends')).toBe(1);
    // Nobody can say any more to which of the two it was.
    await pool.account.knowAliases([{ lid, phoneNumber: null }]);
    expect(await machine(`${lid}@lid`)).toMatchObject({ ok: false, code: 'CONFLICT' });
    expect(await machine(phoneNumber)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('of an account without a number is refused', async () => {
    const { account } = await poolOf(0);
    expect(await account.sendAs(asked())).toMatchObject({ ok: false, code: 'NO_HEALTHY_SENDER' });
  });
});

describe('the order in which messages leave the account', () => {
  test('is that of their origin: a person first, a campaign last', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    await pool.account.hear(news(numberId, full(1_100)));
    for (const text of ['bulk one', 'bulk two']) await accepted(pool, saying(text, { origin: campaign() }));
    await accepted(pool, saying('by a rule', { origin: automation() }));
    const byKey = sendRequest(pool.keyHash, {
      to: newRecipient(),
      content: { type: 'text', text: 'by a key' },
    });
    await pool.account.send(byKey);
    numbers.room = () => 3;
    const takenUpTo = () => numbers.takenUpTo(numberId);
    await pool.account.hear(news(numberId, { revision: 1_200, room: 3, takenUpTo: takenUpTo() }));
    await until(() => numbers.givenTo(numberId).length === 4);
    expect(textsGivenTo(numberId)).toEqual(['by a key', 'by a rule', 'bulk one', 'bulk two']);
    expect(await rowsOf(pool.account, 'accepted')).toBe(0);
  });

  test('lets what a person answers into a queue that is full', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    numbers.room = () => 0;
    await pool.account.hear(news(numberId, full(1_100)));
    await accepted(pool, saying('bulk', { origin: campaign() }));
    await pool.account.send(sendRequest(pool.keyHash, { to: newRecipient() }));
    const { answer } = await accepted(pool, saying('an answer', { numberId }));
    await until(() => numbers.takersOf(answer.messageId).length === 1);
    expect(textsGivenTo(numberId)).toEqual(['an answer']);
    expect(await rowsOf(pool.account, 'accepted')).toBe(2);
  });

  test('is what its number is asked by when it is expected: what a person answers is behind no machine', async () => {
    const pool = await poolOf(1);
    const [numberId = ''] = pool.numberIds;
    await pool.account.hear(news(numberId, full(1_100)));
    await accepted(pool, asked({ origin: automation() }));
    const health = { status: 'resting', reason: 'Tired.', until: Date.now() + 60_000 } as const;
    await pool.account.hear(news(numberId, { ...full(1_200), health }));
    const { answer } = await accepted(pool, asked({ numberId }));
    await pool.account.waiting(answer.messageId, numberId);
    expect(numbers.forecastFor).toMatchObject({ lane: 'person', ahead: 0 });
  });

  test('keeps the order of a chat that a campaign is about to begin', async () => {
    const pool = await poolOf(1);
    const numberId = pool.numberIds[0] ?? '';
    const to = newRecipient();
    await pool.account.hear(
      news(numberId, {
        revision: 1_100,
        health: { status: 'restricted', reason: 'No new chats.', until: null },
      }),
    );
    await accepted(pool, saying('bulk', { to, numberId, origin: campaign() }));
    await accepted(pool, saying('more', { to, numberId, origin: campaign() }));
    expect(numbers.givenTo(numberId)).toEqual([]);
    await pool.account.hear(noted(numberId, inbound(to, Date.now())));
    await until(() => numbers.givenTo(numberId).length === 2);
    expect(textsGivenTo(numberId)).toEqual(['bulk', 'more']);
  });
});

describe('a message that has not left', () => {
  test('can be cancelled: it fails with a word for it, and the quota has it back', async () => {
    const pool = await poolOf(1);
    const request = asked({ sendAt: Date.now() + 3_600_000 });
    const { answer } = await accepted(pool, request);
    expect(await pool.account.cancelSend(answer.messageId, answer.numberId)).toEqual({ ok: true });
    expect((await pool.account.usage()).used).toBe(0);
    expect(await rowsOf(pool.account, 'accepted')).toBe(0);
    await until(() => logs.of(pool.accountId).some(({ kind }) => kind === 'message.failed'));
    expect(logs.of(pool.accountId).at(-1)).toMatchObject({ errorCode: 'cancelled' });
  });

  test('can be cancelled again while the log is away: it fails, and counts as given back, once', async () => {
    const pool = await poolOf(1);
    const [{ answer }, other] = [
      await accepted(pool, asked({ sendAt: Date.now() + 3_600_000 })),
      await accepted(pool, asked()),
    ];
    logs.isAway = true;
    const cancel = (messageId: string) => pool.account.cancelSend(messageId, answer.numberId);
    expect(await cancel(answer.messageId)).toEqual({ ok: true });
    expect(await cancel(answer.messageId)).toEqual({ ok: true });
    expect((await pool.account.usage()).used).toBe(1);
    await until(() => numbers.takersOf(other.answer.messageId).length === 1);
    expect(await cancel(other.answer.messageId)).toMatchObject({ code: 'CONFLICT' });
    logs.isAway = false;
    await until(() => logs.of(pool.accountId).some(({ kind }) => kind === 'message.failed'));
    expect(logs.of(pool.accountId).filter(({ kind }) => kind === 'message.failed')).toHaveLength(1);
  });

  test('cannot be cancelled any more once it has failed for another reason, also while the log is away', async () => {
    const pool = await poolOf(1);
    const { answer } = await accepted(pool, asked());
    const { messageId, numberId } = answer;
    const message = await until(() => numbers.givenTo(numberId)[0]);
    logs.isAway = true;
    await pool.account.hear(noted(numberId, { kind: 'returned', message, reason: 'expired' }));
    expect(await pool.account.cancelSend(messageId, numberId)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });

  test('cannot be cancelled any more once its number was offered it', async () => {
    const pool = await poolOf(1);
    // Nobody knows whether it has taken it.
    numbers.losingAnswers.add(pool.numberIds[0] ?? '');
    const { answer } = await accepted(pool, asked());
    await until(() => numbers.takersOf(answer.messageId).length === 1);
    const { messageId, numberId } = answer;
    expect(await pool.account.cancelSend(messageId, numberId)).toMatchObject({ ok: false, code: 'CONFLICT' });
  });
});

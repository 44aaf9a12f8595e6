import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { aliasIn } from '../../../src/contract/messages/recipient.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { queued, received, record } from '../../durable/event-log/event-log-fixture.ts';
import { addConnectedNumber, ask, eventually, openAccount, writeToNumber } from '../front-door.ts';

const question = 'How did we do, from 1 to 5?';

/** An account that asks how it went. */
async function askingAccount() {
  const account = await openAccount();
  const numberId = await addConnectedNumber(account);
  const { owner: headers } = account;
  const support = { survey: { question, everyDays: 30 } };
  await ask('PATCH', '/v1/settings', { headers, json: { support } });
  const log = logOf(env, account.accountId);
  const userId = newUuid();

  const wrote = (from: string, text: string, senderLid?: string) => {
    const at = new Date().toISOString();
    const message = { from, at, content: { type: 'text', text }, ...(senderLid && { senderLid }) } as const;
    return log.take([received(message, numberId)]);
  };

  async function answerAndResolve(to: string) {
    const lid = aliasIn(to);
    const who = lid === null ? { phoneNumber: to } : { lid };
    const conversation = await eventually(
      async () => (await log.conversationOf({ numberId, ...who })) ?? undefined,
    );
    const origin = { kind: 'person', userId } as const;
    await log.take([queued(record({ numberId, to, queuedAt: Date.now(), origin }))]);
    await log.changeConversation(
      conversation.conversationId,
      { status: 'resolved' },
      { kind: 'person', userId },
    );
  }
  const asked = async () => {
    const { body } = await ask('GET', '/v1/messages?direction=outbound', { headers });
    return (body.data as { text: string; to: string; origin: unknown }[])
      .filter(({ text }) => text === question)
      .map(({ to, origin }) => ({ to, origin }));
  };
  return { account, numberId, wrote, answerAndResolve, asked };
}

test('a person whose conversation was resolved is sent the question, under the name of the survey', async () => {
  const desk = await askingAccount();
  const phoneNumber = '628123456789';
  await desk.wrote(phoneNumber, 'Where is my order?');
  await desk.answerAndResolve(phoneNumber);
  await eventually(async () => (await desk.asked()).length > 0);
  expect(await desk.asked()).toEqual([{ to: phoneNumber, origin: { kind: 'survey' } }]);
  await desk.wrote(phoneNumber, '4');
  const { body } = await ask('GET', '/v1/reports/support', { headers: desk.account.owner });
  expect(body.total.ratings).toEqual({ count: 1, average: 4 });
});

test('whoever has no visible number is asked too, and answers under the number that shows by then', async () => {
  const desk = await askingAccount();
  const [lid, phoneNumber] = ['100000000000017', '628123456789'];
  await desk.wrote(lid, 'Where is my order?', lid);
  await desk.answerAndResolve(`${lid}@lid`);
  await eventually(async () => (await desk.asked()).length > 0);
  await desk.wrote(phoneNumber, '5', lid);
  const { body } = await ask('GET', '/v1/reports/support', { headers: desk.account.owner });
  expect(body.total.ratings).toEqual({ count: 1, average: 5 });
  await desk.wrote(phoneNumber, 'One more thing', lid);
  await desk.answerAndResolve(phoneNumber);
  const { data } = (await ask('GET', '/v1/conversations', { headers: desk.account.owner })).body;
  expect(data).toMatchObject([{ status: 'resolved' }]);
  // Somebody who is resolved later is asked: a second question to the first would have come before.
  await desk.wrote('628555000111', 'Hello');
  await desk.answerAndResolve('628555000111');
  await eventually(async () => (await desk.asked()).some(({ to }) => to === '628555000111'));
  expect(await desk.asked()).toHaveLength(2);
});

test('who has opted out is not asked, and others are', async () => {
  const desk = await askingAccount();
  const [gone, here] = ['628111111111', '628122222222'];
  await desk.wrote(gone, 'Hello');
  await writeToNumber(desk.account, desk.numberId, gone, 'STOP');
  await desk.wrote(here, 'Hello');
  await desk.answerAndResolve(gone);
  await desk.answerAndResolve(here);
  await eventually(async () => (await desk.asked()).length > 0);
  expect((await desk.asked()).map(({ to }) => to)).toEqual([here]);
});

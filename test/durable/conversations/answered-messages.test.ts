import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { newLog, queued, received, record, sent, start } from '../event-log/event-log-fixture.ts';

const phoneNumber = '628123456789';
const iso = (at: number) => new Date(at).toISOString();

test('who answers what the owner has written on the phone answers no message of a campaign or of a key', async () => {
  const log = newLog();
  const numberId = newUuid();
  const wrote = (minute: number, more = {}) =>
    received({ at: iso(start + minute * 60_000), ...more }, numberId);
  const bulk = record({ numberId, queuedAt: start });
  await log.take([
    queued(bulk),
    sent(bulk),
    wrote(1, { from: '15550000001', sentTo: phoneNumber }),
    wrote(2),
  ]);
  expect(await log.conversationOf({ numberId, phoneNumber })).toMatchObject({
    unreadCount: 1,
    answers: null,
  });
});

test('conversations that answer a campaign are found by it, and by no other one', async () => {
  const log = newLog();
  const numberId = newUuid();
  const campaignIds = [newUuid(), newUuid()];
  for (const [index, campaignId] of campaignIds.entries()) {
    const person = `62812345678${index}`;
    const origin = { kind: 'campaign', campaignId } as const;
    const bulk = record({ numberId, to: person, queuedAt: start, origin });
    await log.take([queued(bulk), sent(bulk), received({ from: person, at: iso(start + 60_000) }, numberId)]);
  }
  const answering = async (campaignId: string) => {
    const filter = { campaignId, hiddenNumberIds: [] };
    const page = await log.conversationPage({ ...filter, sort: 'newest', limit: 9, after: null });
    expect(await log.conversationCounts([filter], 9)).toEqual([page.conversations.length]);
    return page.conversations.map((one) => one.phoneNumber);
  };
  expect(await answering(campaignIds[0] ?? '')).toEqual(['628123456780']);
  expect(await answering(campaignIds[1] ?? '')).toEqual(['628123456781']);
  expect(await answering(newUuid())).toEqual([]);
});

test('of a chat whose messages are archived the last one is still shown, as received or as sent', async () => {
  const log = newLog();
  const numberId = newUuid();
  const people = ['628123456780', '628123456781'] as const;
  const origin = { kind: 'person', userId: newUuid() } as const;
  const answer = record({ numberId, to: people[1], queuedAt: start + 60_000, origin });
  await log.take([...people.map((from) => received({ from }, numberId)), queued(answer), sent(answer)]);
  await runInDurableObject(log, (_, { storage }) => storage.sql.exec('DELETE FROM messages'));
  const newest = async (person: string) => {
    const found = await log.conversationOf({ numberId, phoneNumber: person });
    return (await log.shownConversation(found?.conversationId ?? ''))?.newest;
  };
  expect(await newest(people[0])).toMatchObject({ direction: 'inbound', status: 'received' });
  expect(await newest(people[1])).toMatchObject({ messageId: answer.messageId, status: 'sent' });
});

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { sizeLimits } from '../../../../src/durable/event-log/archive/fullness.ts';
import { AwaitedReceipts } from '../../../../src/durable/event-log/archive/late-receipts.ts';
import type { Fact } from '../../../../src/durable/event-log/facts.ts';
import { newUuid } from '../../../../src/durable/new-ids.ts';
import { readSegment } from '../../../../src/worker/archive.ts';
import { until } from '../../until.ts';
import { countOf, eventsOf, type LogStub, receipt, received, sent } from '../event-log-fixture.ts';
import {
  ageEvents,
  dayMs,
  messageAt,
  newArchivingLog,
  resetLimits,
  sendMessages,
  storedKeys,
} from './archive-fixture.ts';

afterEach(resetLimits);

const bytesOf = (log: LogStub) => runInDurableObject(log, (_, { storage }) => storage.sql.databaseSize);
const stateOf = (log: LogStub, name: string) =>
  runInDurableObject(log, (_, { storage }) => {
    const query = 'SELECT json FROM log_state WHERE name = ?';
    return storage.sql.exec<{ json: string }>(query, name).toArray()[0]?.json ?? null;
  });

/** Sweeps while the log is too large, until nothing more may go. */
async function giveAway(log: LogStub): Promise<void> {
  await runInDurableObject(log, (_, { storage }) => {
    storage.sql.exec("DELETE FROM log_state WHERE name = 'archive.stays'");
  });
  // One that has found nothing rests.
  await evictDurableObject(log);
  sizeLimits.bytesMax = 1;
  await log.refresh();
  await until(async () => (await stateOf(log, 'archive.stays')) !== null);
}

const eventNames = async (log: LogStub) => (await eventsOf(log)).map(({ envelope }) => envelope.event);

test('a log whose largest part cannot go keeps what comes in, once all that may go has gone', async () => {
  const { log } = newArchivingLog();
  await log.take([received({ at: new Date(Date.now() - 3 * dayMs).toISOString() })]);
  await giveAway(log);
  expect(await countOf(log, 'messages')).toBe(0);
  await sendMessages(log, 2, Date.now() - 2 * dayMs);
  await evictDurableObject(log);
  await log.refresh();
  const dueAt = await runInDurableObject(log, (_, { storage }) => storage.getAlarm());
  expect(dueAt).toBeGreaterThan(Date.now() + dayMs);
  expect(await countOf(log, 'messages')).toBe(2);
  // As much has come in as what can go may take.
  sizeLimits.roomBytes = 1;
  const at = new Date().toISOString();
  await log.take([received({ at, content: { type: 'text', text: 'word '.repeat(10_000) } })]);
  await log.refresh();
  await until(async () => (await countOf(log, 'messages')) === 1);
});

test('what is younger than a day goes only where little is left', async () => {
  const { log } = newArchivingLog();
  await sendMessages(log, 2, Date.now() - dayMs / 2);
  await giveAway(log);
  expect(await countOf(log, 'messages')).toBe(2);
  sizeLimits.pressingBytes = 1;
  sizeLimits.roomBytes = 0;
  await sendMessages(log, 40, Date.now() - dayMs / 2);
  await evictDurableObject(log);
  await log.refresh();
  await until(async () => (await countOf(log, 'messages')) === 0);
});

test('a receipt of a message that went for the size is told as of any other', async () => {
  const { log } = newArchivingLog();
  const [message, other, reached] = await sendMessages(log, 3, Date.now() - 3 * dayMs);
  if (message === undefined || other === undefined || reached === undefined)
    throw new Error('nothing was sent');
  await log.take([receipt(reached, 'delivered')]);
  await giveAway(log);
  expect(await countOf(log, 'messages')).toBe(0);
  resetLimits();
  await log.take([receipt(message, 'delivered'), receipt(message, 'read')]);
  await evictDurableObject(log);
  await log.take([receipt(message, 'read'), receipt(reached, 'read')]);
  await until(async () => (await countOf(log, 'late_receipts')) === 0);
  const names = await eventNames(log);
  expect(names.filter((name) => name === 'message.delivered' || name === 'message.read')).toEqual([
    ...['message.delivered', 'message.delivered', 'message.read', 'message.read'],
  ]);
  // In the order in which they came: it was delivered before it was read.
  const [deliveredAt, readAt] = [message.queuedAt + 2000, message.queuedAt + 3000];
  expect(await log.message(message.messageId)).toMatchObject({
    ...{ status: 'read', deliveredAt, readAt, content: { text: 'hello' } },
  });
  expect(await log.message(other.messageId)).toMatchObject({ status: 'sent' });
  // It is archived anew, in its place.
  await giveAway(log);
  await until(async () => (await countOf(log, 'messages')) === 0);
  expect(await log.message(message.messageId)).toMatchObject({ status: 'read' });
  const { messages } = await log.messages({}, 10, null);
  expect(messages.map(({ messageId }) => messageId)).toEqual(
    [reached, other, message].map(({ messageId }) => messageId),
  );
  // Nothing is awaited of what has been read.
  expect(await countOf(log, 'awaited_receipts')).toBe(1);
});

test('of a message to a group, the receipts of its other members are taken too', async () => {
  const { log } = newArchivingLog();
  const to = '120363041234567890@g.us';
  const message = { ...messageAt(Date.now() - 3 * dayMs), chatType: 'group' as const, to };
  const [ada, budi, citra] = ['628111', '628222', '628333'].map((recipient) => ({
    recipient,
    recipientLid: null,
  }));
  await log.take([sent(message), receipt(message, 'read', ada), receipt(message, 'delivered', citra)]);
  await giveAway(log);
  expect(await countOf(log, 'member_receipts')).toBe(0);
  resetLimits();
  await log.take([receipt(message, 'delivered', budi), receipt(message, 'read', ada)]);
  await until(async () => (await countOf(log, 'late_receipts')) === 0);
  expect(await log.message(message.messageId)).toMatchObject({
    receipts: [
      { phoneNumber: '628111', readAt: expect.any(Number) },
      { phoneNumber: '628222', readAt: null },
      { phoneNumber: '628333', readAt: null },
    ],
  });
});

test('a receipt of a message that was too old to be kept is dropped, and of one that never was', async () => {
  const { log } = newArchivingLog();
  const [old] = await sendMessages(log, 1, Date.UTC(2024, 4, 1));
  await until(async () => (await countOf(log, 'messages')) === 0);
  await log.take([receipt(old ?? messageAt(0), 'read'), receipt(messageAt(Date.now()), 'read')]);
  expect(await countOf(log, 'late_receipts')).toBe(0);
  expect(await countOf(log, 'awaited_receipts')).toBe(0);
});

test('where the archive does not answer, a receipt waits', async () => {
  const { accountId, log } = newArchivingLog();
  const [message] = await sendMessages(log, 1, Date.now() - 3 * dayMs);
  if (message === undefined) throw new Error('nothing was sent');
  await giveAway(log);
  resetLimits();
  const { get } = env.ARCHIVE;
  let reads = 0;
  env.ARCHIVE.get = (key: string) => {
    if (key.startsWith(accountId)) reads += 1;
    return Promise.reject(new Error('R2 is away'));
  };
  await log.take([receipt(message, 'read')]);
  await until(() => reads > 0);
  for (const _ of [1, 2]) await runDurableObjectAlarm(log);
  // It is not asked again at once.
  expect(reads).toBe(1);
  env.ARCHIVE.get = get;
  expect(await countOf(log, 'late_receipts')).toBe(1);
  await evictDurableObject(log);
  await log.contact(accountId);
  await until(async () => (await countOf(log, 'late_receipts')) === 0);
  expect(await eventNames(log)).toContain('message.read');
});

test('the operator is told when a log has used 60 and 80 percent of what it may hold, and when it has not any more', async () => {
  const { accountId, log } = newArchivingLog();
  const level = async () => JSON.parse((await stateOf(log, 'archive.fillTold')) ?? '{}').level;
  const told = async () => {
    const mine = await runInDurableObject(env.BRIDGE_FLEET.getByName('fleet'), (_, { storage }) =>
      storage.sql.exec('SELECT bytes FROM filling_logs WHERE account_id = ?', accountId).toArray(),
    );
    return mine[0]?.bytes ?? null;
  };
  await log.refresh();
  expect(await level()).toBeUndefined();
  const bytes = await bytesOf(log);
  for (const [percent, expected] of [
    [65, 60],
    [85, 80],
    [79, 80],
    [70, 60],
  ] as const) {
    sizeLimits.objectBytes = (bytes * 100) / percent;
    await log.refresh();
    await until(async () => (await level()) === expected);
    expect(await told()).toBeGreaterThan(0);
  }
  resetLimits();
  await log.refresh();
  await until(async () => (await level()) === 0);
  expect(await told()).toBeNull();
});

test('receipts of somebody who is erased are forgotten, by phone number and by alias', () =>
  runInDurableObject(newArchivingLog().log, (_, { storage }) => {
    const people = [{ recipient: '628111' }, { recipientLid: '4411' }, { recipient: '628222' }];
    for (const [message, person] of people.entries()) {
      const insert = 'INSERT INTO late_receipts (message, n, fact) VALUES (?, 1, ?)';
      storage.sql.exec(insert, message, JSON.stringify({ kind: 'message.receipt', ...person }));
    }
    const awaited = new AwaitedReceipts(storage.sql, () => ({ eventsDays: 30, messagesMonths: 12 }) as never);
    expect(['628111', '4411', '628999'].map((address) => awaited.forget(address, 10))).toEqual([1, 1, 0]);
    expect(awaited.first()).toBe(2);
    awaited.forget('628222', 10);
  }));

test('what is awaited is forgotten once its messages would be too old to be kept', async () => {
  const { log } = newArchivingLog();
  await sendMessages(log, 3, Date.now() - 40 * dayMs);
  await ageEvents(log, 1, 2 * dayMs);
  await giveAway(log);
  expect(await countOf(log, 'awaited_receipts')).toBe(3);
  resetLimits();
  await runInDurableObject(log, (_, { storage }) => {
    const known = { revision: 1, retention: { messagesMonths: 1, eventsDays: 365 } };
    storage.sql.exec("INSERT OR REPLACE INTO log_state VALUES ('retention', ?)", JSON.stringify(known));
  });
  await evictDurableObject(log);
  await sendMessages(log, 1, Date.now() - 39 * dayMs);
  await until(async () => (await countOf(log, 'awaited_receipts')) === 0);
});

test('what is read of somebody for a receipt, while they are erased, is not written again', async () => {
  const { log } = newArchivingLog();
  const contactId = newUuid();
  await log.createContact(contactId, '628123456789', {});
  const [message] = await sendMessages(log, 1, Date.now() - 3 * dayMs);
  if (message === undefined) throw new Error('nothing was sent');
  await giveAway(log);
  resetLimits();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  const { get } = env.ARCHIVE;
  let reads = 0;
  const first = async (key: string) => {
    const found = await get.call(env.ARCHIVE, key);
    reads += 1;
    if (reads === 1) await mayGoOn;
    return found;
  };
  env.ARCHIVE.get = first as typeof get;
  await log.take([receipt(message, 'delivered')]);
  await until(() => reads === 1);
  const erasure = await log.eraseContact(contactId, 0);
  await until(async () => (await log.contactErasure(erasure?.erasureId ?? ''))?.stage === 'done');
  goOn();
  await until(async () => (await countOf(log, 'late_receipts')) === 0);
  env.ARCHIVE.get = get;
  expect(await log.message(message.messageId)).toMatchObject({ status: 'delivered', content: { text: '' } });
});

test('what became of a file is told in the archive without its name once whoever has sent it is erased', async () => {
  const { accountId, log } = newArchivingLog();
  const numberId = newUuid();
  const [from, another] = ['628123456789', '4915112345678'];
  const at = new Date(Date.now() - 3 * dayMs).toISOString();
  for (const sender of [from, another]) {
    const [mediaId, providerMessageId] = [newUuid(), newUuid()];
    const media = { mediaId, mimetype: 'application/pdf', fileName: `passport of ${sender}.pdf` };
    const [pending, ready] = (['pending', 'ready'] as const).map((status) => {
      const content = { type: 'document' as const, media: { ...media, bytes: 5, status } };
      return received({ from: sender, at, providerMessageId, content }, numberId);
    });
    if (pending === undefined || ready === undefined) throw new Error('a file is pending, and then ready');
    await log.take([pending, { ...ready, kind: 'message.media' } as Fact]);
  }
  const [contact] = await log.contactsAt([from]);
  await ageEvents(log, 100, 2 * dayMs);
  await giveAway(log);
  resetLimits();
  const archived = async () => {
    const keys = await storedKeys(accountId, 'events');
    return (await Promise.all(keys.map((key) => readSegment(env.ARCHIVE, key)))).join('\n');
  };
  expect(await archived()).toContain(`passport of ${from}`);
  const erasure = await log.eraseContact(contact?.contactId ?? '', 0);
  await until(async () => (await log.contactErasure(erasure?.erasureId ?? ''))?.stage === 'done');
  expect(await archived()).not.toContain(from);
  expect(await archived()).toContain(`passport of ${another}`);
});

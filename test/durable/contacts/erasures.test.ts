import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { expect, test, vi } from 'vitest';
import type { MessageAction } from '../../../src/contract/messages/actions.ts';
import type { MessageChange } from '../../../src/contract/messages/changes.ts';
import { ErasureRows } from '../../../src/durable/event-log/contacts/erasing/erasure-rows.ts';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import {
  countOf,
  eventsOf,
  type LogStub,
  newLog,
  receipt,
  received,
  record,
  sent,
} from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

const phoneNumber = '628123456789';
const now = () => new Date().toISOString();
const numberIds = Array.from({ length: 150 }, () => newUuid());

/** Somebody with a conversation with each of the numbers, each of which has a label, notes and a history. */
async function logWithPerson(): Promise<{ log: LogStub; contactId: string }> {
  const log = newLog();
  await log.take([
    received({ from: phoneNumber, at: now() }),
    received({ from: '4915112345678', at: now() }),
  ]);
  const [contact] = await log.contactsAt([phoneNumber]);
  await runInDurableObject(log, (_, { storage }) => {
    const rows = new ConversationRows(storage.sql);
    const insert = (table: string, ...values: (string | number | null)[]) =>
      storage.sql.exec(`INSERT INTO ${table} VALUES (${values.map(() => '?').join(', ')})`, ...values);
    const first = Date.now() * 1000;
    storage.transactionSync(() => {
      for (const [place, numberId] of numberIds.entries()) {
        const conversationId = newUuid();
        const chat = { conversationId, numberId, phoneNumber, lid: null, groupId: null, createdAt: place };
        rows.put({ ...newConversation(chat), labels: ['vip'] }, null);
        for (const id of [1, 2, 3]) {
          insert(
            'conversation_notes',
            conversationId,
            first + id,
            newUuid(),
            1,
            '{}',
            'A secret',
            '[]',
            null,
          );
        }
        for (let id = 0; id < 10; id += 1) {
          insert('conversation_activity', conversationId, first + id, 1, '{}', '{}');
        }
        insert('conversation_mentions', 'a colleague', conversationId);
        insert('assistant_memories', conversationId, newUuid(), 1, 1, 1, 'A secret', 1);
      }
      insert('automation_people', phoneNumber, Date.now(), '{}', '[]');
      for (let run = 0; run < 1_000; run += 1) {
        insert('automation_runs', 'a rule', String(run), 1, 1, JSON.stringify({ person: phoneNumber }));
        insert('late_receipts', run, 1, JSON.stringify({ kind: 'message.receipt', recipient: phoneNumber }));
      }
    });
  });
  return { log, contactId: contact?.contactId ?? '' };
}

/** Erases whoever has the phone number of these tests; resolves when that is over. */
async function eraseNow(log: LogStub): Promise<void> {
  const [contact] = await log.contactsAt([phoneNumber]);
  const begun = await log.eraseContact(contact?.contactId ?? '', 0);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await log.contactErasure(begun?.erasureId ?? ''))?.stage === 'done';
  });
}

/** What is left of the person. */
const leftOf = async (log: LogStub) => ({
  conversations: await countOf(log, `conversations WHERE phone = '${phoneNumber}'`),
  labels: await countOf(log, 'conversation_labels'),
  notes: await countOf(log, 'conversation_notes'),
  activity: await countOf(log, 'conversation_activity'),
  mentions: await countOf(log, 'conversation_mentions'),
  memories: await countOf(log, 'assistant_memories'),
  runs: await countOf(log, `automation_runs WHERE detail LIKE '%${phoneNumber}%'`),
  receipts: await countOf(log, 'late_receipts'),
  answered: await countOf(log, 'automation_people'),
});
const nothing = {
  ...{ conversations: 0, labels: 0, notes: 0, activity: 0, mentions: 0, memories: 0 },
  ...{ runs: 0, receipts: 0, answered: 0 },
};

test('whoever has many conversations is erased slice by slice, also where the log is cut off in between, and is told erased at the end', async () => {
  const { log, contactId } = await logWithPerson();
  const begun = await log.eraseContact(contactId, 0);
  const erasure = () => log.contactErasure(begun?.erasureId ?? '');
  await abortAllDurableObjects();
  expect(await log.contact(contactId)).toBeNull();
  const first = await leftOf(log);
  const remove = ConversationRows.prototype.remove;
  const removed = vi.spyOn(ConversationRows.prototype, 'remove').mockImplementation(function (
    this: ConversationRows,
    ...of
  ) {
    if (removed.mock.calls.length === 80) throw new Error('killed');
    remove.apply(this, of);
  });
  await runDurableObjectAlarm(log);
  removed.mockRestore();
  await abortAllDurableObjects();
  const second = await leftOf(log);
  for (const table of ['conversations', 'notes', 'runs', 'receipts'] as const) {
    expect(first[table]).toBeGreaterThan(second[table]);
    expect(second[table]).toBeGreaterThan(0);
  }
  expect((await erasure())?.stage).toBe('conversations');
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await erasure())?.stage === 'done';
  });
  expect(await leftOf(log)).toEqual(nothing);
  expect((await erasure())?.counts).toMatchObject({ conversations: 151, notes: 450, messages: 1 });
  expect(await countOf(log, 'conversations')).toBe(1);
  expect(await countOf(log, 'automation_runs')).toBe(1_000);
});

test('others have their turn while somebody is erased', async () => {
  const { log, contactId } = await logWithPerson();
  await log.eraseContact(contactId, 0);
  const order: string[] = [];
  await Promise.all([
    runDurableObjectAlarm(log).then(() => order.push('erased')),
    new Promise(setImmediate).then(() => order.push('another call')),
  ]);
  expect(order).toEqual(['another call', 'erased']);
});

test('whoever writes while they are erased has another conversation, which knows nothing of the one before', async () => {
  const { log, contactId } = await logWithPerson();
  await log.eraseContact(contactId, 0);
  const later = new Date(Date.now() + 60_000).toISOString();
  const numberId = await runInDurableObject(
    log,
    (_, { storage }) =>
      storage.sql
        .exec<{ id: string }>(
          'SELECT number_id AS id FROM conversations WHERE phone = ? LIMIT 1',
          phoneNumber,
        )
        .one().id,
  );
  const before = await log.conversationOf({ numberId, phoneNumber });
  await log.take([received({ from: phoneNumber, at: later }, numberId)]);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, "contact_erasures WHERE stage = 'done'")) === 1;
  });
  const after = await log.conversationOf({ numberId, phoneNumber });
  expect(after).toMatchObject({ labels: [], unreadCount: 1, last: { text: 'hello there' } });
  expect(after?.conversationId).not.toBe(before?.conversationId);
  const created = (await eventsOf(log)).filter(({ envelope }) => envelope.event === 'conversation.created');
  expect(created.at(-1)?.envelope.data).toMatchObject({ conversationId: after?.conversationId });
  expect(await leftOf(log)).toEqual({ ...nothing, conversations: 1 });
});

test('what came in the same moment in which somebody is erased goes with the rest', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const log = newLog();
  await log.take([received({ from: phoneNumber, at: now() })]);
  const [contact] = await log.contactsAt([phoneNumber]);
  await log.eraseContact(contact?.contactId ?? '', 0);
  vi.useRealTimers();
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, "contact_erasures WHERE stage = 'done'")) === 1;
  });
  expect(await countOf(log, `messages WHERE peer = '${phoneNumber}'`)).toBe(0);
});

test('events are erased some at a time by how large they are, not only by how many', async () => {
  const log = newLog();
  await log.take([received({ from: phoneNumber, at: now() })]);
  const data = { from: phoneNumber, text: 'A secret'.repeat(40_000) };
  await runInDurableObject(log, (_, { storage }) => {
    for (let seq = 101; seq <= 106; seq += 1) {
      const bodies = JSON.stringify([{ id: newUuid(), event: 'message.received', timestamp: now(), data }]);
      storage.sql.exec('INSERT INTO events (first_seq, count, at, bodies) VALUES (?, 1, 1, ?)', seq, bodies);
    }
  });
  const stored = vi.spyOn(ErasureRows.prototype, 'put');
  await eraseNow(log);
  const places = stored.mock.calls.flatMap(([{ stage, place }]) => (stage === 'events' ? (place ?? []) : []));
  stored.mockRestore();
  expect(places).toEqual(['102', '104', '106']);
  expect(await countOf(log, "events WHERE bodies LIKE '%secret%'")).toBe(0);
});

test('what became of a file that came late goes with the person who has sent it, and that of another stays', async () => {
  const log = newLog();
  const [theirs, another] = [phoneNumber, '4915112345678'].map((from) => {
    const media = { mediaId: newUuid(), mimetype: 'application/pdf', bytes: 5, sha256: 'ab'.repeat(32) };
    const words = { fileName: `passport of ${from}.pdf`, caption: 'A secret' };
    const withFile = (status: 'pending' | 'ready') =>
      received({
        ...{ from, at: now(), providerMessageId: from },
        content: { type: 'document', media: { ...media, ...words, status } },
      });
    return { pending: withFile('pending'), ready: { ...withFile('ready'), kind: 'message.media' } as Fact };
  });
  if (theirs === undefined || another === undefined) throw new Error('two have written');
  for (const { pending, ready } of [theirs, another]) {
    const { numberId } = ready as { numberId: string };
    await log.take([{ ...pending, numberId } as Fact]);
    await log.take([ready]);
  }
  const isTold = (from: string) => countOf(log, `events WHERE bodies LIKE '%passport of ${from}%'`);
  expect(await isTold(phoneNumber)).toBeGreaterThan(0);
  await eraseNow(log);
  expect(await isTold(phoneNumber)).toBe(0);
  const told = (await eventsOf(log)).filter(({ envelope }) => envelope.event === 'message.media');
  expect(told).toHaveLength(2);
  expect(await isTold('4915112345678')).toBeGreaterThan(0);
  expect(await countOf(log, 'erased_files')).toBe(0);
});

test('what an erased person has confirmed in groups goes, by whichever address it is known', async () => {
  const log = newLog();
  await log.take([received({ from: phoneNumber, at: now() })]);
  const message = record({ chatType: 'group', to: '120363041234567890@g.us' });
  const confirmed = [
    { recipient: phoneNumber, recipientLid: '100000000000018' },
    { recipient: '4915112345678', recipientLid: '100000000000019' },
  ];
  await log.take([sent(message), ...confirmed.map((by) => receipt(message, 'read', by))]);
  expect(await countOf(log, 'member_receipts')).toBe(2);
  await eraseNow(log);
  expect(await log.message(message.messageId)).toMatchObject({
    receipts: [{ phoneNumber: '4915112345678' }],
  });
});

test('a fact that could not be stored goes with the person whom it names, and one of others stays', async () => {
  const log = newLog();
  const lid = '100000000000018';
  await log.take([received({ from: phoneNumber, senderLid: lid, at: now() })]);
  const [contact] = await log.contactsAt([phoneNumber]);
  const poison = (to: string) =>
    ({ kind: 'message.queued', message: { ...record({ to }), content: null } }) as unknown as Fact;
  await log.take([phoneNumber, `${lid}@lid`, lid, `${phoneNumber}0`, '4915112345678'].map(poison));
  expect(await countOf(log, 'parked_facts')).toBe(5);
  await log.eraseContact(contact?.contactId ?? '', 0);
  expect(await countOf(log, 'parked_facts')).toBe(2);
  expect(
    await countOf(log, `parked_facts WHERE fact LIKE '%"${phoneNumber}"%' OR fact LIKE '%${lid}%'`),
  ).toBe(0);
});

test('what was done to messages with an erased person goes, by whomever, and what was done to those of others stays', async () => {
  const log = newLog();
  const [other, own, lid] = ['4915112345678', '15550000001', '100000000000017'];
  const done = (to: string, target: object) => {
    const message = record({ to, queuedAt: Date.now() - 1_000 });
    const { messageId, numberId } = message;
    const content: MessageAction = {
      type: 'edit',
      text: `Dear ${to}`,
      targetId: messageId,
      target: { providerMessageId: providerMessageIdOf(messageId), isOwn: true, ...target },
    };
    return { message, edit: record({ to, numberId, content, isQuiet: true }) };
  };
  const theirs = done(phoneNumber, {});
  const inGroup = done('120363041234567890@g.us', { author: phoneNumber });
  const underAlias = done(`${lid}@lid`, {});
  const others = done(other, {});
  const all = [theirs, inGroup, underAlias, others];
  const { message } = theirs;
  const reaction: MessageChange = {
    change: 'reaction',
    emoji: '👍',
    chatType: 'personal',
    chat: phoneNumber,
    from: phoneNumber,
    at: now(),
    target: { providerMessageId: providerMessageIdOf(message.messageId), isOwn: true },
  };
  await log.take([
    received({ from: phoneNumber, senderLid: lid, at: now() }),
    ...all.flatMap((one) => [sent(one.message), sent(one.edit)]),
    { kind: 'message.changed', numberId: message.numberId, own, change: reaction },
  ]);
  expect(await log.message(message.messageId)).toMatchObject({
    reactions: { [phoneNumber]: { emoji: '👍' } },
  });
  expect(await countOf(log, 'message_actions')).toBe(4);
  await eraseNow(log);
  const erased = await log.message(message.messageId);
  expect([erased?.content, erased?.reactions]).toEqual([{ type: 'text', text: '' }, {}]);
  const left = await Promise.all(all.map(({ edit }) => log.sentContent(providerMessageIdOf(edit.messageId))));
  expect(left).toMatchObject([null, null, null, { to: other, content: { text: `Dear ${other}` } }]);
});

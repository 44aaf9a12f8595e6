import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { ArchiveCalls } from '../../../src/durable/event-log/archive/archive-calls.ts';
import { ArchivedPasts } from '../../../src/durable/event-log/archive/archived-pasts.ts';
import { ConversationArchive } from '../../../src/durable/event-log/archive/conversation-archive.ts';
import { newConversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import { ArchivedConversations } from '../../../src/durable/event-log/conversations/rows/archived-conversations.ts';
import { ConversationRows } from '../../../src/durable/event-log/conversations/rows/conversation-rows.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { ArchiveKeeper, readSegment } from '../../../src/worker/archive.ts';
import { archiveSlice, dayMs, newArchivingLog, resetLimits } from '../event-log/archive/archive-fixture.ts';
import { countOf, received } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

afterEach(resetLimits);

const ada = { kind: 'person', userId: newUuid() } as const;
const phoneNumber = '628123456789';
const lid = '100000000000017';

/** A conversation that was resolved long ago, with a note, and not touched since. Its log does not find out before it wakes. */
async function oldConversation({ accountId, log } = newArchivingLog(), numberId = newUuid()) {
  const write = (text: string, more: object = {}) =>
    log.take([
      received(
        {
          from: phoneNumber,
          at: new Date().toISOString(),
          providerMessageId: text,
          content: { type: 'text', text },
          ...more,
        },
        numberId,
      ),
    ]);
  await write('hello');
  const conversationId = (await log.conversationOf({ numberId, phoneNumber }))?.conversationId ?? '';
  const changes = {
    priority: 'high',
    addLabels: ['vip'],
    assigneeId: ada.userId,
    teamId: newUuid(),
  } as const;
  await log.changeConversation(conversationId, changes, ada);
  await log.addNote(conversationId, { text: 'calls back', mentions: [] }, ada);
  await log.changeConversation(conversationId, { status: 'resolved' }, ada);
  await runInDurableObject(log, (_, { storage }) => {
    const ids = 800 * dayMs * 1000;
    for (const table of ['conversation_activity', 'conversation_notes'])
      storage.sql.exec(`UPDATE ${table} SET id = id - ?1`, ids);
    for (const table of ['conversations', 'conversation_labels'])
      storage.sql.exec(`UPDATE ${table} SET last_message = last_message - ?1`, ids);
  });
  return { accountId, log, numberId, conversationId, write };
}
type Old = Awaited<ReturnType<typeof oldConversation>>;

const isArchived = async ({ log }: Old) =>
  (await countOf(log, 'conversations')) === 0 && (await countOf(log, 'archived_conversations')) === 1;

/** Wakes the log, and lets it move what is too old. */
async function archiveAll(old: Old): Promise<void> {
  await evictDurableObject(old.log);
  await old.log.refresh();
  await until(async () => {
    await runDurableObjectAlarm(old.log);
    return isArchived(old);
  });
}

const textsOf = async ({ log, conversationId }: Old) => {
  const chat = await log.chatPage(conversationId, { limit: 50, before: null, after: null });
  return chat?.items.map((item) => (item.kind === 'note' ? item.note.text : item.message.content)) ?? [];
};
const all = { sort: 'newest', limit: 10, after: null, hiddenNumberIds: [] } as const;

test('a resolved conversation that was not touched for long is in no list, and as it was once somebody opens it', async () => {
  const old = await oldConversation();
  const { log, conversationId } = old;
  const before = await log.conversation(conversationId);
  await archiveAll(old);
  expect(await countOf(log, 'conversation_labels')).toBe(0);
  expect((await log.conversationPage(all)).conversations).toEqual([]);
  await evictDurableObject(log);
  const shown = await log.shownConversation(conversationId);
  // Whose it was does not come back, and which team's: they may have left by now.
  expect(shown).toMatchObject({ conversationId, status: 'resolved', priority: 'high', labels: ['vip'] });
  expect(await log.conversation(conversationId)).toEqual({ ...before, assigneeId: null, teamId: null });
  expect(await textsOf(old)).toContain('calls back');
  expect((await log.conversationActivity(conversationId, 50, null)).map(({ action }) => action)).toContain(
    'status',
  );
  expect((await log.conversationPage({ ...all, label: 'vip' })).conversations).toMatchObject([
    { conversationId },
  ]);
  expect(await countOf(log, 'archived_conversations')).toBe(0);
});

test('who writes again has their conversation again, open, with its labels, its priority and its notes', async () => {
  const old = await oldConversation();
  const { log, conversationId, numberId, write } = old;
  await archiveAll(old);
  // To another number they have never written.
  const other = newUuid();
  await log.take([received({ from: phoneNumber }, other)]);
  const elsewhere = await log.conversationOf({ numberId: other, phoneNumber });
  expect(elsewhere?.conversationId).not.toBe(conversationId);
  await write('it is me again');
  const open = { conversationId, status: 'open', unreadCount: 1 };
  expect(await log.conversationOf({ numberId, phoneNumber })).toMatchObject(open);
  await until(async () => {
    await runDurableObjectAlarm(log);
    return (await countOf(log, 'archived_conversations')) === 0;
  });
  expect(await log.conversationOf({ numberId, phoneNumber })).toMatchObject({
    ...open,
    priority: 'high',
    labels: ['vip'],
    assigneeId: null,
  });
  expect(await textsOf(old)).toContain('calls back');
});

test('one that somebody has opened does not go again under their eyes, while others do', async () => {
  const old = await oldConversation();
  const { log, conversationId } = old;
  const other = await oldConversation(old);
  // This one stays until it is read.
  await runInDurableObject(log, (_, { storage }) =>
    storage.sql.exec('INSERT INTO conversation_mentions VALUES (?, ?)', ada.userId, other.conversationId),
  );
  const isGone = async (one: Old) => {
    await runDurableObjectAlarm(log);
    return (await log.conversation(one.conversationId)) === null;
  };
  await evictDurableObject(log);
  await log.refresh();
  await until(() => isGone(old));
  await log.shownConversation(conversationId);
  await log.readConversation(other.conversationId, ada);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['Date'] });
  await until(async () => {
    // The log looks again when it has rested.
    vi.setSystemTime(Date.now() + 11 * 60_000);
    await log.refresh();
    return isGone(other);
  });
  expect(await log.conversation(conversationId)).toMatchObject({ conversationId, status: 'resolved' });
});

test('whose archived conversation is missing when they write again is asked about once', () =>
  runInDurableObject(newArchivingLog().log, async (_, { storage }) => {
    const archived = new ArchivedConversations(storage.sql);
    const chat = { conversationId: newUuid(), numberId: newUuid(), phoneNumber, lid: null, groupId: null };
    archived.add(newConversation({ ...chat, createdAt: 1 }));
    archived.comesBack(chat.conversationId);
    const asked: string[] = [];
    const past = async (key: string) => {
      asked.push(key);
      if (asked.length > 1) throw new Error('it was asked for before');
      return null;
    };
    const calls = { past } as unknown as ArchiveCalls;
    const pasts = new ArchivedPasts(storage, calls, 'account');
    const conversations = new ConversationArchive({
      ...{ storage, archived, pasts, calls, rows: new ConversationRows(storage.sql) },
      merging: { comeBack: () => [] },
      commit: (change) => void change(Date.now()),
    });
    expect(conversations.dueAt()).toBe(1);
    await conversations.run();
    expect(asked).toEqual([pasts.keyOf(chat.conversationId)]);
    expect([conversations.dueAt(), archived.has(chat.conversationId)]).toEqual([null, false]);
  }));

test('who comes back under an alias that is known to be theirs has it again too', async () => {
  const old = await oldConversation();
  const { log, conversationId, numberId, write } = old;
  await archiveAll(old);
  const contacts = [{ phoneNumber, lid, name: 'Budi' }];
  await log.take([{ kind: 'contacts.listed', numberId, at: Date.now(), contacts }]);
  await write('by alias', { from: lid, senderLid: lid });
  expect(await log.conversationOf({ numberId, lid })).toMatchObject({ conversationId, phoneNumber });
  expect(await countOf(log, 'conversations')).toBe(1);
});

/** Lets a log archive what is too old, and something happen to a conversation while that is written. */
async function touchedMeanwhile(old: Old, touch: () => Promise<unknown>): Promise<void> {
  const keeper = new ArchiveKeeper({} as ExecutionContext, env);
  const { addPasts } = ArchiveKeeper.prototype;
  let lines = '';
  const touched = async (...given: Parameters<typeof addPasts>) => {
    lines = given[0].map((past) => past.lines).join();
    await addPasts.apply(keeper, given);
    if (lines.includes('"conversation"')) await touch();
  };
  for (let slices = 0; slices < 3 && !lines.includes('"conversation"'); slices += 1) {
    await archiveSlice(old, () => Object.assign(keeper, { addPasts: touched }));
  }
  expect(lines).toContain(old.conversationId);
}

test('one that is touched while it is written to the archive stays', async () => {
  const old = await oldConversation();
  const { log, conversationId, write } = old;
  await touchedMeanwhile(old, () => write('just now'));
  expect(await log.conversation(conversationId)).toMatchObject({ status: 'open', labels: ['vip'] });
  expect(await countOf(log, 'archived_conversations')).toBe(0);
});

test('one whose person gets an alias while it is written to the archive stays with it', async () => {
  const old = await oldConversation();
  const { log, conversationId, numberId } = old;
  const contacts = [{ phoneNumber, lid, name: 'Budi' }];
  await touchedMeanwhile(old, () =>
    log.take([{ kind: 'contacts.listed', numberId, at: Date.now(), contacts }]),
  );
  expect(await countOf(log, 'archived_conversations')).toBe(0);
  expect(await log.conversation(conversationId)).toMatchObject({ status: 'resolved', lid });
});

test('one stays in which somebody was named who has not read it', async () => {
  const old = await oldConversation();
  await runInDurableObject(old.log, (_, { storage }) =>
    storage.sql.exec('INSERT INTO conversation_mentions VALUES (?, ?)', ada.userId, old.conversationId),
  );
  await evictDurableObject(old.log);
  await old.log.refresh();
  await until(async () => (await countOf(old.log, 'conversation_notes')) === 0);
  await runDurableObjectAlarm(old.log);
  expect(await countOf(old.log, 'conversations')).toBe(1);
});

test.each([true, false])(
  'who is erased has no conversation there either, with notes: %s',
  async (hasNotes) => {
    const old = await oldConversation();
    const { accountId, log, conversationId } = old;
    if (!hasNotes) {
      await runInDurableObject(log, (_, { storage }) => {
        for (const table of ['conversation_activity', 'conversation_notes'])
          storage.sql.exec(`DELETE FROM ${table}`);
      });
    }
    await archiveAll(old);
    const object = () => readSegment(env.ARCHIVE, `${accountId}/conversations/${conversationId}.ndjson.gz`);
    expect(await object()).toContain(phoneNumber);
    const [contact] = await log.contactsAt([phoneNumber]);
    const erasure = await log.eraseContact(contact?.contactId ?? '', 0);
    await until(async () => (await log.contactErasure(erasure?.erasureId ?? ''))?.stage === 'done');
    expect(await countOf(log, 'archived_conversations')).toBe(0);
    expect(await log.shownConversation(conversationId)).toBeNull();
    for (const kept of [phoneNumber, 'calls back']) expect(await object()).not.toContain(kept);
  },
);

test('archived conversations with somebody are found by phone number and by alias, no more than are asked for', () =>
  runInDurableObject(newArchivingLog().log, (_, { storage }) => {
    const archived = new ArchivedConversations(storage.sql);
    const numberId = newUuid();
    for (const [conversationId, address] of Object.entries({
      phone: { phoneNumber, lid: null },
      alias: { phoneNumber: null, lid },
      other: { phoneNumber: '628999000111', lid: '100000000000018' },
    })) {
      archived.add(newConversation({ conversationId, numberId, groupId: null, createdAt: 1, ...address }));
    }
    expect(archived.withPerson([phoneNumber, lid], 9).toSorted()).toEqual(['alias', 'phone']);
    expect(archived.withPerson([lid], 9)).toEqual(['alias']);
    expect(archived.withPerson([phoneNumber, lid], 1)).toHaveLength(1);
  }));

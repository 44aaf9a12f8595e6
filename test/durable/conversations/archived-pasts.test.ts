import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { ArchiveCalls } from '../../../src/durable/event-log/archive/archive-calls.ts';
import { archiveLimits } from '../../../src/durable/event-log/archive/archive-sweep.ts';
import { ArchivedPasts } from '../../../src/durable/event-log/archive/archived-pasts.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { ArchiveKeeper, readSegment } from '../../../src/worker/archive.ts';
import {
  type ArchivingLog,
  archiveSlice,
  dayMs,
  newArchivingLog,
  resetLimits,
} from '../event-log/archive/archive-fixture.ts';
import { countOf, received } from '../event-log/event-log-fixture.ts';
import { until } from '../until.ts';

afterEach(resetLimits);

const ada = { kind: 'person', userId: newUuid() } as const;
const phoneNumber = '628123456789';
const lid = '100000000000017';
const yearsMs = 800 * dayMs;

interface Chat extends ArchivingLog {
  numberId: string;
  conversationId: string;
}

/** A conversation with activity and notes of long ago. Its log does not find out before it wakes anew. */
async function oldChat(
  archiving = newArchivingLog(),
  numberId = newUuid(),
  more: Partial<InboundMessage> = {},
): Promise<Chat> {
  const { log } = archiving;
  await log.take([received({ at: new Date().toISOString(), ...more }, numberId)]);
  const address = 'senderLid' in more ? { lid } : { phoneNumber: more.from ?? phoneNumber };
  const found = await log.conversationOf({ numberId, ...address });
  const conversationId = found?.conversationId ?? '';
  await log.changeConversation(conversationId, { priority: 'high', addLabels: ['vip'] }, ada);
  await log.addNote(conversationId, { text: 'calls back', mentions: [] }, ada);
  await log.changeConversation(conversationId, { status: 'resolved' }, ada);
  await log.addNote(conversationId, { text: 'is content', mentions: [] }, ada);
  await runInDurableObject(log, (_, { storage }) => {
    for (const table of ['conversation_activity', 'conversation_notes']) {
      const aged = `UPDATE ${table} SET id = id - ?1 * 1000, at = at - ?1 WHERE conversation_id = ?2 AND at > ?1`;
      storage.sql.exec(aged, yearsMs, conversationId);
    }
  });
  return { ...archiving, numberId, conversationId };
}

const pasts = async ({ log }: ArchivingLog) =>
  (await countOf(log, 'conversation_activity')) + (await countOf(log, 'conversation_notes'));

/** Wakes the log, and lets it move what is too old. */
async function archiveAll(chat: ArchivingLog): Promise<void> {
  await evictDurableObject(chat.log);
  await chat.log.refresh();
  await until(async () => (await pasts(chat)) === 0);
}

const whole = { limit: 50, before: null, after: null };

/** What the routes show of a conversation: its activity, and its chat with the notes. */
async function shown({ log, conversationId }: Chat) {
  const activity = await log.conversationActivity(conversationId, 50, null);
  const chat = await log.chatPage(conversationId, whole);
  return { activity, items: chat?.items, next: chat?.nextBefore };
}

const textsOf = async (chat: Chat) =>
  ((await shown(chat)).items ?? []).flatMap((item) => (item.kind === 'note' ? [item.note.text] : []));

const objectOf = ({ accountId, conversationId }: Chat) =>
  readSegment(env.ARCHIVE, `${accountId}/conversations/${conversationId}.ndjson.gz`);

const keeper = () => new ArchiveKeeper({} as ExecutionContext, env);

test('activity and notes of long ago go to the archive, and are shown as before', async () => {
  const chat = await oldChat();
  const before = await shown(chat);
  expect(before.activity.map(({ action }) => action).toSorted()).toEqual(['labels', 'priority', 'status']);
  expect(before.items).toHaveLength(3);
  await archiveAll(chat);
  expect(await shown(chat)).toEqual(before);
  // What is young stands before them, and each page goes on where the one before it ended.
  await chat.log.addNote(chat.conversationId, { text: 'wrote again', mentions: [] }, ada);
  await chat.log.changeConversation(chat.conversationId, { status: 'open' }, ada);
  expect(await textsOf(chat)).toEqual(['wrote again', 'is content', 'calls back']);
  const { activity } = await shown(chat);
  expect(activity).toHaveLength(before.activity.length + 1);
  const [first, second] = await chat.log.conversationActivity(chat.conversationId, 1, null);
  expect([first, second]).toEqual(activity.slice(0, 2));
  const behind = await chat.log.conversationActivity(chat.conversationId, 1, second?.id ?? 0);
  expect(behind).toEqual(activity.slice(2, 4));
  const paged: string[] = [];
  for (let place: number | null | undefined = null; ; ) {
    const page = await chat.log.chatPage(chat.conversationId, { limit: 1, before: place, after: null });
    paged.push(...(page?.items ?? []).map((item) => (item.kind === 'note' ? item.note.text : 'message')));
    place = page?.nextBefore;
    if (!place) break;
  }
  expect(paged).toEqual(['wrote again', 'message', 'is content', 'calls back']);
  const upwards: string[] = [];
  for (let after: number | null | undefined = 0; ; ) {
    const page = await chat.log.chatPageUpwards(chat.conversationId, { limit: 1, after, below: null });
    upwards.push(...(page?.items ?? []).map((item) => (item.kind === 'note' ? item.note.text : 'message')));
    after = page?.nextAfter;
    if (!after) break;
  }
  expect(upwards).toEqual(paged.toReversed());
});

test('what is young stays, and what is archived later joins what stands there', async () => {
  const chat = await oldChat();
  await chat.log.addNote(chat.conversationId, { text: 'young', mentions: [] }, ada);
  await evictDurableObject(chat.log);
  await chat.log.refresh();
  await until(async () => (await pasts(chat)) === 1);
  await runInDurableObject(chat.log, (_, { storage }) => {
    storage.sql.exec('UPDATE conversation_notes SET id = id - ?1 * 1000, at = at - ?1', 500 * dayMs);
  });
  await archiveAll(chat);
  expect(await textsOf(chat)).toEqual(['young', 'is content', 'calls back']);
});

test('a crash between writing and deleting neither loses nor doubles a row', async () => {
  const chat = await oldChat();
  const before = await shown(chat);
  const lostAnswer = async (...given: Parameters<ArchiveCalls['addPasts']>) => {
    await keeper().addPasts(...given);
    throw new Error('the answer is lost');
  };
  await archiveSlice(chat, () => Object.assign(keeper(), { addPasts: lostAnswer }));
  expect(await pasts(chat)).toBeGreaterThan(0);
  expect(await shown(chat)).toEqual(before);
  await archiveAll(chat);
  expect(await shown(chat)).toEqual(before);
});

test('where R2 fails, nothing is deleted', async () => {
  const chat = await oldChat();
  const before = await shown(chat);
  const failing = () => Promise.reject(new Error('R2 is away'));
  await archiveSlice(chat, () => Object.assign(keeper(), { addPasts: failing }));
  expect(await pasts(chat)).toBe(before.activity.length + 2);
});

test('what two conversations were before they were joined is shown as one, archived or not', async () => {
  const byPhone = await oldChat();
  await archiveAll(byPhone);
  const byAlias = await oldChat(byPhone, byPhone.numberId, { from: lid, senderLid: lid });
  await archiveAll(byAlias);
  expect(byAlias.conversationId).not.toBe(byPhone.conversationId);
  await byPhone.log.take([
    received({ at: new Date().toISOString(), from: phoneNumber, senderLid: lid }, byPhone.numberId),
  ]);
  const { numberId } = byPhone;
  const kept = await byPhone.log.conversationOf({ numberId, phoneNumber });
  const joined = { ...byPhone, conversationId: kept?.conversationId ?? '' };
  await until(async () => (await textsOf(joined)).length === 4);
  await byPhone.log.addNote(joined.conversationId, { text: 'one person', mentions: [] }, ada);
  expect((await textsOf(joined)).toSorted()).toEqual([
    ...['calls back', 'calls back', 'is content', 'is content', 'one person'],
  ]);
});

test('what is archived of a conversation is known by the newest of it, in whatever order it goes', () =>
  runInDurableObject(newArchivingLog().log, (_, { storage }) => {
    const rows = new ArchivedPasts(storage, {} as never, 'account');
    for (const last of [50, 20]) rows.note('conversation', last);
    const found = [50, 51].map((downTo) => rows.keysOf('conversation', downTo));
    expect(found).toEqual([[rows.keyOf('conversation')], []]);
  }));

test('what a conversation gets of another one that becomes a part of it, while it is archived, is not lost', async () => {
  const byPhone = await oldChat();
  const { log, numberId } = byPhone;
  const byAlias = await oldChat(byPhone, numberId, { from: lid, senderLid: lid });
  await runInDurableObject(log, (_, { storage }) => {
    const which = 'WHERE conversation_id = ?';
    storage.sql.exec(`DELETE FROM conversation_activity ${which}`, byAlias.conversationId);
    storage.sql.exec(`UPDATE conversation_notes SET id = id - 1 - ${dayMs} ${which}`, byAlias.conversationId);
  });
  // One conversation a slice.
  archiveLimits.rowsMax = 5;
  const joining = async (...given: Parameters<ArchiveCalls['addPasts']>) => {
    await keeper().addPasts(...given);
    const at = new Date().toISOString();
    await log.take([received({ at, from: phoneNumber, senderLid: lid }, numberId)]);
  };
  await archiveSlice(byPhone, () => Object.assign(keeper(), { addPasts: joining }));
  const found = await log.conversationOf({ numberId, phoneNumber });
  const joined = { ...byPhone, conversationId: found?.conversationId ?? '' };
  expect((await textsOf(joined)).toSorted()).toEqual([
    ...['calls back', 'calls back', 'is content', 'is content'],
  ]);
});

test('who is erased is erased there too, also where a write is still under way', async () => {
  const chat = await oldChat();
  await oldChat(chat, newUuid(), { from: '628999', providerMessageId: 'OTHER' });
  const contact = (await chat.log.contactsAt([phoneNumber]))[0];
  await archiveAll(chat);
  const late = await objectOf(chat);
  expect(late).toContain('calls back');
  const erasure = await chat.log.eraseContact(contact?.contactId ?? '', 0);
  const found = () => chat.log.contactErasure(erasure?.erasureId ?? '');
  await until(async () => (await found())?.stage === 'done');
  const key = `${chat.accountId}/conversations/${chat.conversationId}.ndjson.gz`;
  await keeper().addPasts([{ key, lines: late ?? '' }]);
  expect(await objectOf(chat)).not.toContain('calls back');
  expect(await countOf(chat.log, 'archived_pasts')).toBe(1);
});

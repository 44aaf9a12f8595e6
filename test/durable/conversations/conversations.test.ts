import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { describe, expect, test, vi } from 'vitest';
import type { InboundMessage } from '../../../src/contract/bridge/bridge-frames.ts';
import type { MessageOrigin } from '../../../src/contract/messages/message.ts';
import { Assignment } from '../../../src/durable/event-log/conversations/assignment/assignment.ts';
import type { KnownTeams } from '../../../src/durable/event-log/conversations/assignment/known-teams.ts';
import type { Conversation } from '../../../src/durable/event-log/conversations/conversation.ts';
import type { EventLog } from '../../../src/durable/event-log/event-log.ts';
import { EventRows } from '../../../src/durable/event-log/events/event-rows.ts';
import type { Fact, OutboundRecord } from '../../../src/durable/event-log/facts.ts';
import { newUuid, providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import {
  countOf,
  eventsOf,
  failed,
  type LogStub,
  newLog,
  queued,
  received,
  record,
  sent,
  start,
} from '../event-log/event-log-fixture.ts';

const phoneNumber = '628123456789';
const lid = '100000000000017';
const groupId = '120363041234567890@g.us';
const secondMs = 1_000;
const iso = (at: number) => new Date(at).toISOString();
const ada = newUuid();
const byAda: MessageOrigin = { kind: 'person', userId: ada };

/** One number of an account of its own, and who writes to it. */
function chat() {
  const log = newLog();
  const numberId = newUuid();
  const wrote = (at: number, more: Partial<InboundMessage> = {}): Fact =>
    received({ at: iso(at), ...more }, numberId);
  const ours = (at: number, more: Partial<OutboundRecord> = {}) =>
    record({ numberId, queuedAt: at, ...more });
  const typed = (at: number): Fact => wrote(at, { sentTo: phoneNumber, from: '15550000001' });
  const find = async (of: object = { phoneNumber }) => {
    const found = await log.conversationOf({ numberId, ...of });
    if (found === null) throw new Error('there is no such conversation');
    return found;
  };
  return { log, numberId, wrote, ours, typed, find };
}

async function told(log: LogStub) {
  const events = await eventsOf(log);
  return events.flatMap(({ envelope }) =>
    envelope.event === 'conversation.updated' || envelope.event === 'conversation.created'
      ? [[envelope.event, envelope.data.changes]]
      : [],
  );
}

describe('a conversation', () => {
  test('is opened by whoever writes first, who waits from then on', async () => {
    const { log, numberId, wrote, find } = chat();
    await log.take([wrote(start)]);
    expect(await find()).toMatchObject({
      numberId,
      phoneNumber,
      status: 'open',
      unreadCount: 1,
      waitingSince: start,
      last: { direction: 'inbound', text: 'hello there', at: start },
    });
    const [event] = (await eventsOf(log)).filter(({ envelope }) => envelope.event === 'conversation.created');
    const [contact] = (await log.contacts({}, 1, null)).contacts;
    expect(event?.envelope.data).toEqual({
      conversationId: (await find()).conversationId,
      numberId,
      contactId: contact?.contactId,
      status: 'open',
      changes: {},
    });
  });

  test('counts what was written since, and no message twice, also when the log sleeps in between', async () => {
    const { log, wrote, find } = chat();
    const [first, second] = [wrote(start), wrote(start + secondMs)];
    await log.take([first]);
    await evictDurableObject(log);
    await log.take([first, second, second]);
    expect(await find()).toMatchObject({ unreadCount: 2, waitingSince: start });
    expect(await told(log)).toEqual([['conversation.created', {}]]);
  });

  test('that could not be changed leaves no gap in the sequence of events', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start)]);
    const { conversationId } = await find();
    const { append } = EventRows.prototype;
    const failing = vi.spyOn(EventRows.prototype, 'append').mockImplementationOnce(function (
      this: EventRows,
      ...told
    ) {
      append.apply(this, told);
      throw new Error('the disk is full');
    });
    const resolve = (object: EventLog) =>
      object.changeConversation(conversationId, { status: 'resolved' }, { kind: 'system' });
    await runInDurableObject<EventLog, void>(log, (object) => {
      expect(() => resolve(object)).toThrow('the disk is full');
      failing.mockRestore();
      resolve(object);
    });
    const sequence = (await eventsOf(log)).map(({ seq }) => seq);
    expect(sequence).toEqual(sequence.map((_, index) => index + 1));
    expect((await told(log)).map(([event]) => event)).toEqual([
      'conversation.created',
      'conversation.updated',
    ]);
  });

  test('is one with each number', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start), received({}, newUuid())]);
    expect(await countOf(log, 'conversations')).toBe(2);
    expect(await find()).toMatchObject({ unreadCount: 1 });
  });

  test('with a label has the place in its list that its last message gives it', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start), wrote(start + secondMs, { from: '628999' })]);
    for (const from of [phoneNumber, '628999']) {
      const { conversationId } = await find({ phoneNumber: from });
      await log.changeConversation(conversationId, { labels: ['vip'] }, { kind: 'system' });
    }
    await log.take([wrote(start + 2 * secondMs)]);
    const asked = { sort: 'newest', limit: 5, after: null, label: 'vip', hiddenNumberIds: [] } as const;
    const first = await log.conversationPage({ ...asked, limit: 1 });
    const second = await log.conversationPage({ ...asked, limit: 1, after: first.next });
    const listed = [...first.conversations, ...second.conversations];
    expect(listed.map((one) => one.phoneNumber)).toEqual([phoneNumber, '628999']);
    expect(second.next).toBeNull();
  });

  test('of a group is that of all who write in it, and of what is sent to it', async () => {
    const { log, wrote, ours, find } = chat();
    const inGroup = { chatType: 'group', groupId } as const;
    const alone = wrote(start + 2, { from: '628999' });
    await log.take([wrote(start, inGroup), wrote(start + 1, { ...inGroup, from: '628999' }), alone]);
    const group = await find({ groupId });
    expect(group).toMatchObject({ groupId, phoneNumber: null, unreadCount: 2 });
    await log.take([queued(ours(start + 3, { chatType: 'group', to: groupId }))]);
    const page = await log.chatPage(group.conversationId, { limit: 9, before: null, after: null });
    const peers = page?.items.map((item) => item.kind === 'message' && item.message.peer);
    expect(peers).toEqual([groupId, '628999', phoneNumber]);
    // What somebody has written in a group does not stand in the chat with them.
    const { conversationId } = await find({ phoneNumber: '628999' });
    const own = await log.chatPage(conversationId, { limit: 9, before: null, after: null });
    expect(own?.items).toHaveLength(1);
    const created = (await eventsOf(log)).find(({ envelope }) => envelope.event === 'conversation.created');
    expect(created?.envelope.data).toMatchObject({ groupId });
  });
});

describe('somebody who waits', () => {
  test('waits no more when a person answers, in the inbox or on the phone', async () => {
    const inbox = chat();
    await inbox.log.take([inbox.wrote(start), queued(inbox.ours(start + 60_000, { origin: byAda }))]);
    const answered = { waitingSince: null, unreadCount: 0, firstResponseAt: start + 60_000 };
    expect(await inbox.find()).toMatchObject(answered);
    const phone = chat();
    await phone.log.take([phone.wrote(start), phone.typed(start + 60_000)]);
    expect(await phone.find()).toMatchObject(answered);
  });

  test('waits on when an API key, a campaign or a machine sends something', async () => {
    const { log, wrote, ours, find } = chat();
    await log.take([wrote(start)]);
    const before = await find();
    const origins: (MessageOrigin | undefined)[] = [
      undefined,
      { kind: 'campaign', campaignId: newUuid() },
      { kind: 'automation', automationId: newUuid(), eventId: 'evt_1', depth: 0 },
      { kind: 'assistant', assistantId: newUuid(), turnId: '1' },
    ];
    for (const origin of origins) {
      const message = ours(start + secondMs, origin === undefined ? {} : { origin });
      await log.take([queued(message), sent(message)]);
    }
    expect(await find()).toEqual(before);
  });

  test('waits again when the answer has failed', async () => {
    const { log, wrote, ours, find } = chat();
    const answer = ours(start + 60_000, { origin: byAda });
    await log.take([wrote(start), queued(answer)]);
    await log.take([failed(answer)]);
    expect(await find()).toMatchObject({ waitingSince: start });
    // Not when a later one was given.
    const [another, last] = [
      ours(start + 120_000, { origin: byAda }),
      ours(start + 240_000, { origin: byAda }),
    ];
    await log.take([queued(another), wrote(start + 180_000), queued(last), failed(another)]);
    expect(await find()).toMatchObject({ waitingSince: null });
  });

  test('stays resolved, and nobody waits, where an answer from before fails', async () => {
    const { log, wrote, ours, find } = chat();
    const answer = ours(start + 60_000, { origin: byAda });
    await log.take([wrote(start), queued(answer)]);
    await log.changeConversation((await find()).conversationId, { status: 'resolved' }, { kind: 'system' });
    await log.take([failed(answer)]);
    expect(await find()).toMatchObject({ status: 'resolved', waitingSince: null });
  });

  test('waits from now at the latest, whatever a phone whose clock is ahead says', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(Date.now() + 86_400_000)]);
    expect((await find()).waitingSince).toBeLessThanOrEqual(Date.now());
  });

  test('is answered by a message for later when it has left, and not before', async () => {
    const { log, wrote, ours, find } = chat();
    const later = ours(start + secondMs, { origin: byAda, sendAt: start + 3_600_000 });
    await log.take([wrote(start), queued(later)]);
    expect(await find()).toMatchObject({ waitingSince: start });
    await log.take([sent(later, start + 3_600_500)]);
    expect(await find()).toMatchObject({ waitingSince: null, firstResponseAt: start + 3_600_500 });
  });

  test('waits from what they wrote after an answer that is told late', async () => {
    const { log, wrote, typed, find } = chat();
    await log.take([wrote(start), wrote(start + 600_000), typed(start + 300_000)]);
    expect(await find()).toMatchObject({ waitingSince: start + 600_000 });
    await log.take([typed(start + 900_000), wrote(start + 700_000)]);
    expect(await find()).toMatchObject({ waitingSince: null, last: { at: start + 900_000 } });
  });

  test('is told which message of a campaign they answer', async () => {
    const { log, wrote, ours, find } = chat();
    const origin: MessageOrigin = { kind: 'campaign', campaignId: newUuid() };
    const bulk = ours(start, { origin });
    await log.take([queued(bulk), sent(bulk)]);
    expect(await countOf(log, 'conversations')).toBe(0);
    await log.take([wrote(start + 60_000)]);
    expect(await find()).toMatchObject({ answers: { messageId: bulk.messageId, origin, at: start } });
    // Of two it is the last one, unless they quote the other.
    const second = ours(start + 90_000, { origin });
    await log.take([queued(second), sent(second), wrote(start + 120_000)]);
    expect(await find()).toMatchObject({ answers: { messageId: second.messageId } });
    const providerMessageId = providerMessageIdOf(bulk.messageId);
    const quoted = { providerMessageId, isOwn: true, author: '15550000001', text: '' };
    await log.take([wrote(start + 150_000, { content: { type: 'text', text: 'yes', quoted } })]);
    expect(await find()).toMatchObject({ answers: { messageId: bulk.messageId } });
  });

  test('is told it also where they waited already, and when they write again after an answer', async () => {
    const { log, wrote, typed, ours, find } = chat();
    const origin: MessageOrigin = { kind: 'campaign', campaignId: newUuid() };
    const bulk = ours(start + 60_000, { origin });
    await log.take([wrote(start), queued(bulk), sent(bulk), wrote(start + 120_000)]);
    const answers = { messageId: bulk.messageId, origin, at: start + 60_000 };
    expect(await find()).toMatchObject({ waitingSince: start, answers });
    await log.take([typed(start + 180_000), wrote(start + 240_000)]);
    expect(await find()).toMatchObject({ waitingSince: start + 240_000, answers });
    const { conversationId } = await find();
    await log.changeConversation(conversationId, { status: 'resolved' }, { kind: 'system' });
    await log.take([wrote(Date.now())]);
    expect(await find()).toMatchObject({ status: 'open', answers: null });
  });
});

describe('a conversation that is over', () => {
  test('opens again when its person writes; one that waits for something else does not', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start)]);
    const { conversationId } = await find();
    const by = { kind: 'person', userId: ada } as const;
    await log.changeConversation(conversationId, { status: 'resolved' }, by);
    expect(await find()).toMatchObject({ status: 'resolved', waitingSince: null, unreadCount: 0 });
    await log.take([wrote(Date.now())]);
    expect(await find()).toMatchObject({ status: 'open', resolvedAt: null, unreadCount: 1 });
    await log.changeConversation(conversationId, { snoozedUntil: Date.now() + 3_600_000 }, by);
    expect(await find()).toMatchObject({ status: 'snoozed' });
    await log.take([wrote(Date.now())]);
    expect(await find()).toMatchObject({ status: 'open', snoozedUntil: null });
    await log.changeConversation(conversationId, { status: 'pending' }, by);
    await log.take([wrote(Date.now())]);
    expect(await find()).toMatchObject({ status: 'pending' });
    expect((await told(log)).map(([, changes]) => changes)).toMatchObject([
      {},
      { status: 'resolved' },
      { status: 'open' },
      { status: 'snoozed' },
      { status: 'open', snoozedUntil: null },
      { status: 'pending' },
    ]);
  });

  test('is woken when its time has come', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start)]);
    const { conversationId } = await find();
    await log.changeConversation(conversationId, { snoozedUntil: Date.now() - 1 }, { kind: 'system' });
    await runInDurableObject<EventLog, void>(log, (object) => object.alarm());
    expect(await find()).toMatchObject({ status: 'open', snoozedUntil: null, waitingSince: start });
  });
});

describe('an assistant that answers', () => {
  test('is paused by the answer of a person, in the inbox or on the phone, and by nothing else', async () => {
    const { log, wrote, ours, typed, find } = chat();
    await log.take([wrote(start)]);
    const { conversationId } = await find();
    const activate = () => log.changeConversation(conversationId, { botState: 'active' }, { kind: 'system' });
    await activate();
    const assistant = { kind: 'assistant', assistantId: newUuid(), turnId: '1' } as const;
    await log.take([queued(ours(start + 1_000, { origin: assistant })), wrote(start + 2_000)]);
    expect(await find()).toMatchObject({ botState: 'active' });
    await log.take([queued(ours(start + 5_000, { origin: byAda }))]);
    expect(await find()).toMatchObject({ botState: 'paused' });
    await activate();
    await log.take([typed(start + 9_000)]);
    expect(await find()).toMatchObject({ botState: 'paused' });
  });
});

describe('a phone number and its alias', () => {
  test('are one conversation, in whichever form they write', async () => {
    const { log, wrote, find } = chat();
    await log.take([
      wrote(start, { from: lid, senderLid: lid }),
      wrote(start + secondMs, { senderLid: lid }),
      wrote(start + 2 * secondMs),
    ]);
    expect(await countOf(log, 'conversations')).toBe(1);
    expect(await find({ lid })).toMatchObject({ phoneNumber, lid, unreadCount: 3 });
    // Also where an address book has said so before they write.
    const listed = chat();
    const contacts = [{ phoneNumber, lid, name: 'Budi' }];
    await listed.log.take([{ kind: 'contacts.listed', numberId: listed.numberId, at: start, contacts }]);
    await listed.log.take([listed.wrote(start)]);
    await listed.log.take([listed.wrote(start + secondMs, { from: lid, senderLid: lid })]);
    expect(await countOf(listed.log, 'conversations')).toBe(1);
    expect(await listed.find({ lid })).toMatchObject({ phoneNumber, lid, unreadCount: 2 });
  });

  test('become one when both were there before, with what stood in either', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start, { from: lid, senderLid: lid }), wrote(start + secondMs)]);
    expect(await countOf(log, 'conversations')).toBe(2);
    const [one, other] = [await find({ lid }), await find()];
    const by = { kind: 'person', userId: ada } as const;
    await log.addNote(one.conversationId, { text: 'an old customer', mentions: [] }, by);
    await log.changeConversation(other.conversationId, { labels: ['vip'] }, by);
    await log.take([wrote(start + 2 * secondMs, { senderLid: lid })]);
    expect(await countOf(log, 'conversations')).toBe(1);
    expect(await find()).toMatchObject({
      conversationId: one.conversationId,
      phoneNumber,
      lid,
      labels: ['vip'],
      unreadCount: 3,
      waitingSince: start,
    });
    expect(await countOf(log, 'conversation_labels')).toBe(1);
    expect(await countOf(log, 'conversation_notes')).toBe(1);
  });

  test('become one in which they wait since the first, and have written with the last of either', async () => {
    const { log, numberId, wrote, find } = chat();
    const last = start + 5 * secondMs;
    await log.take([wrote(last, { from: lid, senderLid: lid }), wrote(start)]);
    await log.take([{ kind: 'contacts.listed', numberId, at: last, contacts: [{ phoneNumber, lid }] }]);
    expect(await find()).toMatchObject({ lid, unreadCount: 2, waitingSince: start, lastInboundAt: last });
  });

  test('keep all that was noted and done in either, also in one millisecond', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start, { from: lid, senderLid: lid }), wrote(start + secondMs)]);
    const by = { kind: 'person', userId: ada } as const;
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    try {
      for (const { conversationId } of [await find({ lid }), await find()]) {
        for (const text of ['an old customer', 'of the shop']) {
          await log.addNote(conversationId, { text, mentions: [] }, by);
        }
        await log.changeConversation(conversationId, { status: 'pending', priority: 'high' }, by);
      }
    } finally {
      vi.useRealTimers();
    }
    await log.take([wrote(start + 2 * secondMs, { senderLid: lid })]);
    const { conversationId } = await find();
    expect(await countOf(log, 'conversations')).toBe(1);
    expect(await countOf(log, 'conversation_notes')).toBe(4);
    const activity = await log.conversationActivity(conversationId, 50, null);
    const done = activity.map(({ action }) => action).filter((action) => action !== 'merged');
    expect(done.sort()).toEqual(['priority', 'priority', 'status', 'status']);
  });
});

describe('a note', () => {
  test('under a key is added once a day in its conversation, whoever is named in it', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start), wrote(start, { from: '628111111111' })]);
    const [here, there] = [await find(), await find({ phoneNumber: '628111111111' })];
    const note = { text: 'Please call back.', mentions: [ada] };
    const add = async ({ conversationId } = here, more: Partial<typeof note> = {}) => {
      const by = { kind: 'person', userId: ada } as const;
      const added = await log.addNoteOnce(conversationId, { ...note, ...more }, 'key', by);
      return added?.ok ? { noteId: added.note.noteId, isRepeat: added.isRepeat } : added?.code;
    };
    vi.useFakeTimers({ toFake: ['Date'], now: start });
    try {
      const first = await add();
      expect(await add(there)).toMatchObject({ isRepeat: false });
      vi.setSystemTime(start + 24 * 3_600_000);
      expect(await add()).toEqual({ ...(first as object), isRepeat: true });
      expect(await add(here, { mentions: [newUuid()] })).toBe('IDEMPOTENCY_CONFLICT');
      vi.setSystemTime(start + 24 * 3_600_000 + 1);
      expect(await add()).toMatchObject({ isRepeat: false });
    } finally {
      vi.useRealTimers();
    }
  });

  test('names people who find it in the one conversation that two have become, until they have read that', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start, { from: lid, senderLid: lid }), wrote(start + secondMs)]);
    const [ben, by] = [newUuid(), { kind: 'person', userId: ada } as const];
    const [kept, gone] = [await find({ lid }), await find()];
    await log.addNote(kept.conversationId, { text: 'See above.', mentions: [ben] }, by);
    await log.addNote(gone.conversationId, { text: 'Who knows her?', mentions: [ben, ada] }, by);
    await log.take([wrote(start + 2 * secondMs, { senderLid: lid })]);
    const naming = (userId: string) =>
      countOf(
        log,
        `conversation_mentions WHERE user_id = '${userId}' AND conversation_id = '${kept.conversationId}'`,
      );
    expect([await naming(ada), await naming(ben), await countOf(log, 'conversation_mentions')]).toEqual([
      1, 1, 2,
    ]);
    await log.readConversation(kept.conversationId, { kind: 'person', userId: ben });
    expect([await naming(ada), await naming(ben)]).toEqual([1, 0]);
    // Nobody has to read anything else in it.
    expect(await find()).toMatchObject({ unreadCount: 0 });
    await log.readConversation(kept.conversationId, by);
    expect(await naming(ada)).toBe(0);
  });
});

test('what comes to a team in one moment is given to its people in turn', () =>
  runInDurableObject(newLog(), (_, { storage }) => {
    const team = { id: newUuid(), memberIds: ['ada', 'ben', 'eve'], autoAssign: true, capPerAgent: null };
    const teams = { find: () => team, mayHave: () => true } as unknown as KnownTeams;
    const assignment = new Assignment(storage.sql, teams, () => team.memberIds);
    const conversation = { teamId: team.id, numberId: newUuid(), botState: 'off' } as Conversation;
    const given = Array.from({ length: 6 }, () => {
      const next = assignment.next(conversation) ?? '';
      assignment.given(team.id, next, start);
      return next;
    });
    expect(given).toEqual([...team.memberIds, ...team.memberIds]);
  }));

test('whoever types first in a conversation is the one who answers, until they stop', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { log, wrote, find } = chat();
  await log.take([wrote(start)]);
  const { conversationId } = await find();
  const pass = (seconds: number) => void vi.setSystemTime(Date.now() + seconds * 1_000);
  const types = async (userId: string) => {
    const seen = await log.viewConversation(conversationId, { userId, name: userId }, 'typing');
    return seen?.conversations[0]?.lockedBy;
  };
  expect([await types('ada'), pass(1), await types('ben')]).toEqual(['ada', undefined, 'ada']);
  pass(5);
  expect([await types('ada'), await types('ben')]).toEqual(['ada', 'ada']);
  pass(5);
  expect(await types('ben')).toBe('ada');
  // Ada says nothing more: a moment later it is Ben.
  pass(6);
  expect(await types('ben')).toBe('ben');
  vi.useRealTimers();
});

describe('what a change tells', () => {
  test('the event has each field that is another now, and none that stayed', async () => {
    const { log, wrote, find } = chat();
    await log.take([wrote(start)]);
    const { conversationId } = await find();
    const until = Date.now() + 3_600_000;
    const vip = { addLabels: ['vip'], priority: 'high' } as const;
    for (const changes of [vip, vip, { snoozedUntil: until }]) {
      await log.changeConversation(conversationId, changes, { kind: 'system' });
    }
    expect((await told(log)).map(([, changes]) => changes)).toEqual([
      {},
      { labels: ['vip'], priority: 'high' },
      { status: 'snoozed', snoozedUntil: iso(until) },
    ]);
    const activity = await log.conversationActivity(conversationId, 50, null);
    expect(activity.map(({ action, from, to }) => [action, from, to])).toEqual([
      ['status', 'open', 'snoozed'],
      ['priority', 'normal', 'high'],
      ['labels', [], ['vip']],
    ]);
  });
});

describe('what it costs', () => {
  test('a message that an API key sends writes no row for conversations', async () => {
    const { log, wrote, ours } = chat();
    await log.take([wrote(start)]);
    const rowsWritten = (facts: Fact[]) =>
      runInDurableObject<EventLog, number>(log, (object, { storage }) => {
        const total = () => storage.sql.exec<{ n: number }>('SELECT total_changes() AS n').one().n;
        const before = total();
        object.take(facts);
        return total() - before;
      });
    const known = await rowsWritten([queued(ours(start + 60_000))]);
    const unknown = await rowsWritten([queued(ours(start + 60_001, { to: '628777' }))]);
    expect(known).toBe(unknown);
  });
});

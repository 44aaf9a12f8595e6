import { describe, expect, test } from 'vitest';
import type { MessageChange } from '../../../src/contract/messages/changes.ts';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { providerMessageIdOf } from '../../../src/durable/new-ids.ts';
import {
  aboutMessages,
  type LogStub,
  namesOf,
  newLog,
  queued,
  received,
  record,
  sent,
  start,
} from './event-log-fixture.ts';

const own = '15550000001';
const them = '628123456789';
const theirLid = '100000000000017';
const stranger = '628999999999';
const groupId = '120363000000000042@g.us';
const at = new Date(start + 10_000).toISOString();

type Changed = Extract<Fact, { kind: 'message.changed' }>;

/** A log with a message each way in a chat of two, and in a group with what a member wrote and what we wrote. */
async function withChats() {
  const log = newLog();
  const ours = record();
  const { numberId } = ours;
  const oursInGroup = record({ numberId, to: groupId, chatType: 'group' });
  const inGroup = { chatType: 'group', groupId } as const;
  await log.take([
    ...[queued(ours), sent(ours), queued(oursInGroup), sent(oursInGroup)],
    received({ providerMessageId: 'IN1', senderLid: theirLid }, numberId),
    received({ ...inGroup, providerMessageId: 'G1', senderLid: theirLid }, numberId),
  ]);
  const before = (await namesOf(log)).length;
  const targets = {
    ours: { providerMessageId: providerMessageIdOf(ours.messageId), isOwn: true, author: own },
    theirs: { providerMessageId: 'IN1', isOwn: false, author: them, authorLid: theirLid },
    oursInGroup: { providerMessageId: providerMessageIdOf(oursInGroup.messageId), isOwn: true, author: own },
    theirsInGroup: { providerMessageId: 'G1', isOwn: false, author: them, authorLid: theirLid },
  };
  const events = async () => (await namesOf(log)).slice(before).filter(aboutMessages);
  const snapshot = async (messageLog: LogStub = log) => (await messageLog.messages({}, 10, null)).messages;
  return { log, numberId, targets, events, snapshot };
}
type Chats = Awaited<ReturnType<typeof withChats>>;
type Target = keyof Chats['targets'];

function changed(
  { numberId, targets }: Chats,
  target: Target,
  change: object,
  more: Partial<Changed> = {},
): Fact {
  const isGroup = target.endsWith('InGroup');
  const chat = isGroup ? { chatType: 'group', chat: groupId } : { chatType: 'personal', chat: them };
  const whole = { ...chat, target: targets[target], at, ...change } as MessageChange;
  return { kind: 'message.changed', numberId, own, change: whole, ...more };
}

const edited = { change: 'edited', text: 'I owe you everything' };
const deleted = { change: 'deleted' };
const reaction = { change: 'reaction', emoji: '👍' };

describe('nobody changes what somebody else wrote', () => {
  const forged: [string, Target, object][] = [
    ['the other side edits what we wrote', 'ours', { ...edited, from: them }],
    ['the other side takes back what we wrote', 'ours', { ...deleted, from: them }],
    ['somebody edits a message of another chat', 'theirs', { ...edited, from: stranger, chat: stranger }],
    ['somebody takes back a message of another chat', 'ours', { ...deleted, from: stranger, chat: stranger }],
    ['somebody reacts in another chat', 'ours', { ...reaction, from: stranger, chat: stranger }],
    ['the owner of the number edits what a customer wrote', 'theirs', { ...edited, from: own }],
    ['the owner of the number takes back what a customer wrote', 'theirs', { ...deleted, from: own }],
    ['a member edits what we wrote in a group', 'oursInGroup', { ...edited, from: them, fromLid: theirLid }],
    ['a member takes back what we wrote in a group', 'oursInGroup', { ...deleted, from: them }],
    ['a member edits what another one wrote', 'theirsInGroup', { ...edited, from: stranger }],
    ['a member takes back what another one wrote', 'theirsInGroup', { ...deleted, from: stranger }],
    [
      'somebody edits a message of a group in a chat of two',
      'oursInGroup',
      { ...edited, from: own, chatType: 'personal', chat: them },
    ],
    [
      'somebody reacts in another group',
      'oursInGroup',
      { ...reaction, from: them, chat: '120363000000000043@g.us' },
    ],
  ];

  test.each(forged)('%s: nothing changes, and no event tells of it', async (_, target, change) => {
    const chats = await withChats();
    const before = await chats.snapshot();
    await chats.log.take([changed(chats, target, change)]);
    expect(await chats.snapshot()).toEqual(before);
    expect(await chats.events()).toEqual([]);
  });

  test('nor does an admin of a group edit it, but may take it back', async () => {
    const chats = await withChats();
    const byAdmin = { isByAdmin: true as const };
    for (const target of ['oursInGroup', 'theirsInGroup'] as const) {
      await chats.log.take([changed(chats, target, { ...edited, from: stranger }, byAdmin)]);
    }
    expect(await chats.events()).toEqual([]);
    for (const target of ['oursInGroup', 'theirsInGroup'] as const) {
      await chats.log.take([changed(chats, target, { ...deleted, from: stranger }, byAdmin)]);
    }
    expect(await chats.events()).toEqual(['message.deleted', 'message.deleted']);
    await chats.log.take([changed(chats, 'ours', { ...deleted, from: them }, byAdmin)]);
    expect(await chats.events()).toHaveLength(2);
  });
});

describe('the same person is known again', () => {
  const names: [string, object][] = [
    ['phone number', { from: them }],
    ['alias', { from: theirLid, fromLid: theirLid }],
    ['both', { from: them, fromLid: theirLid }],
  ];

  test.each(names)('by %s, as the author and as who reacts', async (_, name) => {
    const chats = await withChats();
    await chats.log.take([
      changed(chats, 'theirs', { ...edited, ...name }),
      changed(chats, 'theirsInGroup', { ...edited, ...name }),
      changed(chats, 'ours', { ...reaction, ...name }),
      changed(chats, 'theirs', { ...deleted, ...name }),
    ]);
    expect(await chats.events()).toEqual([
      ...['message.edited', 'message.edited', 'message.reaction', 'message.deleted'],
    ]);
  });

  test('also where their message came before anybody knew the number behind the alias', async () => {
    const log = newLog();
    const { numberId } = record();
    await log.take([
      received({ providerMessageId: 'IN1', from: theirLid, senderLid: theirLid }, numberId),
      received({ providerMessageId: 'IN2', from: them, senderLid: theirLid }, numberId),
    ]);
    const target = { providerMessageId: 'IN1', isOwn: false, author: them };
    const change = { ...edited, chatType: 'personal', chat: them, from: them, at, target } as MessageChange;
    await log.take([{ kind: 'message.changed', numberId, own, change }]);
    expect(await namesOf(log)).toContain('message.edited');
  });

  test('and has one reaction, whichever of their addresses each came from', async () => {
    const chats = await withChats();
    const later = (seconds: number) => new Date(start + seconds * 1000).toISOString();
    await chats.log.take([
      changed(chats, 'ours', { ...reaction, from: theirLid, fromLid: theirLid, at: later(1) }),
      changed(chats, 'ours', { ...reaction, emoji: '❤️', from: them, at: later(2) }),
    ]);
    const [message] = (await chats.log.messages({ to: them }, 10, null)).messages;
    expect(message?.reactions).toEqual({ [them]: { emoji: '❤️', at: start + 2000 } });
  });
});

test('a message that comes again once the alias of its author is known is there once, with or without the alias', async () => {
  const log = newLog();
  const first = received({ from: them, providerMessageId: 'IN1' });
  const { numberId } = first as Extract<Fact, { kind: 'message.received' }>;
  const again = (more: object) => received({ from: them, providerMessageId: 'IN1', ...more }, numberId);
  await log.take([first]);
  await log.take([received({ from: them, senderLid: theirLid, providerMessageId: 'IN2' }, numberId)]);
  await log.take([again({}), again({ senderLid: theirLid })]);
  expect((await log.messages({}, 10, null)).messages).toHaveLength(2);
  expect((await namesOf(log)).filter((name) => name === 'message.received')).toHaveLength(2);
});

test('a member who reacted under an alias, and reacts again when the number behind it is known, has one reaction', async () => {
  const chats = await withChats();
  const lid = '100000000000018';
  await chats.log.take([
    changed(chats, 'oursInGroup', { ...reaction, from: lid, fromLid: lid }),
    received({ from: stranger, senderLid: lid }, chats.numberId),
    changed(chats, 'oursInGroup', {
      ...reaction,
      emoji: '❤️',
      from: stranger,
      at: new Date(start + 20_000).toISOString(),
    }),
  ]);
  const [message] = (await chats.log.messages({ to: groupId }, 10, null)).messages;
  expect(message?.reactions).toEqual({ [stranger]: { emoji: '❤️', at: start + 20_000 } });
});

test('what the owner wrote on the phone is theirs to change, also in a group', async () => {
  const log = newLog();
  const { numberId } = record();
  const typed = { from: own, content: { type: 'text', text: 'typed' } } as const;
  const inGroup = { chatType: 'group', groupId, sentTo: groupId } as const;
  await log.take([
    received({ ...typed, providerMessageId: '3A01', sentTo: them }, numberId),
    received({ ...typed, ...inGroup, providerMessageId: '3A02' }, numberId),
  ]);
  const change = (providerMessageId: string, more: object): Fact => {
    const target = { providerMessageId, isOwn: true, author: own };
    return {
      kind: 'message.changed',
      numberId,
      own,
      change: { ...edited, from: own, at, target, ...more } as MessageChange,
    };
  };
  await log.take([
    change('3A01', { chatType: 'personal', chat: them }),
    change('3A02', { chatType: 'group', chat: groupId }),
  ]);
  expect((await namesOf(log)).filter((name) => name === 'message.edited')).toHaveLength(2);
});

import { expect, test } from 'vitest';
import type { FactLog } from '../../../src/session-bridge/journal/facts.ts';
import { makeLog } from '../../../src/session-bridge/logging.ts';
import type {
  NetworkConnection,
  NewChatRestriction,
} from '../../../src/session-bridge/network/connection/connection.ts';
import { NewChats } from '../../../src/session-bridge/session/new-chats.ts';

const until = '2026-11-28T10:00:00.000Z';

/** A network that says this of new chats, and lets each refused message go another way. */
function network(says: () => Promise<NewChatRestriction | null>) {
  const told: unknown[] = [];
  const remedies: string[] = [];
  let asked = 0;
  const connection = {
    newChatRestriction: () => {
      asked += 1;
      return says();
    },
    remedy: async (_id: string, remedy: string) => {
      remedies.push(remedy);
      return true;
    },
  } as unknown as NetworkConnection;
  const facts = { append: (fact: unknown) => void told.push(fact) } as unknown as FactLog;
  const session = { isEnding: false };
  const newChats = new NewChats({
    connection: () => connection,
    facts,
    isEnding: () => session.isEnding,
    log: makeLog('silent'),
  });
  const refused = (errorCode: string, chatType: 'personal' | 'group' = 'personal') =>
    newChats.secondChance({ providerMessageId: '3A1', to: '628123456789', chatType, errorCode });
  return { newChats, session, refused, told, remedies, asked: () => asked };
}

test('a message that began a chat goes another way only where the network says that it restricts no new chats', async () => {
  const open = network(async () => ({ isActive: false, until: null }));
  expect(await open.refused('463')).toBe(true);
  expect(open.remedies).toEqual(['other address']);
  // That there is no restriction is nothing to tell.
  expect(open.told).toEqual([]);
  for (const says of [
    async () => ({ isActive: true, until }),
    async () => null,
    async () => Promise.reject(new Error('no answer')),
  ]) {
    const closed = network(says);
    expect(await closed.refused('463')).toBe(false);
    expect(closed.remedies).toEqual([]);
  }
});

test('a restriction is told with its end, and asked for once for a message that was refused for it', async () => {
  const { newChats, refused, told, asked } = network(async () => ({ isActive: true, until }));
  let chance: Promise<boolean> | null = null;
  newChats.during('463', () => {
    chance = refused('463');
  });
  expect(await chance).toBe(false);
  expect(asked()).toBe(1);
  expect(told).toEqual([{ type: 'network.restriction', isActive: true, until }]);
});

test('what has nothing to do with new chats asks for no restriction, and what nothing helps has no second chance', async () => {
  const { refused, remedies, asked } = network(async () => ({ isActive: true, until }));
  expect(await refused('479')).toBe(true);
  expect(await refused('421', 'group')).toBe(true);
  expect(remedies).toEqual(['fresh sessions', 'fresh members']);
  expect(refused('404')).toBeNull();
  expect(refused('463', 'group')).toBeNull();
  expect(asked()).toBe(0);
});

test('a session that is given up while the network is asked tells nothing more', async () => {
  const { newChats, session, told, asked } = network(async () => ({ isActive: true, until }));
  newChats.opened();
  session.isEnding = true;
  await new Promise(setImmediate);
  expect([asked(), told]).toEqual([1, []]);
});

test('after a login is told what the network says of new chats, also that it restricts none, and nothing where it is silent', async () => {
  for (const says of [{ isActive: false, until: null }, { isActive: true, until }, null]) {
    const { newChats, told } = network(async () => says);
    newChats.opened();
    await new Promise(setImmediate);
    expect(told).toEqual(says === null ? [] : [{ type: 'network.restriction', ...says }]);
  }
});

test('an answer that says nothing of new chats asks for no restriction, and a later refusal is judged by what is so then', async () => {
  const { newChats, refused, asked } = network(async () => ({ isActive: false, until: null }));
  for (const code of [null, '479']) newChats.during(code, () => {});
  expect(asked()).toBe(0);
  newChats.during('463', () => {});
  expect(await refused('463')).toBe(true);
  expect(asked()).toBe(2);
});

test('a refusal that comes when the session is not open any more has no second chance', () => {
  const newChats = new NewChats({
    connection: () => null,
    facts: {} as FactLog,
    isEnding: () => false,
    log: makeLog('silent'),
  });
  const refused = {
    providerMessageId: '3A1',
    to: '628123456789',
    chatType: 'personal',
    errorCode: '479',
  } as const;
  expect(newChats.secondChance(refused)).toBeNull();
});

import { beforeAll, expect, test } from 'vitest';
import {
  defaultSessionSettings,
  type SessionSettings,
} from '../../../src/contract/bridge/session-settings.ts';
import { textOf } from '../../../src/contract/messages/content.ts';
import type { FakeNumber } from '../fake-edge.ts';
import { BridgeStage, newPhone } from '../stage.ts';

interface Activity {
  kind: string;
  chat: string | null;
  what: string;
}

const stage = BridgeStage.open();
let number: FakeNumber;
let phone: string;

beforeAll(async () => {
  ({ number, phone } = await stage.pairedNumber(stage.bridgeId));
});

/** The edge gives the open session other settings; resolves when the bridge has taken them. */
async function settle(settings: Partial<SessionSettings>): Promise<void> {
  const reports = () => number.factsOf('session.connected').length;
  const before = reports();
  number.want({ type: 'session.start', settings: { ...defaultSessionSettings, ...settings } });
  await stage.edge.until('the session says that it goes on', () => reports() > before);
}

async function seen(kind: string): Promise<Activity[]> {
  const { data } = await stage.admin<{ data: Activity[] }>('GET', `phones/${phone}/activity`);
  return data.filter((activity) => activity.kind === kind);
}

async function untilSeen(kind: string, what: string): Promise<Activity> {
  for (;;) {
    const found = (await seen(kind)).find((activity) => activity.what === what);
    if (found) return found;
  }
}

async function writeIn(from: string, text: string): Promise<string> {
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${from}/messages`, { to: phone, text });
  await stage.edge.until('it comes in', () =>
    number.inbound().some((message) => textOf(message.content) === text),
  );
  return id;
}

test('a call rings on, and is turned down from the moment on that the number is set so', async () => {
  const caller = newPhone();
  await stage.admin('POST', `phones/${caller}/calls`, { to: phone });
  await settle({ rejectCalls: true });
  const { id } = await stage.admin<{ id: string }>('POST', `phones/${caller}/calls`, { to: phone });
  expect(await untilSeen('call_rejected', id)).toMatchObject({ chat: caller });
  expect(await seen('call_rejected')).toHaveLength(1);
});

test('a message is marked as read at once, when its chat is answered, or never, as the number is set', async () => {
  const friend = newPhone();
  await settle({ markRead: 'never' });
  const unread = await writeIn(friend, 'leave this one');
  await settle({ markRead: 'on_reply' });
  const answered = await writeIn(friend, 'answer this one');
  const other = await writeIn(newPhone(), 'somebody else waits');
  number.send({ to: friend, text: 'the answer' });
  expect(await untilSeen('read', answered)).toMatchObject({ chat: friend });
  await settle({ markRead: 'always' });
  const atOnce = await writeIn(friend, 'read this at once');
  await untilSeen('read', atOnce);
  const read = (await seen('read')).map(({ what }) => what);
  expect(read).toEqual([answered, atOnce]);
  expect(read).not.toContain(unread);
  expect(read).not.toContain(other);
});

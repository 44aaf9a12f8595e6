import { expect, test, vi } from 'vitest';
import type { MessageContent } from '../../../src/contract/messages/content.ts';
import { DeviceKeys } from '../../../src/session-bridge/network/keys/auth-state.ts';
import { ResendContents } from '../../../src/session-bridge/network/outbound/resend-contents.ts';
import { wireMessage } from '../../../src/session-bridge/network/outbound/wire-message.ts';

const own = { phoneNumber: '628100000001', lid: '100000000000001' };
const to = '628100000002';
const lid = '100000000000002';

/** Keys of a device that knows one contact under both addresses. */
async function keysWithContact(): Promise<DeviceKeys> {
  const entries = new Map<string, string | null>();
  const keys = DeviceKeys.fresh(
    {
      read: async (wanted) => new Map(wanted.map((key) => [key, entries.get(key) ?? null])),
      write: (written) => {
        for (const [key, json] of written) entries.set(key, json);
      },
    },
    'pairing',
  );
  await keys.auth.keys.set({ 'lid-mapping': { [to]: lid, [`${lid}_reverse`]: to } });
  return keys;
}

async function resends(sentTo: string) {
  const content = { type: 'text', text: 'once more' } as const;
  return new ResendContents({
    keys: await keysWithContact(),
    own: () => own,
    wireMessage: async (sent) => wireMessage(sent as MessageContent, own.phoneNumber, null),
    contentOf: async (id) => (id === 'known' ? { content, to: sentTo } : null),
  });
}

test.each([
  ['the recipient by number', `${to}@s.whatsapp.net`, undefined],
  ['the recipient by alias', `${lid}@lid`, undefined],
  ['a device of the recipient', `${to}@s.whatsapp.net`, `${lid}:3@lid`],
  ['our own other device', `${to}@s.whatsapp.net`, `${own.phoneNumber}:2@s.whatsapp.net`],
])('a message is given once more to %s', async (_, remoteJid, participant) => {
  const asked = await (await resends(to)).messageFor({
    id: 'known',
    remoteJid,
    ...(participant && { participant }),
  });
  expect(asked?.extendedTextMessage?.text).toBe('once more');
});

test.each([
  ['somebody else', '628199999999@s.whatsapp.net', undefined],
  ['somebody else by alias', '100000000000009@lid', undefined],
  ['somebody else under the name of the chat', `${to}@s.whatsapp.net`, '628199999999@s.whatsapp.net'],
  ['a group that it did not go to', '12345@g.us', `${to}@s.whatsapp.net`],
])('a message is not given to %s, who knows its id', async (_, remoteJid, participant) => {
  const asked = await (await resends(to)).messageFor({
    id: 'known',
    remoteJid,
    ...(participant && { participant }),
  });
  expect(asked).toBeUndefined();
});

test('a message to somebody whose alias nobody knows is given to them alone', async () => {
  const alone = await resends('628100000003');
  const ask = (remoteJid: string) => alone.messageFor({ id: 'known', remoteJid });
  expect(await ask('628100000003@s.whatsapp.net')).toBeDefined();
  expect(await ask('628199999999@s.whatsapp.net')).toBeUndefined();
  expect(await ask(`${lid}@lid`)).toBeUndefined();
});

test('a message to a group is given to its members, and to no other group', async () => {
  const group = await resends('12345@g.us');
  expect(
    await group.messageFor({ id: 'known', remoteJid: '12345@g.us', participant: `${lid}@lid` }),
  ).toBeDefined();
  expect(
    await group.messageFor({ id: 'known', remoteJid: '54321@g.us', participant: `${lid}@lid` }),
  ).toBeUndefined();
});

test('an edge that does not answer holds up a receipt for a few seconds only', async () => {
  vi.useFakeTimers();
  try {
    const waiting = new ResendContents({
      keys: await keysWithContact(),
      own: () => own,
      wireMessage: async (sent) => wireMessage(sent as MessageContent, own.phoneNumber, null),
      contentOf: () => new Promise(() => {}),
    });
    const asked = waiting.messageFor({ id: 'known', remoteJid: `${to}@s.whatsapp.net` });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await asked).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

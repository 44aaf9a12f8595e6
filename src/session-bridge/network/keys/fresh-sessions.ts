import { jidDecode } from '@whiskeysockets/baileys';
import type { DeviceKeys } from './auth-state.ts';
import { aliasDomain } from './read-ahead.ts';

/**
 * Forgets the keys with which messages to these recipients (digits of a phone number, `<digits>@lid`, or a group) were
 * encrypted last, and those of the account's own devices, which get a copy of each. The next message to them begins new
 * sessions: no key is used for two messages, though another bridge may have used some that are not in the vault.
 */
export async function forgetSessions(keys: DeviceKeys, recipients: readonly string[]): Promise<void> {
  const { me } = keys.auth.creds;
  const own = [me?.id, me?.lid].flatMap((jid) => (jid ? (jidDecode(jid) ?? []) : []));
  const groups = recipients.filter((to) => to.endsWith('@g.us'));
  const people = recipients.filter((to) => !to.endsWith('@g.us')).map((to) => to.replace(/@.*$/, ''));
  const aliases = await Promise.all(people.map((phoneNumber) => keys.aliasOf(phoneNumber)));
  const users = new Set(
    [...own.map(({ user }) => user), ...people, ...aliases].filter((user) => user !== null),
  );

  const { keys: store } = keys.auth;
  const lists = await store.get('device-list', [...users]);
  const sessions: Record<string, null> = {};
  for (const user of users) {
    for (const device of new Set(['0', ...(lists[user] ?? [])])) {
      sessions[`${user}.${device}`] = null;
      sessions[`${user}_${aliasDomain}.${device}`] = null;
    }
  }
  const senderKeys: Record<string, null> = {};
  for (const group of groups) {
    for (const { user, device } of own) {
      senderKeys[`${group}::${user}::${device ?? 0}`] = null;
      senderKeys[`${group}::${user}_${aliasDomain}::${device ?? 0}`] = null;
    }
  }
  const memories = Object.fromEntries(groups.map((group) => [group, null]));
  await store.set({ session: sessions, 'sender-key': senderKeys, 'sender-key-memory': memories });
  keys.deviceLists.flushAll();
}

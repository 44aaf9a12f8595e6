import { jidDecode, jidEncode, type SignalDataTypeMap } from '@whiskeysockets/baileys';
import { contactNoteType } from '../addressing/address-book.ts';
import { firstSyncNote } from '../pairing/first-sync.ts';
import { saltNote } from '../tokens.ts';
import type { DeviceKeys } from './auth-state.ts';

/** Where the client keeps of whom it has privacy tokens. */
const tokenIndex = '__index';

/**
 * Reads what a login and the first messages to these people (digits of phone numbers) need, with two requests to the edge. By
 * itself, the client requests one entry after the other and waits for each. After this it finds them in the vault's cache, and
 * requests only what is missing.
 */
export async function readAhead(keys: DeviceKeys, people: readonly string[]): Promise<void> {
  const { me, nextPreKeyId } = keys.auth.creds;
  const [own, ownAlias] = [me?.id, me?.lid].map((jid) => jidDecode(jid));
  const ownPhone = own?.user;
  const read = <Type extends keyof SignalDataTypeMap>(type: Type, ids: string[]) =>
    keys.auth.keys.get(type, ids);
  const phones = ownPhone === undefined ? people : [ownPhone, ...people];
  const [mappings, lists] = await Promise.all([
    read('lid-mapping', [...phones]),
    read('device-list', [...phones]),
    read('tctoken', [tokenIndex]),
    read('pre-key', [String(nextPreKeyId - 1)]),
    ...[firstSyncNote, saltNote].map(({ type, id }) => keys.readNote(type, id)),
    ...people.map((phone) => keys.readNote(contactNoteType, phone)),
  ]);
  const aliasOf = (phone: string) => (phone === ownPhone ? ownAlias?.user : mappings[phone]) ?? null;
  const sessions = phones.flatMap((phone) => {
    const alias = aliasOf(phone);
    const user = alias === null ? phone : `${alias}_${aliasDomain}`;
    return ['0', ...(lists[phone] ?? [])].map((device) => `${user}.${device}`);
  });
  const aliases = phones.flatMap((phone) => aliasOf(phone) ?? []);
  await Promise.all([
    read('device-list', aliases),
    read('session', [...sessions, `${ownPhone}.${own?.device ?? 0}`]),
    read(
      'tctoken',
      aliases.map((alias) => jidEncode(alias, 'lid')),
    ),
    read(
      'lid-mapping',
      aliases.map((alias) => `${alias}_reverse`),
    ),
  ]);
}

/** The client's number for the addresses of privacy aliases, in the names of sessions. */
const aliasDomain = 1;

/**
 * Deletes the keys with which messages to these recipients (digits of a phone number, `<digits>@lid`, or a group) were
 * encrypted last, and those of the account's own devices, which get a copy of each message. The next message to them starts
 * new sessions. So no key is used for two messages, even if another bridge has used keys that are not in the vault.
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

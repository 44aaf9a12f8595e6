import { jidDecode, jidEncode, type SignalDataTypeMap } from '@whiskeysockets/baileys';
import { contactNoteType } from '../addressing/address-book.ts';
import { firstSyncNote } from '../pairing/first-sync.ts';
import { saltNote } from '../tokens/privacy-tokens.ts';
import type { DeviceKeys } from './auth-state.ts';

/** Where the client keeps of whom it has privacy tokens. */
const tokenIndex = '__index';

/**
 * Reads what a login and the first messages to these people (digits of phone numbers) need, with two requests to the edge. Left
 * to itself, the client asks for one thing after the other and waits for each answer. It finds them in the vault's cache then,
 * and asks for what is not there.
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
export const aliasDomain = 1;

import { proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { saltOf } from '../routing/privacy-tokens.ts';
import { addressOf } from '../wire/addresses.ts';
import { bytesField, changeSettings, type Setting } from './patches.ts';

/** Fields that the borrowed codec does not know. */
const saltActionInValue = 80;
const saltInAction = 1;

/** A phone's address book gets these entries. */
export function saveContacts(
  network: Network,
  user: User,
  contacts: readonly { phoneNumber: string; name: string }[],
): void {
  const settings = contacts.map(({ phoneNumber, name }): Setting => {
    const contact = network.users.ensure(phoneNumber);
    const contactAction = { fullName: name, lidJid: addressOf(contact, 'lid') };
    return {
      index: ['contact', addressOf(contact, 'pn')],
      value: proto.SyncActionValue.encode({ timestamp: Date.now(), contactAction }).finish(),
    };
  });
  changeSettings(network, user, 'critical_unblock_low', settings);
}

/** The name under which the account is known to others. */
export function shareName(network: Network, user: User): void {
  const value = proto.SyncActionValue.encode({ pushNameSetting: { name: user.name } }).finish();
  changeSettings(network, user, 'critical_block', [{ index: ['setting_pushName'], value }]);
}

/** The salt of the account's tokens, in the way that it reaches devices which were linked before there was one. */
export function shareSalt(network: Network, user: User): void {
  const value = bytesField(saltActionInValue, bytesField(saltInAction, saltOf(user)));
  changeSettings(network, user, 'regular_high', [{ index: ['nct_salt_sync'], value }]);
}

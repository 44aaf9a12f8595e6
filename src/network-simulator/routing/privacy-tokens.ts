import { createHmac } from 'node:crypto';
import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressOf } from '../wire/addresses.ts';
import { bytesOf, childNamed, notification, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';

const digest = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The salt with which an account makes tokens for people who gave it none. */
export const saltOf = (user: User): Buffer => digest('salt', user.phone);

/** The token that somebody gives to whom they have written. */
const tokenFor = (giver: User, holder: User): Buffer => digest('token', `${giver.phone} ${holder.phone}`);

/** Whether a message proves that its sender may write to the recipient. */
export function provesRelation(sender: User, recipient: User, message: Stanza): boolean {
  const given = childNamed(message, 'tctoken');
  if (given) return tokenFor(recipient, sender).equals(bytesOf(given));
  const own = childNamed(message, 'cstoken');
  return own !== undefined && digest(saltOf(sender), addressOf(recipient, 'lid')).equals(bytesOf(own));
}

/** Whoever writes to a number gives it a token: the devices of the number are told. */
export function giveToken(network: Network, giver: User, holder: User): void {
  for (const device of holder.devices.values()) {
    const jid = addressOf(holder, 'pn', device.number);
    const shown = { jid, t: nowSeconds(), type: 'trusted_contact' };
    const tokens = stanza('tokens', {}, [stanza('token', shown, tokenFor(giver, holder))]);
    const from = { sender_lid: addressOf(giver, 'lid') };
    network.queue.put(device, notification(addressOf(giver, 'pn'), 'privacy_token', [tokens], from));
  }
}

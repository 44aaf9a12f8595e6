import type { User } from '../accounts/user.ts';
import type { Network } from '../network.ts';
import { addressingOf, isGroupAddress } from '../wire/addresses.ts';
import type { Stanza } from '../wire/stanza.ts';

/** Does what the phone's script says about a message from `sender`; `text` is null where there is nothing to reply to. */
export function actOnMessage(
  network: Network,
  user: User,
  sender: User,
  message: Stanza,
  text: string | null,
): void {
  const { autoDeliver, autoRead, replyWith, delayMs, addressing, hidesNumber } = user.script;
  const groupId = isGroupAddress(message.attrs.from) ? (message.attrs.from ?? null) : null;
  const receipt = {
    kind: 'receipt',
    messageId: message.attrs.id ?? '',
    senderId: sender.id,
    groupId,
    addressing: addressing === 'lid' || hidesNumber ? 'lid' : addressingOf(message.attrs.from),
  } as const;
  if (autoDeliver) network.due.schedule(user, delayMs, { ...receipt, type: 'delivered' });
  if (autoRead) network.due.schedule(user, delayMs * 2, { ...receipt, type: 'read' });
  if (replyWith !== null && text !== null) {
    network.due.schedule(user, delayMs * 2, { kind: 'reply', senderId: sender.id, groupId, text: replyWith });
  }
}

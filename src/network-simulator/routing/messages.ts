import { channel } from 'node:diagnostics_channel';
import { generateParticipantHashV2 } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import { afterDelay, type Network } from '../network.ts';
import { actOnMessage } from '../phones/phone-behaviour.ts';
import type { Store } from '../store.ts';
import { type Addressing, addressingOf, addressOf, isGroupAddress, parseAddress } from '../wire/addresses.ts';
import type { ClientConnection } from '../wire/client-connection.ts';
import { childNamed, childrenNamed, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { provesRelation } from './privacy-tokens.ts';
import { sendSenderReceipt } from './receipts.ts';

/** A phone could not read a message of this device: one repetition of it is the answer to that, and no duplicate. */
export function expectResend(store: Store, device: Device, messageId: string): void {
  store.write(
    `INSERT INTO awaited_resends (device_id, message_id, requests) VALUES (?, ?, 1)
     ON CONFLICT (device_id, message_id) DO UPDATE SET requests = requests + 1`,
    device.id,
    messageId,
  );
}

/** Whether a message of this device is such an answer; each request is answered once. */
function takeAwaitedResend(store: Store, device: Device, messageId: string): boolean {
  const awaited = store.get(
    'SELECT requests FROM awaited_resends WHERE device_id = ? AND message_id = ?',
    device.id,
    messageId,
  );
  if (!awaited) return false;
  store.write(
    awaited.requests === 1
      ? 'DELETE FROM awaited_resends WHERE device_id = ? AND message_id = ?'
      : 'UPDATE awaited_resends SET requests = requests - 1 WHERE device_id = ? AND message_id = ?',
    device.id,
    messageId,
  );
  return true;
}

// Opening a group ciphertext takes some 8 ms: beyond this many members, phones confirm what they have not read.
const groupReadersMax = 16;

/** `{ id }` of each message as its acknowledgement leaves, for whoever measures in this process. */
const acknowledged = channel('simulator.acknowledged');

/**
 * A device sends a message. It is on its way, and on disk, before the acknowledgement leaves. A repeated id is taken
 * and forwarded again, like any other.
 */
export function acceptMessage(network: Network, connection: ClientConnection, message: Stanza): void {
  const sender = connection.device;
  const { id, to } = message.attrs;
  if (!sender || !id || !to) return;
  const streamEnd = streamEndOf(network, to);
  if (streamEnd === 'not taken') {
    endStream(connection, id);
    return;
  }
  const error = refusalOf(network, sender.user, message);
  if (error === undefined) {
    const answersRetry = takeAwaitedResend(network.store, sender, id);
    if (isGroupAddress(to)) fanOutToGroup(network, sender, message, answersRetry);
    else fanOutToUsers(network, sender, message, answersRetry);
  }
  if (streamEnd === 'taken') {
    endStream(connection, id);
    return;
  }
  if (Math.random() < network.faults.dropAckRate) return;
  const { participant } = message.attrs;
  const phash = membersHash(network, sender, to);
  const ack = stanza('ack', { class: 'message', id, from: to, participant, t: nowSeconds(), error, phash });
  afterAckDelay(network, sender.user, Date.now(), () => {
    connection.send(ack);
    acknowledged.publish({ id });
  });
}

const lookAgainMs = 50;

/** After the delay that is set, also where it is set anew meanwhile. */
function afterAckDelay(network: Network, user: User, takenAt: number, acknowledge: () => void): void {
  const leftMs = takenAt + Math.max(network.faults.ackDelayMs, user.faults.ackDelayMs) - Date.now();
  if (leftMs <= 0) {
    acknowledge();
    return;
  }
  const lookAgain = () => afterAckDelay(network, user, takenAt, acknowledge);
  afterDelay(network, Math.min(leftMs, lookAgainMs), lookAgain);
}

function refusalOf(network: Network, sender: User, message: Stanza): string | undefined {
  const { to = '' } = message.attrs;
  if (!isGroupAddress(to)) return rejectionOf(network, to) ?? unprovenOf(network, sender, message);
  return network.groups.refusalOf(to, sender);
}

/** Where the network asks for it: a message must prove that its sender may write to the recipient. */
function unprovenOf(network: Network, sender: User, message: Stanza): string | undefined {
  const recipient = network.users.byAddress(message.attrs.to);
  if (!sender.faults.needsTokens || !recipient || recipient === sender) return undefined;
  // What was asked for again goes to a device that the message has reached once.
  if (copiesIn(message).size === 0) return undefined;
  if (provesRelation(sender, recipient, message)) return undefined;
  recipient.refusedMessages += 1;
  return '463';
}

/** How the network refuses a message to somebody, as scripted. */
function rejectionOf(network: Network, to: string): string | undefined {
  const recipient = network.users.byAddress(to);
  if (!recipient) return undefined;
  const { rejectWith, rejectPnWith, rejectLidWith, rejections } = recipient.script;
  const code = rejectWith ?? (addressingOf(to) === 'lid' ? rejectLidWith : rejectPnWith);
  if (code === null || rejections === 0) return undefined;
  if (rejections !== null) network.users.changeScript(recipient, { rejections: rejections - 1 });
  recipient.refusedMessages += 1;
  return code;
}

function fanOutToUsers(network: Network, sender: Device, message: Stanza, answersRetry: boolean): void {
  const { to = '', category } = message.attrs;
  const direct = childrenNamed(message, 'enc');
  const copies = copiesIn(message);
  // Without a list of recipients it is for one device: a message for the own phone, or one that was asked for again.
  if (copies.size === 0) copies.set(category === 'peer' ? addressOf(sender.user, 'pn') : to, direct);
  for (const [address, enc] of copies) {
    const recipient = network.users.byAddress(address);
    if (!recipient?.script.registered) continue;
    const number = parseAddress(address)?.device ?? 0;
    const forwarded = directMessage(network, sender, recipient, message, addressingOf(address), enc);
    deliver(network, sender, recipient, number, forwarded, answersRetry);
    if (recipient === sender.user && number === 0 && category !== 'peer') {
      sendSenderReceipt(network, sender, message.attrs.id ?? '', message.attrs.recipient ?? to);
    }
  }
}

/** What is in a message for one device alone, by its address. */
function copiesIn(message: Stanza): Map<string, Stanza[]> {
  const copies = childrenNamed(childNamed(message, 'participants'), 'to');
  return new Map(copies.map((one) => [one.attrs.jid ?? '', childrenNamed(one, 'enc')]));
}

function directMessage(
  network: Network,
  sender: Device,
  recipient: User,
  message: Stanza,
  addressing: 'pn' | 'lid',
  enc: Stanza[],
): Stanza {
  const { id, type, edit, category, to = '' } = message.attrs;
  const alternate = addressing === 'lid' ? 'pn' : 'lid';
  const attributes: Record<string, string | undefined> = {
    type,
    edit,
    category,
    from: addressOf(sender.user, addressing, sender.number),
    id,
    t: nowSeconds(),
    notify: sender.user.name,
    addressing_mode: addressing,
  };
  if (recipient !== sender.user) {
    attributes[`sender_${alternate}`] = addressOf(sender.user, alternate);
  } else {
    const chat = message.attrs.recipient ?? to;
    if (category !== 'peer') attributes.recipient = chat;
    const peer = network.users.byAddress(chat);
    if (peer) attributes[`peer_recipient_${alternate}`] = addressOf(peer, alternate);
  }
  return stanza('message', attributes, [...enc, ...companionNodes(message)]);
}

function fanOutToGroup(network: Network, sender: Device, message: Stanza, answersRetry: boolean): void {
  const { to = '', id = '', type, edit } = message.attrs;
  const group = network.groups.get(to);
  if (!group) return;
  const onlyFor = message.attrs.participant;
  const body = childrenNamed(message, 'enc');
  const keys = copiesIn(message);
  const attributes = {
    type,
    edit,
    from: to,
    participant: addressOf(sender.user, 'lid', sender.number),
    participant_pn: addressOf(sender.user, 'pn', sender.number),
    addressing_mode: 'lid',
    id,
    t: nowSeconds(),
    notify: sender.user.name,
  };
  let readers = 0;
  for (const { user } of network.groups.members(group)) {
    for (const number of [0, ...user.devices.keys()]) {
      if (user === sender.user && number === sender.number) continue;
      const addresses = [addressOf(user, 'lid', number), addressOf(user, 'pn', number)];
      if (onlyFor && !addresses.includes(onlyFor)) continue;
      const key = addresses.flatMap((address) => keys.get(address) ?? []);
      const forwarded = stanza('message', attributes, [...key, ...body, ...companionNodes(message)]);
      if (number === 0 && user !== sender.user && ++readers > groupReadersMax) {
        actOnMessage(network, user, sender.user, forwarded, null);
      } else {
        deliver(network, sender, user, number, forwarded, answersRetry);
      }
    }
  }
  if (!onlyFor) sendSenderReceipt(network, sender, id, to);
}

function deliver(
  network: Network,
  sender: Device,
  recipient: User,
  number: number,
  message: Stanza,
  answersRetry: boolean,
): void {
  if (number === 0) {
    network.inbox.put(recipient, sender, message, answersRetry);
    return;
  }
  const device = recipient.devices.get(number);
  if (device) network.queue.put(device, message);
}

function companionNodes(message: Stanza): Stanza[] {
  return [...childrenNamed(message, 'device-identity'), ...childrenNamed(message, 'meta')];
}

/**
 * What an acknowledgement bears where the sender does not know all devices that a message is for: a hash over these. In a
 * group the message has reached them all the same, and whoever got no key for it asks; in a chat of two it has not.
 */
function membersHash(network: Network, sender: Device, to: string): string | undefined {
  const devices = isGroupAddress(to) ? inGroup(network, sender, to) : inChat(network, sender, to);
  return devices && generateParticipantHashV2(devices);
}

function inGroup(network: Network, sender: Device, groupId: string): string[] | undefined {
  const group = network.groups.get(groupId);
  if (!group || !network.outdated.has(groupId, sender)) return undefined;
  return network.groups.members(group).flatMap(({ user }) => devicesOf(user, 'lid'));
}

/** The devices of the other side, and the sender's own other ones, which get a copy. */
function inChat(network: Network, sender: Device, to: string): string[] | undefined {
  const recipient = network.users.byAddress(to);
  const sides = [...new Set([recipient, sender.user])].filter((user) => user !== undefined);
  if (!sides.some((user) => network.listReaders.isOutdated(user, sender))) return undefined;
  const addressing = addressingOf(to);
  const own = addressOf(sender.user, addressing, sender.number);
  return sides.flatMap((user) => devicesOf(user, addressing)).filter((address) => address !== own);
}

function devicesOf(user: User, addressing: Addressing): string[] {
  return [0, ...user.devices.keys()].map((number) => addressOf(user, addressing, number));
}

/** Whether a message to this address ends the connection that it comes over, as scripted, and is counted. */
function streamEndOf(network: Network, to: string): 'taken' | 'not taken' | null {
  const recipient = network.users.byAddress(to);
  const scripted = recipient?.script.endsStream;
  if (!recipient || !scripted) return null;
  const times = scripted.times - 1;
  network.users.changeScript(recipient, { endsStream: times > 0 ? { ...scripted, times } : null });
  return scripted.isTaken ? 'taken' : 'not taken';
}

/** The network ends the connection because of a message, and says because of which. */
function endStream(connection: ClientConnection, messageId: string): void {
  connection.end(stanza('stream:error', {}, [stanza('ack', { class: 'message', id: messageId })]));
}

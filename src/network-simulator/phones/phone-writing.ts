import { encodeWAMessage, proto } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import type { Group } from '../groups/groups.ts';
import { shortPhone } from '../log.ts';
import { unlinkDevice } from '../login/login.ts';
import type { Network } from '../network.ts';
import { Refusal } from '../refusal.ts';
import { giveToken } from '../routing/privacy-tokens.ts';
import { addressOf, isGroupAddress } from '../wire/addresses.ts';
import { newMessageId, notification, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { recordArrival } from './arrivals.ts';
import type { Wrapping } from './content/message-content.ts';

const sentMessagesKeptMax = 2_000;

/**
 * A phone writes a text to a linked number (digits) or to a group. Answers the message id. Refusals: 404 no such group
 * or nothing linked to the number, 403 the phone is no member.
 */
export function writeText(network: Network, from: User, to: string, text: string): Promise<string> {
  return writeMessage(network, from, to, { conversation: text }, { stanzaType: 'text' });
}

/** As `writeText`, with any content. `asOwner`: also to somebody without a linked device, from the phone of one who has. */
export function writeMessage(
  network: Network,
  from: User,
  to: string,
  message: proto.IMessage,
  wrapping: Wrapping,
  asOwner = false,
): Promise<string> {
  const id = newMessageId();
  const endpoint = network.endpoints.of(from);
  if (isGroupAddress(to)) {
    const group = network.groups.get(to);
    if (!group) throw new Refusal(404, 'There is no such group.');
    if (!network.groups.isMember(group, from)) throw new Refusal(403, 'The phone is no member of the group.');
    return endpoint.inTurn(async () => {
      await sendToGroup(network, from, group, message, wrapping, id);
      return id;
    });
  }
  const recipient = asOwner ? network.users.ensure(to) : network.users.byPhone(to);
  if (!recipient || (!asOwner && recipient.devices.size === 0))
    throw new Refusal(404, 'No device is linked to this number.');
  return endpoint.inTurn(async () => {
    await sendToUser(network, from, recipient, message, wrapping, id);
    if (recipient.faults.needsTokens) giveToken(network, from, recipient);
    if (asOwner)
      recordArrival(network.store, {
        messageId: id,
        sender: from,
        recipient,
        groupId: null,
        content: message,
      });
    return id;
  });
}

async function sendToUser(
  network: Network,
  from: User,
  to: User,
  message: proto.IMessage,
  wrapping: Wrapping,
  id: string,
): Promise<void> {
  const { hidesNumber } = from.script;
  const addressing = hidesNumber ? 'lid' : from.script.addressing;
  const [own, alternate] = addressing === 'lid' ? (['lid', 'pn'] as const) : (['pn', 'lid'] as const);
  const outgoing: { device: Device; message: Stanza }[] = [];
  const { stanzaType: type, edit } = wrapping;
  const shared = { type, edit, id, t: nowSeconds(), notify: from.name, addressing_mode: own };
  if (to !== from) {
    for (const device of to.devices.values()) {
      const enc = wrapping.unavailable
        ? stanza('unavailable')
        : await sealedNode(network, from, device, message, wrapping);
      const attributes = {
        from: addressOf(from, own),
        ...shared,
        ...(!hidesNumber && { [`sender_${alternate}`]: addressOf(from, alternate) }),
      };
      outgoing.push({ device, message: stanza('message', attributes, [enc]) });
    }
  }
  for (const device of from.devices.values()) {
    const copy = { deviceSentMessage: { destinationJid: addressOf(to, own), message } };
    const enc = await sealedNode(network, from, device, copy, wrapping);
    const attributes = {
      from: addressOf(from, own),
      recipient: addressOf(to, own),
      ...shared,
      [`peer_recipient_${alternate}`]: addressOf(to, alternate),
    };
    outgoing.push({ device, message: stanza('message', attributes, [enc]) });
  }
  handOver(network, from, addressOf(to, own), message, wrapping, id, outgoing);
}

async function sendToGroup(
  network: Network,
  from: User,
  group: Group,
  message: proto.IMessage,
  wrapping: Wrapping,
  id: string,
): Promise<void> {
  const endpoint = network.endpoints.of(from);
  const { ciphertext, distribution } = await endpoint.sealForGroup(group.id, encodeWAMessage(message));
  const senderKey = {
    senderKeyDistributionMessage: {
      groupId: group.id,
      axolotlSenderKeyDistributionMessage: distribution,
    },
  };
  const body = stanza('enc', { v: '2', type: 'skmsg', mediatype: wrapping.mediaType }, ciphertext);
  const outgoing: { device: Device; message: Stanza }[] = [];
  for (const { user } of network.groups.members(group)) {
    for (const device of user.devices.values()) {
      const key = await sealedNode(network, from, device, senderKey, { stanzaType: 'text' });
      const attributes = groupMessageAttributes(from, group.id, id, wrapping);
      const content = wrapping.unavailable ? [stanza('unavailable')] : [key, body];
      outgoing.push({ device, message: stanza('message', attributes, content) });
    }
  }
  handOver(network, from, group.id, message, wrapping, id, outgoing);
}

export function groupMessageAttributes(
  from: User,
  groupId: string,
  id: string,
  wrapping: Wrapping,
): Record<string, string | undefined> {
  return {
    from: groupId,
    edit: wrapping.edit,
    participant: addressOf(from, 'lid'),
    ...(!from.script.hidesNumber && { participant_pn: addressOf(from, 'pn') }),
    addressing_mode: 'lid',
    type: wrapping.stanzaType,
    id,
    t: nowSeconds(),
    notify: from.name,
  };
}

export async function sealedNode(
  network: Network,
  from: User,
  device: Device,
  message: proto.IMessage,
  wrapping: Wrapping,
  count?: string,
): Promise<Stanza> {
  const { type, ciphertext } = await network.endpoints.of(from).sealFor(device, encodeWAMessage(message));
  return stanza('enc', { v: '2', type, mediatype: wrapping.mediaType, count }, ciphertext);
}

/** All of it in one turn: either every device has the message waiting, or, after a crash, none. */
function handOver(
  network: Network,
  from: User,
  chat: string,
  message: proto.IMessage,
  wrapping: Wrapping,
  id: string,
  outgoing: { device: Device; message: Stanza }[],
): void {
  const { rowId } = network.store.write(
    'INSERT INTO phone_sent (user_id, message_id, chat, content, wrapping) VALUES (?, ?, ?, ?, ?)',
    from.id,
    id,
    chat,
    proto.Message.encode(message).finish(),
    JSON.stringify(wrapping),
  );
  network.store.write('DELETE FROM phone_sent WHERE seq <= ?', rowId - sentMessagesKeptMax);
  for (const { device, message: one } of outgoing) network.queue.put(device, one);
}

/**
 * The owner sets the phone up anew: it has other keys from now on and knows no session, and its linked devices are out.
 * Devices that had a session with it are told, unless `isQuiet`. Answers how many were.
 */
export async function resetPhone(network: Network, user: User, isQuiet: boolean): Promise<number> {
  return network.endpoints.of(user).inTurn(async () => {
    for (const device of [...user.devices.values()]) unlinkDevice(network, device);
    const peers = devicesWithSession(network, user);
    network.endpoints.renew(user);
    network.log.info({ phone: shortPhone(user.phone), peers: peers.length, isQuiet }, 'phone.reset');
    if (isQuiet) return 0;
    for (const peer of peers) {
      const from = addressOf(user, user.script.hidesNumber ? 'lid' : user.script.addressing);
      network.queue.put(peer, notification(from, 'encrypt', [stanza('identity')]));
    }
    return peers.length;
  });
}

/** Sessions stand under `<alias>_1.<device>`. */
function devicesWithSession(network: Network, user: User): Device[] {
  const rows = network.store.all(
    "SELECT id FROM signal_state WHERE user_id = ? AND kind = 'session'",
    user.id,
  );
  return rows.flatMap(({ id }) => {
    const [, lid, number] = /^(\d+)_1\.(\d+)$/.exec(String(id)) ?? [];
    const peer = network.users.byAddress(`${lid}@lid`);
    return peer?.devices.get(Number(number)) ?? [];
  });
}

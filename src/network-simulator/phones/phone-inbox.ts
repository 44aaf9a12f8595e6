import { decodeBinaryNode, encodeBinaryNode, proto, unpadRandomMax16 } from '@whiskeysockets/baileys';
import type { Device, User } from '../accounts/user.ts';
import { shortPhone } from '../log.ts';
import type { Network } from '../network.ts';
import { expectResend } from '../routing/messages.ts';
import { blob } from '../store.ts';
import { addressOf, isGroupAddress } from '../wire/addresses.ts';
import { bytesOf, childrenNamed, nowSeconds, type Stanza, stanza } from '../wire/stanza.ts';
import { hasArrived, recordArrival } from './arrivals.ts';
import { textOf } from './content/message-text.ts';
import { answerDevice } from './peer-messages.ts';
import { actOnMessage } from './phone-behaviour.ts';

const readAttemptsMax = 5;

type Entry = { seq: number; user: User; sender: Device; answersRetry: boolean; message: Stanza };

/**
 * What the network has accepted for the phones (device 0) of its accounts, and they have yet to decrypt. It is kept on
 * disk before the sender gets its acknowledgement; each phone reads in order.
 */
export class PhoneInbox {
  readonly #network: () => Network;
  readonly #turns = new Map<number, Promise<void>>();
  readonly #failedReads = new Map<string, number>();
  #closed = false;

  /** The network is asked for when it is needed: it holds this object in turn. */
  constructor(network: () => Network) {
    this.#network = network;
  }

  put(user: User, sender: Device, message: Stanza, answersRetry: boolean): void {
    const { rowId } = this.#network().store.write(
      'INSERT INTO phone_inbox (user_id, sender_user_id, sender_device, answers_retry, stanza) VALUES (?, ?, ?, ?, ?)',
      user.id,
      sender.user.id,
      sender.number,
      answersRetry ? 1 : 0,
      encodeBinaryNode(message),
    );
    const entry = { seq: rowId, user, sender, answersRetry, message };
    this.#network().store.afterCommit(() => this.#queue(entry));
  }

  /** Takes up what an earlier process left unread. */
  async resume(): Promise<void> {
    const { store, users } = this.#network();
    for (const row of store.all('SELECT * FROM phone_inbox ORDER BY seq')) {
      const user = users.byId(Number(row.user_id));
      const sender = users.byId(Number(row.sender_user_id))?.devices.get(Number(row.sender_device));
      const seq = Number(row.seq);
      if (!user || !sender) {
        store.write('DELETE FROM phone_inbox WHERE seq = ?', seq);
        continue;
      }
      const message = await decodeBinaryNode(blob(row.stanza));
      this.#queue({ seq, user, sender, answersRetry: row.answers_retry === 1, message });
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#turns.values());
  }

  close(): void {
    this.#closed = true;
  }

  #queue(entry: Entry): void {
    const before = this.#turns.get(entry.user.id) ?? Promise.resolve();
    const turn = before
      .then(() => (this.#closed ? undefined : this.#read(entry)))
      .catch((error: unknown) => {
        this.#network().log.error({ reason: String(error) }, 'phone.read-failed');
      })
      .then(() => {
        if (this.#turns.get(entry.user.id) === turn) this.#turns.delete(entry.user.id);
      });
    this.#turns.set(entry.user.id, turn);
  }

  async #read(entry: Entry): Promise<void> {
    const { store } = this.#network();
    const { user, sender, message } = entry;
    const messageId = message.attrs.id ?? '';
    const content = await this.#decrypt(entry).catch(() => undefined);
    // The database may be closed by now: the row stays, and is read after the next start.
    if (this.#closed) return;
    store.write('DELETE FROM phone_inbox WHERE seq = ?', entry.seq);
    const known = hasArrived(store, messageId, sender.user, user);
    if (content === undefined && !known) {
      this.#askAgain(entry);
      return;
    }
    this.#failedReads.delete(`${user.id} ${messageId}`);
    if (sender.user === user) {
      if (content) await answerDevice(this.#network(), user, sender, content);
      return;
    }
    const text = content ? textOf(content) : null;
    const groupId = isGroupAddress(message.attrs.from) ? (message.attrs.from ?? null) : null;
    if (!known || !entry.answersRetry) {
      const arrival = { messageId, sender: sender.user, recipient: user, groupId, content: content ?? null };
      recordArrival(store, arrival);
    }
    actOnMessage(this.#network(), user, sender.user, message, known ? null : text);
  }

  async #decrypt({ user, sender, message }: Entry): Promise<proto.IMessage> {
    const endpoint = this.#network().endpoints.of(user);
    const author = addressOf(sender.user, 'lid', sender.number);
    const groupId = message.attrs.from ?? '';
    const merged: proto.IMessage = {};
    for (const enc of childrenNamed(message, 'enc')) {
      const plain =
        enc.attrs.type === 'skmsg'
          ? await endpoint.openFromGroup(groupId, author, bytesOf(enc))
          : await endpoint.openFrom(author, enc.attrs.type ?? '', bytesOf(enc));
      const decoded = proto.Message.decode(unpadRandomMax16(plain));
      const inner = decoded.deviceSentMessage?.message ?? decoded;
      const distribution = inner.senderKeyDistributionMessage?.axolotlSenderKeyDistributionMessage;
      if (distribution) await endpoint.takeSenderKey(author, groupId, distribution);
      Object.assign(merged, inner);
    }
    return merged;
  }

  /** Tells the sender that the message could not be read: its device then encrypts it anew and sends it once more. */
  #askAgain({ user, sender, message }: Entry): void {
    const messageId = message.attrs.id ?? '';
    const key = `${user.id} ${messageId}`;
    const attempt = (this.#failedReads.get(key) ?? 0) + 1;
    this.#failedReads.set(key, attempt);
    this.#network().log.warn({ phone: shortPhone(user.phone), messageId, attempt }, 'phone.cannot-read');
    if (attempt > readAttemptsMax) return;
    expectResend(this.#network().store, sender, messageId);
    const endpoint = this.#network().endpoints.of(user);
    const registration = Buffer.alloc(4);
    registration.writeUInt32BE(endpoint.registrationId);
    const inGroup = isGroupAddress(message.attrs.from);
    const addressing = message.attrs.addressing_mode === 'lid' ? 'lid' : 'pn';
    this.#network().queue.put(
      sender,
      stanza(
        'receipt',
        {
          id: messageId,
          type: 'retry',
          from: inGroup ? message.attrs.from : addressOf(user, addressing),
          participant: inGroup ? addressOf(user, 'lid') : undefined,
          recipient: message.attrs.recipient,
          t: nowSeconds(),
        },
        [
          stanza('retry', { count: String(attempt), id: messageId, t: message.attrs.t, v: '1' }),
          stanza('registration', {}, registration),
        ],
      ),
    );
  }
}

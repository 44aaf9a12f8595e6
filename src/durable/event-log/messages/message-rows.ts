import type { MessageTarget } from '../../../contract/messages/changes.ts';
import type { MessageContent } from '../../../contract/messages/content.ts';
import type { SenderSource } from '../../../contract/messages/message.ts';
import { insertRow, Tables } from '../../storage/rows.ts';
import { JoinedContacts } from '../contacts/joined-contacts.ts';
import type { KnownPeople } from '../contacts/known-people.ts';
import {
  type FailedAction,
  idsPerMs,
  type LoggedMessage,
  type LoggedOutbound,
  loggedMessage,
  type NewMessage,
  type StoredMessage,
} from './logged-message.ts';
import { type MemberReceipt, MemberReceipts } from './member-receipts.ts';
import { inboundKey, inboundMessageId, keyInProviderId, outboundKey } from './message-key.ts';
import type { MessageWords } from './message-words.ts';
import type { OwnPhones } from './own-phones.ts';

/** A row holds 2 MB, and so does one of events, where the content stands beside a little more. */
const contentBytesMax = 1_900_000;

/** What the account has sent has the key of its network id; what the network brought, the key of who wrote it where. */
const keyOf = (message: NewMessage): string =>
  message.direction === 'outbound' && message.senderSource !== null
    ? (keyInProviderId(message.providerMessageId) ?? outboundKey(message.messageId))
    : inboundKey(message.messageId);

/** The columns of how far a message has come. */
type Progress = Pick<
  LoggedOutbound,
  'status' | 'errorMessage' | 'errorCode' | 'sentAt' | 'deliveredAt' | 'readAt' | 'failedAt'
>;

function withText(content: MessageContent, text: string): MessageContent {
  if (content.type === 'text') return { ...content, text };
  return 'media' in content ? { ...content, media: { ...content.media, caption: text } } : content;
}

/** The messages of an account, one row each. */
export class MessageRows extends Tables {
  readonly #phones: OwnPhones;
  readonly #words: MessageWords;
  readonly #joined: JoinedContacts;
  readonly receipts: MemberReceipts;
  /** How far messages have come in the present transaction, by key, where that is not stored yet. */
  readonly #progress = new Map<string, Progress>();
  /** No row has a greater id; after a transaction that was rolled back, maybe none has this one either. */
  #newestId: number;

  constructor(sql: SqlStorage, phones: OwnPhones, words: MessageWords) {
    super(sql);
    this.#phones = phones;
    this.#words = words;
    this.#joined = new JoinedContacts(sql);
    this.receipts = new MemberReceipts(sql);
    this.#newestId = this.queryValue<number>('SELECT max(id) FROM messages') ?? 0;
  }

  find(messageId: string): LoggedMessage | null {
    const keys = [outboundKey(messageId), inboundKey(messageId)];
    const row = this.queryFirst<StoredMessage>(
      'SELECT * FROM messages WHERE key IN (?, ?) AND message_id = ?',
      ...keys,
      messageId,
    );
    if (row === undefined) return null;
    const message = this.#asOfNow(row);
    return message.direction === 'outbound' && message.chatType === 'group'
      ? { ...message, receipts: this.receipts.of(message.id) }
      : message;
  }

  /** The outbound message that the network knows by this id. */
  findByProviderId(providerMessageId: string): LoggedOutbound | null {
    const key = keyInProviderId(providerMessageId);
    const message = key === null ? null : this.#under(key);
    return message?.direction === 'outbound' ? message : null;
  }

  /** The message that the network brought under this natural key, perhaps under another time. */
  findByNaturalKey(messageId: string): LoggedMessage | null {
    return this.#under(inboundKey(messageId));
  }

  /** The trace that the request of an outbound message belongs to; undefined where it had none, or is not kept here. */
  traceparentOf(messageId: string): string | undefined {
    const query = 'SELECT traceparent FROM messages WHERE key = ? AND message_id = ?';
    return this.queryValue<string>(query, outboundKey(messageId), messageId) ?? undefined;
  }

  /** More is known of what a message carries. */
  saveContent(message: LoggedMessage, content: MessageContent): void {
    const change = 'UPDATE messages SET content = ? WHERE key = ?';
    this.sql.exec(change, JSON.stringify(content), keyOf(message));
  }

  /** Call it inside a transaction, as all that follows. */
  insert<New extends NewMessage>(message: New): New & { id: number } {
    const isOutbound = message.direction === 'outbound';
    const at = isOutbound ? message.queuedAt : message.receivedAt;
    const content = JSON.stringify(message.content);
    if (Buffer.byteLength(content) > contentBytesMax)
      throw new Error('the content is too large to be stored');
    const id = this.#freeId(at);
    const row = {
      id,
      key: keyOf(message),
      message_id: message.messageId,
      direction: message.direction,
      status: message.status,
      number_id: message.numberId,
      peer: message.peer,
      peer_lid: message.peerLid,
      own_phone: message.ownPhone,
      chat_type: message.chatType,
      message_type: message.content.type,
      content,
      group_id: message.groupId,
      provider_message_id: message.providerMessageId,
      sender_source: isOutbound ? message.senderSource : null,
      queued_at: isOutbound ? message.queuedAt : null,
      received_at: isOutbound ? null : message.receivedAt,
      client_reference: isOutbound ? message.clientReference : null,
      send_at: isOutbound ? message.sendAt : null,
      contact_id: isOutbound ? (message.contactId ?? null) : null,
      dialled: isOutbound ? (message.dialled ?? null) : null,
      traceparent: isOutbound ? (message.traceparent ?? null) : null,
      quiet: isOutbound && message.isQuiet ? 1 : null,
      origin: isOutbound && message.origin !== null ? JSON.stringify(message.origin) : null,
    };
    insertRow(this.sql, 'INSERT INTO messages', row);
    this.#phones.note(message.ownPhone, message.numberId);
    this.#words.note(id, message.content);
    return { ...message, id };
  }

  /** One that was archived is here again. Its words are found in the archive, where it stands too. */
  putBack({ receipts, ...row }: StoredMessage): void {
    insertRow(this.sql, 'INSERT OR IGNORE INTO messages', row);
    for (const one of JSON.parse(receipts ?? '[]') as MemberReceipt[]) this.receipts.putBack(row.id, one);
  }

  /** A message has come so far. It is stored by {@link storeProgress}, which is to follow in the same transaction. */
  saveProgress(message: LoggedOutbound): void {
    const { status, errorMessage, errorCode, sentAt, deliveredAt, readAt, failedAt } = message;
    const progress = { status, errorMessage, errorCode, sentAt, deliveredAt, readAt, failedAt };
    this.#progress.set(keyOf(message), progress);
  }

  /** Writes down how far messages have come: once for each, however many steps it has taken in this transaction. */
  storeProgress(): void {
    for (const [key, progress] of this.#progress) {
      const { status, errorMessage, errorCode, sentAt, deliveredAt, readAt, failedAt } = progress;
      this.sql.exec(
        `UPDATE messages SET status = ?, error_message = ?, error_code = ?, sent_at = ?, delivered_at = ?, read_at = ?,
           failed_at = ?
         WHERE key = ?`,
        ...[status, errorMessage, errorCode, sentAt, deliveredAt, readAt, failedAt],
        key,
      );
    }
    this.#progress.clear();
  }

  /** After a transaction that was rolled back. */
  reload(): void {
    this.#progress.clear();
  }

  /** Stores which number sends a message. */
  saveSender(
    messageId: string,
    sender: { numberId: string; ownPhone: string | null; senderSource: SenderSource },
  ): void {
    const { numberId, ownPhone, senderSource } = sender;
    this.sql.exec(
      'UPDATE messages SET number_id = ?, own_phone = ?, sender_source = ? WHERE key = ?',
      ...[numberId, ownPhone, senderSource, outboundKey(messageId)],
    );
    this.#phones.note(ownPhone, numberId);
  }

  /** Stores what was done to a message. */
  saveChanges(message: LoggedMessage): void {
    const { editedAt, deletedAt, reactions, votes } = message;
    this.sql.exec(
      'UPDATE messages SET edited_at = ?, deleted_at = ?, reactions = ?, votes = ? WHERE key = ?',
      ...[editedAt, deletedAt, JSON.stringify(reactions), JSON.stringify(votes), keyOf(message)],
    );
  }

  /** Stores what was wanted done to a message and came to nothing. */
  saveFailedActions(message: LoggedMessage, failed: readonly FailedAction[]): void {
    const json = failed.length === 0 ? null : JSON.stringify(failed);
    this.sql.exec('UPDATE messages SET failed_actions = ? WHERE key = ?', json, keyOf(message));
  }

  /** Stores another text, or caption, and finds the message by its words from now on. */
  saveText(message: LoggedMessage, text: string, editedAt: number): void {
    const content = withText(message.content, text);
    this.sql.exec('UPDATE messages SET content = ? WHERE key = ?', JSON.stringify(content), keyOf(message));
    this.saveChanges({ ...message, editedAt });
    this.#words.replace(message.id, message.content, content);
  }

  #under(key: string): LoggedMessage | null {
    const row = this.queryFirst<StoredMessage>('SELECT * FROM messages WHERE key = ?', key);
    return row === undefined ? null : this.#asOfNow(row);
  }

  /** A row, with what was not stored of it yet. */
  #asOfNow(row: StoredMessage): LoggedMessage {
    const message = this.#joined.named(loggedMessage(row));
    if (message.direction === 'inbound' || this.#progress.size === 0) return message;
    return { ...message, ...this.#progress.get(keyOf(message)) };
  }

  #freeId(at: number): number {
    // No row is above the newest, so of a message of now nothing has to be looked up.
    const next = Math.max(at * idsPerMs, this.#newestId + 1);
    const id = next < (at + 1) * idsPerMs ? next : this.#freeIdFrom(at);
    this.#newestId = Math.max(this.#newestId, id);
    return id;
  }

  #freeIdFrom(at: number): number {
    const query = 'SELECT id FROM messages WHERE id >= ?1 AND id < ?1 + ?2 ORDER BY id DESC LIMIT 1';
    for (let first = at * idsPerMs; ; first += idsPerMs) {
      const last = this.queryValue<number>(query, first, idsPerMs) ?? first - 1;
      if (last + 1 < first + idsPerMs) return last + 1;
    }
  }
}

/**
 * Finds a message by the network's key; null if the log does not know it. A message of the account is known by its network id
 * alone, any other by its author and its group too. The caller has to check whether it is in the right chat, and what the
 * sender may do to it.
 */
export function findTarget(
  rows: MessageRows,
  people: KnownPeople,
  place: { numberId: string; groupId: string | undefined },
  { providerMessageId, isOwn, author, authorLid }: Partial<MessageTarget> & { providerMessageId: string },
): LoggedMessage | null {
  const sent = isOwn ? rows.findByProviderId(providerMessageId) : null;
  if (sent?.numberId === place.numberId) return sent;
  const digits = author ?? authorLid;
  if (digits === undefined) return null;
  // Who names the author may know the number alone, and the message was told with the alias.
  for (const writer of people.namesOf({ digits, lid: authorLid ?? null })) {
    const found = rows.findByNaturalKey(inboundMessageId(0, { ...place, author: writer, providerMessageId }));
    if (found !== null) return found;
  }
  return null;
}

import { getContentType, normalizeMessageContent, proto } from '@whiskeysockets/baileys';
import type { User } from '../accounts/user.ts';
import { blob, type Store } from '../store.ts';
import { fileIn, textOf } from './message-text.ts';

export type Arrival = {
  id: string;
  from: string;
  to: string;
  text: string | null;
  count: number;
  at: string;
} & Partial<DescribedContent>;

/** So many contents are kept, the newest ones. */
const contentsKept = 10_000;

/** Whether this message has reached this phone before. */
export function hasArrived(store: Store, messageId: string, sender: User, recipient: User): boolean {
  const row = store.get(
    'SELECT 1 AS known FROM arrivals WHERE message_id = ? AND sender_id = ? AND recipient_id = ?',
    messageId,
    sender.id,
    recipient.id,
  );
  return row !== undefined;
}

/** Counts an arrival at a phone; the content of the first one stays. Null: it could not be read. */
export function recordArrival(
  store: Store,
  arrival: {
    messageId: string;
    sender: User;
    recipient: User;
    groupId: string | null;
    content: proto.IMessage | null;
  },
): void {
  const { messageId, sender, recipient, groupId, content } = arrival;
  store.write(
    `INSERT INTO arrivals (message_id, sender_id, recipient_id, group_id, text, count, arrived_at)
     VALUES (?, ?, ?, ?, ?, 1, ?)
     ON CONFLICT (message_id, sender_id, recipient_id) DO UPDATE SET count = count + 1`,
    ...[messageId, sender.id, recipient.id, groupId, content ? textOf(content) : null, Date.now()],
  );
  if (!content) return;
  const { rowId } = store.write(
    'INSERT OR IGNORE INTO arrived_contents (message_id, sender_id, recipient_id, content) VALUES (?, ?, ?, ?)',
    ...[messageId, sender.id, recipient.id, proto.Message.encode(content).finish()],
  );
  store.write('DELETE FROM arrived_contents WHERE seq <= ?', rowId - contentsKept);
}

/** What arrived at a number, in a group, or everywhere: one row a message id, in the order of arrival. */
export function listArrivals(store: Store, to: string | undefined): Arrival[] {
  const rows = store.all(
    `SELECT a.message_id, sender.phone AS sender, coalesce(a.group_id, recipient.phone) AS recipient,
       max(a.text) AS text, max(a.count) AS count, min(a.arrived_at) AS arrived_at, max(c.content) AS content
     FROM arrivals a
     LEFT JOIN arrived_contents c ON c.message_id = a.message_id AND c.sender_id = a.sender_id
       AND c.recipient_id = a.recipient_id
     JOIN users sender ON sender.id = a.sender_id
     JOIN users recipient ON recipient.id = a.recipient_id
     WHERE ? IS NULL OR coalesce(a.group_id, recipient.phone) = ?
     GROUP BY a.message_id, a.sender_id, coalesce(a.group_id, recipient.phone)
     ORDER BY arrived_at, min(a.rowid)`,
    to ?? null,
    to ?? null,
  );
  return rows.map((row) => ({
    id: String(row.message_id),
    from: String(row.sender),
    to: String(row.recipient),
    text: row.text === null ? null : String(row.text),
    count: Number(row.count),
    at: new Date(Number(row.arrived_at)).toISOString(),
    ...(row.content !== null && describeContent(proto.Message.decode(blob(row.content)))),
  }));
}

/** What arrived, in plain words: its kind, and what there is to know of it. A text is told by its text alone. */
interface DescribedContent {
  kind?: string;
  content?: unknown;
  quotedMessageId?: string;
  mentions?: string[];
  isForwarded?: true;
}

const { REVOKE, MESSAGE_EDIT } = proto.Message.ProtocolMessage.Type;

/** Describes a message that a phone has read; what has no word here is told as the network carries it. */
function describeContent(message: proto.IMessage): DescribedContent {
  const inner = normalizeMessageContent(message) ?? {};
  const part = getContentType(inner);
  const info = contextOf(part ? inner[part] : null);
  return {
    ...kindOf(inner, part),
    ...(info?.stanzaId && { quotedMessageId: info.stanzaId }),
    ...(info?.mentionedJid?.length && { mentions: info.mentionedJid.map((jid) => jid.split('@')[0] ?? '') }),
    ...(info?.isForwarded && { isForwarded: true }),
  };
}

function contextOf(part: unknown): proto.IContextInfo | null {
  if (typeof part !== 'object' || part === null || !('contextInfo' in part)) return null;
  return part.contextInfo as proto.IContextInfo | null;
}

function kindOf(
  message: proto.IMessage,
  part: keyof proto.IMessage | undefined,
): Pick<DescribedContent, 'kind' | 'content'> {
  const { protocolMessage: protocol, reactionMessage: reaction, locationMessage: place } = message;
  const text = message.conversation ?? message.extendedTextMessage?.text;
  if (text) return {};
  if (reaction) {
    return { kind: 'reaction', content: { messageId: reaction.key?.id, emoji: reaction.text ?? '' } };
  }
  if (protocol?.type === REVOKE) return { kind: 'delete', content: { messageId: protocol.key?.id } };
  if (protocol?.type === MESSAGE_EDIT) {
    const edited = protocol.editedMessage;
    const now = edited?.conversation ?? edited?.extendedTextMessage?.text ?? '';
    return { kind: 'edit', content: { messageId: protocol.key?.id, text: now } };
  }
  if (place) {
    const { degreesLatitude: latitude, degreesLongitude: longitude, name, address } = place;
    return { kind: 'location', content: { latitude, longitude, name, address } };
  }
  const cards = message.contactMessage ? [message.contactMessage] : message.contactsArrayMessage?.contacts;
  if (cards) {
    return {
      kind: 'contacts',
      content: cards.map(({ displayName, vcard }) => ({ name: displayName, vcard })),
    };
  }
  const poll = message.pollCreationMessage ?? message.pollCreationMessageV3;
  if (poll) {
    const options = poll.options?.map(({ optionName }) => optionName) ?? [];
    const content = { name: poll.name, options, selectableCount: poll.selectableOptionsCount };
    return { kind: 'poll', content };
  }
  return describedFile(message) ?? { kind: part ?? 'nothing', content: part ? message[part] : null };
}

function describedFile(message: proto.IMessage): Pick<DescribedContent, 'kind' | 'content'> | null {
  const found = fileIn(message);
  if (!found) return null;
  const { mimetype, fileLength, fileSha256, caption, fileName, ptt } = found.file;
  return {
    kind: found.kind,
    content: {
      mimetype,
      bytes: Number(fileLength ?? 0),
      sha256: Buffer.from(fileSha256 ?? []).toString('hex'),
      ...(caption && { caption }),
      ...(fileName && { fileName }),
      ...(ptt && { voice: true }),
    },
  };
}

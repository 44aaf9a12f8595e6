import type { EventEnvelope } from '../../../../contract/events.ts';
import type { MessageContent } from '../../../../contract/messages/content.ts';
import type { SegmentKind } from '../../archive/segments.ts';
import type { StoredMessage } from '../../messages/logged-message.ts';

/** Whom nothing may tell of any more. */
export interface ErasedPerson {
  contactId: string;
  phoneNumber: string | null;
  lid: string | null;
  /** Digits that somebody dialled, where the network has {@link phoneNumber}. Left out where there are none. */
  dialled?: string[];
  /** Ids of contacts that became a part of this one. Left out where there are none. */
  formerIds?: string[];
}

const idsOfErased = ({ contactId, formerIds = [] }: ErasedPerson): string[] => [contactId, ...formerIds];

/** All digits that name them. */
export const addressesOfErased = ({ phoneNumber, lid, dialled = [] }: ErasedPerson): string[] =>
  [phoneNumber, lid, ...dialled].filter((address) => address !== null);

/**
 * The part of an erasure that a stateless entrypoint of the Worker does: it deletes files and rewrites segments, which would
 * take the log's own time and memory. Safe to repeat.
 */
export interface EraseCalls {
  files(accountId: string, mediaIds: readonly string[]): Promise<void>;
  /** The pasts of conversations with them; how many rows those had. */
  pasts(keys: readonly string[]): Promise<number>;
  /**
   * How many lines were about them, and the files of messages with them among those. `fileIds`: such files, of all messages with
   * them.
   */
  segment(
    kind: SegmentKind,
    key: string,
    person: ErasedPerson,
    fileIds: readonly string[],
  ): Promise<{ changed: number; fileIds: string[] }>;
}

/** What stands where somebody's address stood. */
const erasedAddress = 'erased';

/** A message of which nothing is left but that it was there. */
export const erasedContent: MessageContent = { type: 'text', text: '' };

type Json = Record<string, unknown>;

/** Names of what tells who somebody is; where it is theirs, it goes. */
const optionalAddresses = ['phoneNumber', 'lid', 'senderLid', 'recipientLid'];
/** Names of what an event must have; where it is theirs, it says so. */
const neededAddresses = ['from', 'to', 'recipient', 'chat'];
/** What may stay of an event that is about them: which message it was, and how far it has come. */
const kept = new Set([
  ...[
    'messageId',
    'numberId',
    'providerMessageId',
    'groupId',
    'contactId',
    'conversationId',
    'callId',
    'campaignId',
  ],
  ...['status', 'messageStatus', 'direction', 'chatType', 'messageType', 'isGroup', 'isVideo', 'errorCode'],
  ...['sentAt', 'deliveredAt', 'readAt', 'editedAt', 'deletedAt', 'reactedAt', 'votedAt', 'at'],
]);
/** What an event must have, and says nothing any more. */
const blanks: Json = { text: '', pushName: '', emoji: '', errorMessage: '', options: [], changes: {} };

/** Whether it may be about them: cheap, and never wrong in saying no. */
export const mayName = (text: string, person: ErasedPerson): boolean =>
  [...addressesOfErased(person), ...idsOfErased(person)].some((address) => text.includes(address));

function isTheirs(value: unknown, person: ErasedPerson): boolean {
  return (
    typeof value === 'string' &&
    addressesOfErased(person).some((it) => value === it || value.startsWith(`${it}@`))
  );
}

/** Whether it may tell of one of their files, which such an event names by its ID alone: cheap, and never wrong in saying no. */
export const mayNameFile = (text: string, fileIds: ReadonlySet<string>): boolean =>
  fileIds.size > 0 && text.includes('"message.media"');

/** An event without them; the same object where it is not about them. `fileIds`: of files of messages with them. */
export function eventWithout(
  envelope: EventEnvelope,
  person: ErasedPerson,
  fileIds: ReadonlySet<string>,
): EventEnvelope {
  const data = envelope.data as Json;
  if (envelope.event === 'message.media') return fileEventWithout(envelope as FileEvent, fileIds);
  const isAbout =
    [...optionalAddresses, ...neededAddresses].some((name) => isTheirs(data[name], person)) ||
    idsOfErased(person).includes(data.contactId as string);
  const cleaned = isAbout ? stripped(data, person) : withoutAddresses(data, person);
  return cleaned === data ? envelope : ({ ...envelope, data: cleaned } as EventEnvelope);
}

type FileEvent = EventEnvelope<'message.media'>;

function fileEventWithout(envelope: FileEvent, fileIds: ReadonlySet<string>): FileEvent {
  const { data } = envelope;
  const { mediaId } = data.media;
  if (!fileIds.has(mediaId)) return envelope;
  return { ...envelope, data: { ...data, media: { mediaId, status: 'unavailable' } } };
}

/** The file of a message with them, whoever has sent it. */
export function fileIdsOf({ content }: StoredMessage): string[] {
  const { media } = JSON.parse(content) as { media?: { mediaId: string } };
  return media === undefined ? [] : [media.mediaId];
}

function stripped(data: Json, person: ErasedPerson): Json {
  const left: Json = {};
  for (const [name, value] of Object.entries(data)) {
    if (kept.has(name)) left[name] = value;
    else if (name in blanks) left[name] = blanks[name];
    else if (neededAddresses.includes(name)) left[name] = isTheirs(value, person) ? erasedAddress : value;
    else if (optionalAddresses.includes(name) && !isTheirs(value, person)) left[name] = value;
  }
  return left;
}

/** Their address where it stands among others: the members of a group, whom a text mentions. The same where it does not. */
function withoutAddresses<Value>(value: Value, person: ErasedPerson): Value {
  if (typeof value === 'string') return (isTheirs(value, person) ? erasedAddress : value) as Value;
  if (Array.isArray(value)) {
    const items = value.map((item) => withoutAddresses(item, person));
    return items.every((item, index) => item === value[index]) ? value : (items as Value);
  }
  if (typeof value !== 'object' || value === null) return value;
  let isSame = true;
  const fields: Json = {};
  for (const [name, field] of Object.entries(value)) {
    if (optionalAddresses.includes(name) && isTheirs(field, person)) isSame = false;
    else {
      fields[name] = withoutAddresses(field, person);
      isSame &&= fields[name] === field;
    }
  }
  return isSame ? value : (fields as Value);
}

/** Whether they have written it, or it went to them alone. */
export const isTheirMessage = ({ peer, peer_lid }: StoredMessage, person: ErasedPerson): boolean =>
  isTheirs(peer, person) || isTheirs(peer_lid, person);

/** A row of a message of theirs, which keeps when it was and how far it came. */
export const messageWithout = <Row extends StoredMessage>(row: Row, now: number): Row => ({
  ...row,
  peer: erasedAddress,
  peer_lid: null,
  dialled: null,
  content: JSON.stringify(erasedContent),
  client_reference: null,
  error_message: row.error_message === null ? null : '',
  reactions: null,
  votes: null,
  failed_actions: null,
  deleted_at: row.deleted_at ?? now,
});

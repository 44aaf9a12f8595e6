import type { HeldReason } from '../contract/sender-settings.ts';
import type { MessageProjection } from '../durable/relayed-events.ts';

const iso = (at: number | null | undefined) => (at == null ? null : new Date(at).toISOString());

/** Why a message waits, and when it is expected to leave; milliseconds since 1970. */
export interface Waiting {
  heldReason: HeldReason | null;
  expectedAt: number | null;
}

/** The record of one message: of one that waits also what it waits for, which the list does not tell. */
export function waitingRecord(row: MessageProjection, waiting: Waiting | null) {
  const record = messageRecord(row);
  if (row.direction !== 'outbound') return record;
  const { heldReason = null, expectedAt = null } = waiting ?? {};
  return { ...record, heldReason, expectedAt: iso(expectedAt) };
}

/** A message as `GET /v1/messages` shows it. What does not apply to it, or is not known yet, is null. */
export function messageRecord(row: MessageProjection) {
  const outbound = row.direction === 'outbound';
  return {
    messageId: row.messageId,
    direction: row.direction,
    status: row.status,
    numberId: row.numberId,
    to: row.to,
    ...(outbound ? {} : { from: row.from, groupId: row.groupId ?? null }),
    chatType: row.chatType,
    messageType: row.messageType,
    text: row.text ?? null,
    providerMessageId: row.providerMessageId ?? null,
    // An outbound row's `from` is the sender's phone number, empty when it was not known.
    sender: outbound
      ? { numberId: row.numberId, phoneNumber: row.from || null, source: row.senderSource ?? null }
      : null,
    errorMessage: row.errorMessage ?? null,
    queuedAt: iso(row.queuedAt),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    readAt: iso(row.readAt),
    failedAt: iso(row.failedAt),
    ...(outbound ? {} : { receivedAt: iso(row.receivedAt) }),
  };
}

import {
  type InboundMessage,
  type NetworkReceipt,
  type NumberFact,
  type SendOutcome,
  unknownOutcomeCode,
} from '../../../contract/bridge/bridge-frames.ts';
import { isAction } from '../../../contract/messages/actions.ts';
import { aliasAddress } from '../../../contract/messages/recipient.ts';
import { isNetworkCode } from '../../../contract/messages/send-refusals.ts';
import { optOutTextOf } from '../../../contract/texts/opt-out-words.ts';
import { type Fact, outboundRecord } from '../../event-log/facts.ts';
import { providerMessageIdOf } from '../../new-ids.ts';
import type { NumberParts } from '../number-parts.ts';
import type { QueuedMessage } from '../queue/queue.ts';
import { awaitsFile } from './inbound-media.ts';

/** What the network said about messages: the log is told first. */
export type MessageFact = Extract<
  NumberFact,
  { type: 'send.outcomes' | 'receipts' | 'inbound' | 'changes' | 'calls' }
>;

const messageFactTypes: readonly NumberFact['type'][] = [
  'send.outcomes',
  'receipts',
  'inbound',
  'changes',
  'calls',
] satisfies MessageFact['type'][];

export function isMessageFact(fact: NumberFact): fact is MessageFact {
  return messageFactTypes.includes(fact.type);
}

/** What the log is to be told of it. Changes nothing. */
export function logFactsOf(parts: NumberParts, fact: MessageFact): Fact[] {
  const { numberId, phoneNumber } = parts.device.known;
  const own = phoneNumber ?? '';
  switch (fact.type) {
    case 'send.outcomes':
      return fact.items.flatMap((outcome) => outcomeFacts(parts, outcome));
    case 'receipts':
      return fact.items.flatMap((receipt) => receiptFacts(parts, receipt));
    case 'inbound':
      return fact.items
        .filter((message) => !awaitsFile(message))
        .map((message) => ({ kind: 'message.received' as const, numberId, to: own, message }));
    case 'changes':
      return fact.items.map((change) => ({
        kind: 'message.changed' as const,
        numberId,
        own,
        change,
        ...(parts.groups.isAdminsDeletion(change) && { isByAdmin: true as const }),
      }));
    case 'calls':
      return fact.items.map((call) => ({ kind: 'call.received' as const, numberId, call }));
  }
}

/** What is no longer in the queue the log knows already: it is removed only when the log has answered. */
function outcomeFacts({ queue, device }: NumberParts, outcome: SendOutcome): Fact[] {
  const message = queue.find(outcome.messageId);
  if (!message || outcome.outcome === 'returned') return [];
  const at = Date.parse(outcome.at);
  const record = outboundRecord(message, device.known);
  if (outcome.outcome === 'sent') return [{ kind: 'message.sent', message: record, at }];
  // What never got as far as the network goes back to the account.
  if (outcome.code === null) return [];
  const { errorMessage, code } = outcome;
  const errorCode = code === unknownOutcomeCode ? code : (`network_${code}` as const);
  return [{ kind: 'message.failed', message: record, at, errorMessage, errorCode }];
}

/** A receipt proves that the network has the message, also where its own answer is not here yet. */
function receiptFacts({ queue, device }: NumberParts, receipt: NetworkReceipt): Fact[] {
  const { providerMessageId, kind, recipient, recipientLid } = receipt;
  const at = Date.parse(receipt.at);
  const message = queue.findByProviderId(providerMessageId);
  const { numberId } = device.known;
  return [
    ...(message
      ? [{ kind: 'message.sent' as const, message: outboundRecord(message, device.known), at }]
      : []),
    {
      kind: 'message.receipt',
      numberId,
      providerMessageId,
      receipt: kind,
      at,
      recipient: recipient ?? null,
      recipientLid: recipientLid ?? null,
    },
  ];
}

/** Whether some of the messages wait for their files, and the log does not hear of them yet. */
export const bringsFiles = (fact: NumberFact): boolean =>
  fact.type === 'inbound' && fact.items.some(awaitsFile);

/** The network's ids of messages to which something is done. */
export const targetsOf = (facts: readonly MessageFact[]): ReadonlySet<string> =>
  new Set(
    facts.flatMap((fact) =>
      fact.type === 'changes' ? fact.items.map(({ target }) => target.providerMessageId) : [],
    ),
  );

/** What follows from it here, once the log knows. Call inside a transaction; a repeat changes nothing. */
export function applyMessageFact(parts: NumberParts, fact: MessageFact, now: number): void {
  switch (fact.type) {
    case 'send.outcomes':
      for (const outcome of fact.items) applyOutcome(parts, outcome, now);
      return;
    case 'receipts':
      for (const { providerMessageId } of fact.items) applyReceipt(parts, providerMessageId, now);
      return;
    case 'inbound':
      for (const message of fact.items) applyInbound(parts, message, now);
      return;
    case 'changes':
      for (const change of fact.items) parts.groups.holdDeletion(change, now);
      return;
    case 'calls':
    // They concern the log alone.
  }
}

function applyOutcome(parts: NumberParts, outcome: SendOutcome, now: number): void {
  const { queue, dispatch, health } = parts;
  const message = queue.find(outcome.messageId);
  // That it came back says something about that hand-over only.
  if (outcome.outcome === 'returned') {
    if (message?.handOver !== outcome.handOver) return;
    dispatch.resolved(message.providerMessageId);
    giveDayBack(parts, message);
    queue.noteReturned(message);
    return;
  }
  if (outcome.outcome === 'failed' && outcome.code === null && message) {
    applyUnsendable(parts, message, outcome, now);
    return;
  }
  dispatch.resolved(providerMessageIdOf(outcome.messageId));
  if (!message) return;
  queue.remove(message);
  if (outcome.outcome === 'sent') health.note({ kind: 'sent', ackMs: outcome.ackMs ?? null }, now);
  else health.note({ kind: 'failed', code: outcome.code }, now);
}

/** It never got as far as the network: the same, since another bridge may have it by now. */
function applyUnsendable(
  parts: NumberParts,
  message: QueuedMessage,
  { handOver, refusal, errorMessage }: Extract<SendOutcome, { outcome: 'failed' }>,
  now: number,
): void {
  if (message.handOver === handOver) {
    parts.dispatch.resolved(message.providerMessageId);
    giveDayBack(parts, message);
    const errorCode =
      refusal !== undefined && isNetworkCode(refusal) ? (`network_${refusal}` as const) : undefined;
    parts.returns.giveBack(message, 'not_sendable', { errorMessage, errorCode });
  }
  parts.health.note({ kind: 'failed', code: refusal ?? null }, now);
}

/** What never left counts for no day. What is done to a message has counted for none. */
function giveDayBack({ pace }: NumberParts, { handedAt, content }: QueuedMessage): void {
  if (handedAt !== null && !isAction(content)) pace.noteReturned(handedAt);
}

function applyReceipt(
  { queue, dispatch, health }: NumberParts,
  providerMessageId: string,
  now: number,
): void {
  dispatch.resolved(providerMessageId);
  const message = queue.findByProviderId(providerMessageId);
  if (!message) return;
  queue.remove(message);
  health.note({ kind: 'sent', ackMs: null }, now);
}

/** Whoever writes to the number talks with it, and may opt out: the account remembers. */
function applyInbound({ notes, inboundMedia }: NumberParts, message: InboundMessage, now: number): void {
  if (awaitsFile(message)) inboundMedia.hold(message, now);
  const { chatType, from, senderLid, content } = message;
  // In a group nobody writes to the number.
  if (chatType !== 'personal' || message.sentTo !== undefined) return;
  const author = from === senderLid ? aliasAddress(senderLid) : from;
  const at = Date.parse(message.at);
  const text = content.type === 'text' ? optOutTextOf(content.text) : null;
  notes.add({ kind: 'inbound', from: author, at, text });
}

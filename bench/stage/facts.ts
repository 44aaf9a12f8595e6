import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { requestJson } from '../../src/local/json-client.ts';
import type { Edge } from './edge.ts';

const minuteMs = 60_000;

export interface MessageOfFacts {
  numberId: string;
  to: string;
  text: string;
}

/** A message as every fact about it carries it; its id, and the id that the network would know it by. */
function recordOf({ numberId, to, text }: MessageOfFacts) {
  return {
    messageId: `msg_${v7()}`,
    numberId,
    from: '628123456789',
    to,
    chatType: 'personal',
    content: { type: 'text', text },
    senderSource: 'pool',
    queuedAt: Date.now(),
  };
}

/** The fact that a message was accepted, as its account tells it: one event. */
export const queuedFact = (message: MessageOfFacts) => ({
  kind: 'message.queued',
  message: recordOf(message),
});

/** The fact that a message was sent, before anything else was told of it: two events. */
export const sentFact = (message: MessageOfFacts) => ({
  kind: 'message.sent',
  message: recordOf(message),
  at: Date.now(),
});

/** A message that somebody wrote to a number. */
export const receivedFact = ({ numberId, to, text }: MessageOfFacts) => ({
  kind: 'message.received',
  numberId,
  to: '628123456789',
  message: {
    providerMessageId: randomUUID(),
    at: new Date(Date.now() - minuteMs).toISOString(),
    chatType: 'personal',
    from: to,
    pushName: 'Someone',
    content: { type: 'text', text },
  },
});

/** Hands facts to an account's log, by a route of the bench alone. */
export async function giveFacts(edge: Edge, accountId: string, facts: readonly unknown[]): Promise<void> {
  const path = `/bench/facts?account=${accountId}`;
  const { taken } = await requestJson<{ taken: number }>(edge.url, 'POST', path, { body: facts });
  if (taken < facts.length) throw new Error(`the log took ${taken} of ${facts.length} facts`);
}

import { env } from 'cloudflare:workers';
import type { Fact, OutboundRecord } from '../../../src/durable/event-log/facts.ts';
import { newMessageId, newUuid } from '../../../src/durable/new-ids.ts';

/** What a log takes in one call. */
const factsMax = 100;

/** A message that was accepted just now; each gives an event of its own. */
export function queuedMessage(numberId: string, text = 'hello'): Extract<Fact, { kind: 'message.queued' }> {
  const message: OutboundRecord = {
    messageId: newMessageId(),
    numberId,
    from: '15550000001',
    to: '628123456789',
    chatType: 'personal',
    content: { type: 'text', text },
    senderSource: 'pool',
    queuedAt: Date.now(),
  };
  return { kind: 'message.queued', message };
}

/** A message of somebody, who is called by `index`. */
export const receivedMessage = (
  numberId: string,
  index: number,
  text: string,
): Extract<Fact, { kind: 'message.received' }> => ({
  kind: 'message.received',
  numberId,
  to: '15550000001',
  message: {
    providerMessageId: `3A${index}`,
    at: new Date().toISOString(),
    chatType: 'personal',
    from: '628123456789',
    pushName: `Budi ${index}`,
    content: { type: 'text', text },
  },
});

/** Tells an account's log facts, in calls of a usual size. */
export async function tell(accountId: string, facts: readonly Fact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += factsMax) {
    await env.EVENT_LOG.getByName(accountId).take(facts.slice(from, from + factsMax));
  }
}

/** So many messages that are accepted one after the other; their ids. */
export async function acceptMessages(
  accountId: string,
  count: number,
  numberId: string = newUuid(),
): Promise<string[]> {
  const facts = Array.from({ length: count }, () => queuedMessage(numberId));
  await tell(accountId, facts);
  return facts.map(({ message }) => message.messageId);
}

/** The message that an event is about. */
export const messageOf = ({ data }: { data: object }): string =>
  'messageId' in data ? String(data.messageId) : '';

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { EventEnvelope } from '../../../src/contract/events.ts';

/** The events that an account's log holds, oldest first. */
export function loggedEvents(accountId: string): Promise<EventEnvelope[]> {
  return runInDurableObject(env.EVENT_LOG.getByName(accountId), (_, { storage }) =>
    storage.sql
      .exec<{ bodies: string }>('SELECT bodies FROM events ORDER BY first_seq')
      .toArray()
      .flatMap(({ bodies }) => JSON.parse(bodies) as EventEnvelope[]),
  );
}

/** Without what the log tells of conversations: messages and devices only, in order. */
export async function factsTold(accountId: string): Promise<string[]> {
  const events = await loggedEvents(accountId);
  return events.map(({ event }) => event).filter((event) => !event.startsWith('conversation.'));
}

/** Those of one message. */
export async function eventsOf(accountId: string, messageId: string): Promise<EventEnvelope[]> {
  const events = await loggedEvents(accountId);
  return events.filter(({ data }) => 'messageId' in data && data.messageId === messageId);
}

/** The message as the log has it. */
export const loggedMessage = (accountId: string, messageId: string) =>
  env.EVENT_LOG.getByName(accountId).message(messageId);

import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Fact } from '../../../src/durable/event-log/facts.ts';
import { logOf } from '../../../src/durable/event-log/log-of.ts';
import { newUuid } from '../../../src/durable/new-ids.ts';
import { deviceChanged } from '../../durable/event-log/event-log-fixture.ts';
import { ask, eventually, type TestAccount } from '../front-door.ts';

/** A new channel of the account, as it was answered. */
export async function addChannel({ owner }: TestAccount, json: Record<string, unknown>) {
  const answer = await ask('POST', '/v1/alert-channels', { headers: owner, json });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
}

export const channelOf = async ({ owner }: TestAccount, channelId: string) =>
  (await ask('GET', `/v1/alert-channels/${channelId}`, { headers: owner })).body;

/** As the log has them, newest first: a token of a person does not live as long as a ladder. */
export const deliveriesTo = ({ accountId }: TestAccount, channelId: string) =>
  logOf(env, accountId).alertDeliveries(channelId, 50, null);

/** The delivery to a channel, once there is one in this state. */
export const deliveryThat = (account: TestAccount, channelId: string, status: string) =>
  eventually(async () => (await deliveriesTo(account, channelId)).find((it) => it.status === status));

export const tellLog = ({ accountId }: TestAccount, ...facts: Fact[]) => logOf(env, accountId).take(facts);

/** A ban of a number of which nobody else has heard. */
export function ban(numberId = newUuid(), revision = 1): Fact {
  return { ...deviceChanged({ numberId, revision, state: 'banned' }), at: Date.now() } as Fact;
}

/** The log's alarm; it may have rung by itself. */
export const alarm = ({ accountId }: TestAccount) => runDurableObjectAlarm(logOf(env, accountId));
export const evictLog = ({ accountId }: TestAccount) => evictDurableObject(logOf(env, accountId));

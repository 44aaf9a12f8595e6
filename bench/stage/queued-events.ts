import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { sealSecret } from '../../src/worker/delivery/sealed-secret.ts';
import type { Edge } from './edge.ts';

/** Webhooks of a new account, each for a number of its own, straight into D1. */
export interface ReceiverSet {
  accountId: string;
  /** By receiver. */
  numberIds: string[];
}

/** Makes a webhook for each of these URLs. */
export async function makeWebhooks(
  edge: Edge,
  sealingKey: string,
  urls: readonly string[],
): Promise<ReceiverSet> {
  const accountId = v7();
  const numberIds: string[] = [];
  for (const url of urls) {
    const [id, numberId] = [v7(), v7()];
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await edge.database
      .prepare(
        `insert into webhooks (id, account_id, url, number_ids, sealed_secret, enabled, created_at)
         values (?, ?, ?, ?, ?, 1, 0)`,
      )
      .bind(id, accountId, url, JSON.stringify([numberId]), await sealSecret(sealingKey, id, secret))
      .run();
    numberIds.push(numberId);
  }
  return { accountId, numberIds };
}

let seq = 0;

/** A message of the queue `events` with so many events of one number, as its object's relay would send it. */
export function queuedEvents({ accountId }: ReceiverSet, numberId: string, count: number) {
  return {
    accountId,
    source: { kind: 'phone-number', name: numberId },
    events: Array.from({ length: count }, () => {
      seq += 1;
      return { seq, message: null, device: null, envelope: failedEnvelope(numberId) };
    }),
  };
}

function failedEnvelope(numberId: string) {
  return {
    id: `evt_${v7()}`,
    event: 'message.failed',
    timestamp: new Date().toISOString(),
    data: {
      messageId: `msg_${v7()}`,
      numberId,
      to: '628123456789',
      chatType: 'personal',
      messageType: 'text',
      status: 'failed',
      errorMessage: 'For the bench.',
    },
  };
}

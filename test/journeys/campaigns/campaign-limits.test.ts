import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { type ArrivedMessage, Customer } from '../stage/customer.ts';
import { GatewayProcess } from '../stage/gateway-process.ts';

interface Campaign {
  campaignId: string;
  status: string;
  reason: string | null;
  waitingFor: { reason: string } | null;
  counts: Record<'recipients' | 'pending' | 'queued' | 'sent' | 'delivered' | 'failed' | 'cancelled', number>;
}

let gateway: GatewayProcess;
let customer: Customer;

beforeAll(async () => {
  gateway = await GatewayProcess.start({ FREE_PLAN_MESSAGES: '5000', CAMPAIGN_ARRIVAL_SECONDS: '5' });
  customer = await Customer.join(gateway);
});

afterAll(async () => {
  await customer?.leave();
  await gateway?.discard();
});

/** A campaign for so many people, who have its name as their label; started. */
async function started(
  name: string,
  phones: readonly string[],
  more: Record<string, unknown> = {},
): Promise<string> {
  const contacts = phones.map((phoneNumber) => ({ phoneNumber, labels: [name] }));
  await customer.admin('POST', '/v1/contacts/import', { contacts, consentSource: 'a fair' });
  const { campaignId } = await customer.admin<Campaign>('POST', '/v1/campaigns', {
    name,
    message: { text: 'Hello' },
    audience: { label: name, coldContacts: true },
    ...more,
  });
  await customer.admin('POST', `/v1/campaigns/${campaignId}/start`);
  return campaignId;
}

const phonesFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => String(first + index));

async function when(campaignId: string, what: string, holds: (campaign: Campaign) => boolean) {
  let seen: Campaign | null = null;
  const found = waitUntil(what, async () => {
    seen = await customer.admin<Campaign>('GET', `/v1/campaigns/${campaignId}`).catch(() => seen);
    return seen !== null && holds(seen) ? seen : null;
  });
  return found.catch((error) => {
    throw new Error(`${what}: ${JSON.stringify(seen)}`, { cause: error });
  });
}

const arrivedAt = async (prefix: string) => {
  const { data } = await customer.simulator<{ data: ArrivedMessage[] }>('GET', '/admin/messages');
  return data.filter(({ to }) => to.startsWith(prefix));
};

test('a campaign whose messages never arrive stops by itself, says why, and takes back what has not left', async () => {
  const phones = phonesFrom(15_558_000_000, 240);
  await Promise.all(phones.map((phone) => customer.scriptPhone({ autoDeliver: false }, phone)));
  const campaignId = await started('unheard', phones);
  const paused = await when(campaignId, 'It did not stop', ({ status }) => status === 'paused');
  expect(paused.reason).toBe('undelivered');
  const settled = await when(campaignId, 'Something is under way still', ({ counts }) => counts.queued === 0);
  const { sent, pending, delivered, failed } = settled.counts;
  // Fifty have to have had their time before it judges.
  expect(sent).toBeGreaterThanOrEqual(50);
  expect({ pending: pending > 0, delivered, failed, all: sent + pending }).toEqual({
    pending: true,
    delivered: 0,
    failed: 0,
    all: phones.length,
  });
  const arrived = await arrivedAt('15558');
  expect(new Set(arrived.map(({ to }) => to)).size).toBe(arrived.length);
  expect(arrived).toHaveLength(sent);
  const { data } = await customer.admin<{ data: { kind: string }[] }>('GET', '/v1/alerts');
  expect(data.map(({ kind }) => kind)).toContain('campaign.paused');
});

test('a campaign keeps to the warm-up of a new number, waits with the others, and goes on when more may leave', async () => {
  const pacing = { minDelayMs: 0, maxDelayMs: 0, warmUp: [15, 40] };
  const numberId = await customer.pairNumber(`${customer.phoneNumber.slice(0, -3)}999`);
  await customer.admin('PATCH', `/v1/numbers/${numberId}`, { pacing });
  const phones = phonesFrom(15_559_000_000, 40);
  const campaignId = await started('young', phones, { numberIds: [numberId] });
  const isFull = (sent: number) => (it: Campaign) =>
    it.waitingFor?.reason === 'daily_limit' && it.counts.queued === 0 && it.counts.sent >= sent;
  const waiting = await when(campaignId, 'It did not wait for the next day', isFull(15));
  expect(waiting).toMatchObject({ status: 'running', counts: { sent: 15, pending: 25, failed: 0 } });
  expect(await arrivedAt('15559')).toHaveLength(15);
  await customer.admin('PATCH', `/v1/numbers/${numberId}`, { pacing: { ...pacing, warmUp: [30, 40] } });
  const more = await when(campaignId, 'It did not go on', isFull(30));
  expect(more.counts).toMatchObject({ sent: 30, pending: 10, failed: 0 });
  await customer.admin('PATCH', `/v1/numbers/${numberId}`, { pacing: { ...pacing, warmUp: null } });
  const { counts } = await when(campaignId, 'It was not finished', ({ status }) => status === 'finished');
  expect(counts).toMatchObject({ recipients: 40, sent: 40, failed: 0, pending: 0 });
  const arrived = await arrivedAt('15559');
  expect(arrived.map(({ to }) => to).toSorted()).toEqual(phones);
});

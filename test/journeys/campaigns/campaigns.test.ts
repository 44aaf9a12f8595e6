import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { waitUntil } from '../../wait-until.ts';
import { type ArrivedMessage, Customer } from '../stage/customer.ts';
import type { GatewayProcess } from '../stage/gateway-process.ts';
import { test } from '../stage/workers-gateway.ts';

const recipientCount = 200;

interface Campaign {
  campaignId: string;
  status: string;
  reason: string | null;
  counts: Record<'recipients' | 'pending' | 'queued' | 'sent' | 'failed' | 'skipped' | 'cancelled', number>;
}
interface Recipient {
  phoneNumber: string;
  status: string;
  reason: string | null;
}

let gateway: GatewayProcess;
let customer: Customer;
const phones: string[] = [];
const numberIds: string[] = [];

test.beforeAll(async ({ gateway: workers }) => {
  gateway = workers;
  customer = await Customer.join(gateway);
  const { data } = await customer.admin<{ data: { id: string }[] }>('GET', '/v1/webhooks');
  await customer.admin('DELETE', `/v1/webhooks/${data[0]?.id}`);
  phones.push(customer.phoneNumber);
  numberIds.push(customer.numberId);
  for (let index = 1; index < 5; index += 1) {
    const phone = `${customer.phoneNumber.slice(0, -1)}${(Number(customer.phoneNumber.at(-1)) + index) % 10}`;
    numberIds.push(await customer.pairNumber(phone));
    phones.push(phone);
  }
});

afterAll(() => customer?.leave());

const recipients = Array.from({ length: recipientCount }, (_, index) => String(15_556_000_000 + index));

async function newCampaign(): Promise<string> {
  const contacts = recipients.map((phoneNumber, index) => ({ phoneNumber, name: `Person ${index}` }));
  await customer.admin('POST', '/v1/contacts/import', { contacts, consentSource: 'a fair' });
  const { campaignId } = await customer.admin<Campaign>('POST', '/v1/campaigns', {
    name: 'Spring',
    message: { text: 'Hello {{name}}' },
    audience: { all: true, coldContacts: true },
    // What a ban costs is told one by one, and is not what is tried here.
    stopAfterFailures: 1_000,
  });
  return campaignId;
}

const look = (campaignId: string) =>
  customer.admin<Campaign>('GET', `/v1/campaigns/${campaignId}`).catch(() => null);

const arrivals = async () =>
  (await customer.simulator<{ data: ArrivedMessage[] }>('GET', '/admin/messages')).data.filter(
    ({ from, to }) => phones.includes(from) && to.startsWith('15556'),
  );

async function allRecipients(campaignId: string): Promise<Recipient[]> {
  const all: Recipient[] = [];
  let cursor = '';
  for (;;) {
    const path = `/v1/campaigns/${campaignId}/recipients?limit=200${cursor}`;
    const page = await customer.admin<{ data: Recipient[]; nextCursor: string | null }>('GET', path);
    all.push(...page.data);
    if (page.nextCursor === null) return all;
    cursor = `&cursor=${page.nextCursor}`;
  }
}

test('a campaign over five numbers survives a ban, a lost link, kill -9 of the gateway and of the bridge, and a pause: each gets it once, or is named as failed', async () => {
  const campaignId = await newCampaign();
  await customer.admin('POST', `/v1/campaigns/${campaignId}/start`);
  const whenSent = (count: number) =>
    waitUntil(`Not ${count} were sent`, async () => {
      const campaign = await look(campaignId);
      return campaign !== null && campaign.counts.sent >= count ? true : null;
    });
  await whenSent(30);
  await customer.simulator('POST', `/admin/devices/${phones[0]}/ban`);
  await whenSent(60);
  await customer.simulator('POST', `/admin/devices/${phones[1]}/drop`);
  await gateway.killAndAwaitRestart('workerd');
  await whenSent(90);
  await gateway.killAndAwaitRestart('bridge');
  await whenSent(120);

  await waitUntil('It could not be paused', () =>
    customer.admin('POST', `/v1/campaigns/${campaignId}/pause`).then(
      () => true as const,
      () => null,
    ),
  );
  await waitUntil('What was under way has not left', async () =>
    (await look(campaignId))?.counts.queued === 0 ? true : null,
  );
  const atPause = (await arrivals()).length;
  await delay(3_000);
  expect(await arrivals()).toHaveLength(atPause);
  await customer.admin('POST', `/v1/campaigns/${campaignId}/resume`);

  const campaign = await waitUntil('It was not finished', async () => {
    const found = await look(campaignId);
    if (found?.status === 'paused') await customer.admin('POST', `/v1/campaigns/${campaignId}/resume`);
    return found?.status === 'finished' ? found : null;
  });
  const { recipients: all, sent, failed, pending, queued } = campaign.counts;
  expect({ all, pending, queued }).toEqual({ all: recipientCount, pending: 0, queued: 0 });
  expect(sent + failed).toBe(recipientCount);
  const arrived = await arrivals();
  expect(arrived.filter(({ count }) => count > 1)).toEqual([]);
  const reached = arrived.map(({ to }) => to);
  expect(new Set(reached).size).toBe(reached.length);
  for (const { phoneNumber, status, reason } of await allRecipients(campaignId)) {
    if (status === 'failed') expect(reason).toBe('unknown_outcome');
    else expect(reached).toContain(phoneNumber);
  }
  // Only what was with the banned number, or under way in a crash, may be in doubt.
  expect(failed).toBeLessThan(60);
});

/** A campaign of its own for so many phones, of which some do something, over one number; how it is once it stopped. */
async function stopped(
  name: string,
  script: (index: number) => Record<string, unknown> | null,
  more: { number: number; stopAfterFailures?: number },
): Promise<Campaign> {
  const count = 60;
  const contacts = Array.from({ length: count }, (_, index) => ({
    phoneNumber: String(15_557_000_000 + more.number * 100_000 + name.length * 1_000 + index),
    labels: [name],
  }));
  for (const [index, { phoneNumber }] of contacts.entries()) {
    const scripted = script(index);
    if (scripted !== null) await customer.scriptPhone(scripted, phoneNumber);
  }
  await customer.admin('POST', '/v1/contacts/import', { contacts, consentSource: 'a fair' });
  const { campaignId } = await customer.admin<Campaign>('POST', '/v1/campaigns', {
    name,
    message: { text: 'Hello' },
    audience: { label: name, coldContacts: true },
    numberIds: [numberIds[more.number]],
    stopAfterFailures: more.stopAfterFailures ?? 1_000,
  });
  await customer.admin('POST', `/v1/campaigns/${campaignId}/start`);
  const campaign = await waitUntil(`The campaign ${name} did not stop`, async () => {
    const found = await look(campaignId);
    return found?.status === 'paused' ? found : null;
  });
  expect(campaign.counts.recipients).toBe(count);
  return campaign;
}

test('a campaign stops by itself at a restriction of the network, at failures, at a rise of them, and when people opt out', async () => {
  const [restricted, failing, rising, unwanted] = await Promise.all([
    stopped('restricted', (index) => (index === 8 ? { rejectWith: '463' } : null), { number: 2 }),
    stopped('failing', (index) => (index % 3 === 0 ? { rejectWith: '404' } : null), {
      number: 3,
      stopAfterFailures: 4,
    }),
    stopped('rising', (index) => (index % 2 === 0 ? { rejectWith: '404' } : null), { number: 3 }),
    stopped('unwanted', () => ({ autoDeliver: true, replyWith: 'STOP' }), { number: 4 }),
  ]);
  expect(restricted).toMatchObject({ reason: 'network_restricted', counts: { failed: 1 } });
  expect(failing.reason).toBe('failures');
  expect(failing.counts.failed).toBeGreaterThanOrEqual(4);
  expect(rising.reason).toBe('failure_rate');
  expect(unwanted.reason).toBe('opt_outs');
  const { kind } = await waitUntil('No alert was raised', async () => {
    const { data } = await customer.admin<{ data: { kind: string }[] }>('GET', '/v1/alerts');
    const own = data.filter((alert) => alert.kind === 'campaign.paused');
    return own.length >= 4 ? (own[0] ?? null) : null;
  });
  expect(kind).toBe('campaign.paused');
});

test('a file of contacts that is being read when the gateway is killed is read on: everybody is there once, and the counts are right', async () => {
  const rows = 25_000;
  const refusedEvery = 500;
  const lines = Array.from({ length: rows }, (_, index) =>
    (index + 1) % refusedEvery === 0 ? `12,Nobody ${index}` : `+62 811-${10_000_000 + index},Person ${index}`,
  );
  const { importId } = await customer.upload<{ importId: string }>(
    '/v1/contacts/import?consentSource=fair',
    ['Phone,Name', ...lines].join('\r\n'),
  );
  interface Import {
    status: string;
    rows: number;
    created: number;
    updated: number;
    refusedCount: number;
  }
  const look = () => customer.admin<Import>('GET', `/v1/contacts/imports/${importId}`).catch(() => null);
  const whenRead = (count: number) =>
    waitUntil(`Not ${count} rows were read`, async () =>
      ((await look())?.rows ?? 0) >= count ? true : null,
    );
  await whenRead(1);
  await gateway.killAndAwaitRestart('workerd');
  await whenRead(rows * 0.6);
  await gateway.killAndAwaitRestart('workerd');
  const done = await waitUntil('The file was not read to its end', async () => {
    const found = await look();
    return found?.status === 'finished' ? found : null;
  });
  const refused = rows / refusedEvery;
  expect(done).toMatchObject({ rows, created: rows - refused, updated: 0, refusedCount: refused });
  const file = await customer.download('/v1/contacts/export?country=ID');
  const numbers = file.split('\r\n').flatMap((line) => /\b62811\d{8}\b/.exec(line)?.[0] ?? []);
  expect(numbers).toHaveLength(rows - refused);
  expect(new Set(numbers).size).toBe(numbers.length);
  const named = await customer.download(`/v1/contacts/imports/${importId}/refused`);
  expect(named.match(/Nobody \d+/g)).toHaveLength(refused);
});

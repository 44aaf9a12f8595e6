import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, expect } from 'vitest';
import { waitUntil } from '../wait-until.ts';
import { type AcceptedMessage, type ArrivedMessage, Customer } from './stage/customer.ts';
import { test } from './stage/workers-gateway.ts';

/*
 * Five numbers, each paced and with a daily limit, send four hundred messages, while the network bans the first, its owner
 * unlinks the second, the link of the third is away for ten seconds, and the acknowledgements of the fourth come late.
 */

const sendCount = 420;
const recipientCount = 120;
/** So many are accepted before anything is lost. */
const calmCount = 150;
/** Where it is about noon: the day of the limits does not end in the middle of the test. `Etc/GMT-3` is three hours ahead. */
const hoursAhead = 12 - new Date().getUTCHours();
const timeZone = `Etc/GMT${hoursAhead < 0 ? '+' : '-'}${Math.abs(hoursAhead)}`;
// Two of them have to carry nearly everything while the link of the third is away.
const pacing = { minDelayMs: 60, maxDelayMs: 120, dailyLimit: 250, timeZone };
const linkDownMs = 10_000;
/** Messages that a number may have under way at a time: `inFlightMax` in src/durable/phone-number/pacing/pacing.ts. */
const underWayMax = 32;

interface MessageRecord {
  messageId: string;
  status: string;
  numberId: string;
  errorMessage: string | null;
  sentAt: string | null;
  heldReason?: string | null;
}
interface Sender {
  numberId: string;
  phone: string;
}
type Five = [Sender, Sender, Sender, Sender, Sender];

let customer: Customer;
let senders: Five;

test.beforeAll(async ({ gateway }) => {
  customer = await Customer.join(gateway);
  await listenToDevicesOnly();
  // So that every message is a matter of the rotation.
  await customer.admin('PATCH', '/v1/settings', { stickyHours: 0 });
  const paired: Sender[] = [{ numberId: customer.numberId, phone: customer.phoneNumber }];
  for (let index = 1; index < 5; index += 1) {
    const phone = `${customer.phoneNumber.slice(0, -1)}${(Number(customer.phoneNumber.at(-1)) + index) % 10}`;
    paired.push({ numberId: await customer.pairNumber(phone), phone });
  }
  senders = paired as Five;
  for (const { numberId } of senders) await pace(numberId, pacing);
  await faults(senders[3], { ackDelayMs: 2_000 });
});

afterAll(() => customer?.leave());

const pace = (numberId: string, changes: Partial<typeof pacing>) =>
  customer.admin('PATCH', `/v1/numbers/${numberId}`, { pacing: changes });
const faults = ({ phone }: Sender, some: Record<string, unknown>) =>
  customer.simulator('PATCH', `/admin/devices/${phone}`, some);

/** So many messages make four times as many events: this test follows the messages by their records. */
async function listenToDevicesOnly(): Promise<void> {
  const { data } = await customer.admin<{ data: { id: string }[] }>('GET', '/v1/webhooks');
  await customer.admin('PATCH', `/v1/webhooks/${data[0]?.id}`, {
    events: ['device.disconnected', 'device.logged_out'],
  });
}

/** Sends one text after the other, sixteen at a time; `step` is told how many have been accepted. */
async function sendAll(step: (accepted: number) => void): Promise<AcceptedMessage[]> {
  const accepted: AcceptedMessage[] = [];
  let next = 0;
  const run = async () => {
    for (let index = next++; index < sendCount; index = next++) {
      const to = String(15_550_000_000 + (index % recipientCount));
      accepted.push(await customer.send(`text ${index}`, to));
      step(accepted.length);
    }
  };
  await Promise.all(Array.from({ length: 16 }, run));
  return accepted;
}

/** Sends texts with a key that is pinned to the number; their message ids. */
async function sendThrough({ numberId }: Sender, texts: string[]): Promise<string[]> {
  const pinned = { name: 'Pinned', pinnedNumberId: numberId };
  const { key } = await customer.admin<{ key: string }>('POST', '/v1/auth/api-keys', pinned);
  return Promise.all(
    texts.map(async (text) => {
      const response = await customer.sendOnce({ to: customer.recipient, text }, text, key);
      expect(response.status).toBe(202);
      return ((await response.json()) as { messageId: string }).messageId;
    }),
  );
}

/** Every record, once no message waits any more. */
async function recordsAtTheEnd(): Promise<Map<string, MessageRecord>> {
  await waitUntil('Some messages still wait', async () => {
    const { data } = await customer.get<{ data: MessageRecord[] }>('/v1/messages?status=queued&limit=1');
    if (data.length === 0) return true;
    await delay(200);
    return null;
  });
  const records = new Map<string, MessageRecord>();
  let path = '/v1/messages?limit=200';
  for (;;) {
    const { data, nextCursor } = await customer.get<{ data: MessageRecord[]; nextCursor: string | null }>(
      path,
    );
    for (const record of data) records.set(record.messageId, record);
    if (nextCursor === null) return records;
    path = `/v1/messages?limit=200&cursor=${nextCursor}`;
  }
}

/** When the customer was told that a number is lost; milliseconds since 1970. */
function lostAt({ numberId }: Sender): number {
  const told = customer.receiver.callbacks.find(
    ({ event, data }) => event === 'device.logged_out' && data.numberId === numberId,
  );
  return Date.parse(told?.timestamp ?? '');
}

test('a pool survives a ban, a logout, a lost link and slow acknowledgements: every message once, none too fast, none over its limit', async () => {
  const [banned, unlinked, away, slow, spared] = senders;
  const lose = async ({ phone }: Sender, how: 'ban' | 'logout') => {
    await waitUntil('It has sent nothing yet', async () => {
      const { data } = await customer.simulator<{ data: ArrivedMessage[] }>('GET', '/admin/messages');
      return data.some(({ from }) => from === phone) || null;
    });
    await customer.simulator('POST', `/admin/devices/${phone}/${how}`);
  };
  const steps: [number, () => Promise<unknown>][] = [
    [calmCount, () => lose(banned, 'ban')],
    [calmCount + 50, () => lose(unlinked, 'logout')],
    [
      calmCount + 90,
      async () => {
        await faults(away, { refuseConnections: true });
        await delay(linkDownMs);
        await faults(away, { refuseConnections: false });
      },
    ],
  ];
  const happened: Promise<unknown>[] = [];
  const accepted = await sendAll((count) => {
    for (const step of steps.splice(0)) {
      if (count >= step[0]) happened.push(step[1]());
      else steps.push(step);
    }
  });
  await Promise.all(happened);
  const records = await recordsAtTheEnd();
  const { data } = await customer.simulator<{ data: ArrivedMessage[] }>('GET', '/admin/messages');
  const arrivals = data.filter(({ from }) => senders.some(({ phone }) => phone === from));
  const arrivalsOf = new Map<string, ArrivedMessage[]>();
  for (const arrival of arrivals) {
    arrivalsOf.set(arrival.text, [...(arrivalsOf.get(arrival.text) ?? []), arrival]);
  }
  const leftBy = ({ phone }: Sender) => arrivals.filter(({ from }) => from === phone);

  // Each message is on the network once. What was under way in the very moment of a loss may not be: nobody can know,
  // and the customer is told so.
  expect(new Set(accepted.map(({ messageId }) => messageId)).size).toBe(sendCount);
  const unknownOf = new Map([banned, unlinked].map(({ numberId }) => [numberId, 0]));
  for (const { messageId, text } of accepted) {
    const record = records.get(messageId);
    const found = arrivalsOf.get(text) ?? [];
    if (record?.status === 'failed') {
      expect(record.errorMessage).toContain('whether it arrived is not known');
      expect([...unknownOf.keys()]).toContain(record.numberId);
      expect(found.length).toBeLessThanOrEqual(1);
      unknownOf.set(record.numberId, (unknownOf.get(record.numberId) ?? 0) + 1);
    } else {
      expect(record?.sentAt, text).not.toBeNull();
      expect(
        found.map(({ count }) => count),
        text,
      ).toEqual([1]);
    }
  }
  for (const count of unknownOf.values()) expect(count).toBeLessThanOrEqual(underWayMax);

  // Nothing leaves through a number that is known to be lost.
  for (const lost of [banned, unlinked]) {
    const knownAt = await waitUntil('The loss was not told', async () => lostAt(lost) || null);
    const late = [...records.values()].filter(
      ({ numberId, sentAt }) => numberId === lost.numberId && Date.parse(sentAt ?? '') > knownAt,
    );
    expect(late).toEqual([]);
    expect(leftBy(lost).length).toBeGreaterThan(0);
  }

  // Each kept its pauses and its limit.
  for (const sender of senders) {
    const times = leftBy(sender).map(({ at }) => Date.parse(at));
    expect(times.length).toBeLessThanOrEqual(pacing.dailyLimit);
    // The first one may have taken its time on the way. One that was lost early may have sent no other.
    const atLeastMs = (times.length - 1) * pacing.minDelayMs * 0.9;
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(atLeastMs);
  }

  // While all five were up, each got its share; afterwards those that stayed up got theirs.
  const share = (messages: AcceptedMessage[], { numberId }: Sender) =>
    messages.filter((message) => message.numberId === numberId).length / messages.length;
  for (const sender of senders) {
    // They are answered in a slightly different order than they were given out.
    expect(share(accepted.slice(0, calmCount), sender)).toBeGreaterThan(0.17);
    expect(share(accepted.slice(0, calmCount), sender)).toBeLessThan(0.23);
  }
  const last = accepted.slice(-120);
  for (const sender of [slow, spared]) expect(share(last, sender)).toBeGreaterThan(0.3);

  // With room for five more today, exactly five more leave, and the others say what they wait for.
  await pace(spared.numberId, { dailyLimit: leftBy(spared).length + 5 });
  const extra = await sendThrough(
    spared,
    Array.from({ length: 10 }, (_, index) => `extra ${index}`),
  );
  const held = await waitUntil('Five of them do not leave', async () => {
    const all = await Promise.all(extra.map((id) => customer.get<MessageRecord>(`/v1/messages/${id}`)));
    const waiting = all.filter(({ status }) => status === 'queued');
    return waiting.length === 5 ? waiting : null;
  });
  expect(new Set(held.map(({ heldReason }) => heldReason))).toEqual(new Set(['daily_limit']));
});

import { setTimeout as delay } from 'node:timers/promises';
import { requestJson } from '../../src/local/json-client.ts';
import { waitUntil } from '../../src/local/wait-until.ts';
import { type CostLine, costSheet, sumOf, type Usage, unitsOf } from '../cost/cost-sheet.ts';
import { sumOfTallies, type Tally } from '../meter/tally.ts';
import type { BenchLine, Figure } from '../runner/line.ts';
import { shown, table } from '../runner/tables.ts';
import { BenchCustomer } from '../stage/customer.ts';
import { type BenchGateway, scriptPhone, withGateway } from '../stage/gateway.ts';
import { type Kept, type ObjectName, rowsAdded, takeMeter, whatIsKept } from '../stage/meter-client.ts';
import { type Receivers, startReceivers } from '../stage/receivers.ts';
import { cpuMsOf } from '../stage/workerd-cpu.ts';

const usdPerMillionMax = { alone: 25, stream: 17 };
const eventsAMessage = 4;
const eventRows = 'EventLog events';
const million = 1e6;
const secondsAMonth = 30 * 24 * 60 * 60;
/** Alarms that messages leave behind come within this time. */
const settleMs = { alone: 65_000, stream: 17_000 };
/** Cost is not about speed: a busy machine only takes longer. */
const arriveWithinMs = 90_000;

const alone = { customers: 3, staggerMs: 350, ackDelayMs: 1000, phoneDelayMs: 2000, afterSearchMs: 1500 };
const stream = { numbers: 4, recipients: 200, perSecond: 50, seconds: 10 };
const unpaced = { minDelayMs: 0, maxDelayMs: 0 };

export const line: BenchLine = {
  name: 'cost',
  question:
    'What does a million messages cost, each with four events and one webhook, by what the runtime itself counts and the price list?',
  leftOut:
    'Included amounts, storage, logs, the cron, and what a number costs without any message; the leases of the bridges have a ' +
    'figure of their own. CPU is all of ' +
    'workerd, with what it simulates: too high. Duration is measured where every call and receiver is near: too low.',
  async run({ log }) {
    return withGateway({ around: 'meter' }, async (gateway) => {
      const receivers = await startReceivers();
      try {
        // First of all, so that what their sessions and first messages leave behind is over when messages alone are looked at.
        const senders = await prepareAlone(gateway, receivers);
        const isOver = delay(settleMs.alone);
        const streamed = await costOfStream(gateway, receivers);
        await isOver;
        const single = await costAlone(gateway, receivers, senders);
        log(`One message alone, to a known recipient: ${inWords(single)}`);
        show(single, log);
        log(
          `${stream.perSecond} messages a second over ${stream.numbers} numbers, ${stream.perSecond * stream.seconds} in all, ` +
            `to ${stream.recipients} new recipients: ${inWords(streamed)}`,
        );
        show(streamed, log);
        return [
          ...figuresOf('alone', single, usdPerMillionMax.alone),
          ...figuresOf(`at ${stream.perSecond}/s`, streamed, usdPerMillionMax.stream),
          fleetFigure(single.fleetUsdAMonth),
        ];
      } finally {
        receivers.close();
      }
    });
  },
};

/** What a message costs, and what it leaves behind. */
interface Cost {
  lines: CostLine[];
  /** Bytes in the log, until they are archived. */
  logBytes: number;
  /** What the fleet's clock costs, whether or not anybody sends. */
  fleetUsdAMonth: number;
}

interface LoneSender {
  customer: BenchCustomer;
  numberId: string;
  recipient: string;
}

/** Customers that share nothing, each with a number and a recipient that it has written to. */
async function prepareAlone(gateway: BenchGateway, receivers: Receivers): Promise<LoneSender[]> {
  const { edge, network, secrets } = gateway;
  const senders: LoneSender[] = [];
  for (let index = 0; index < alone.customers; index += 1) {
    const customer = await BenchCustomer.join(edge.url, secrets);
    const numberId = await customer.pairNumber(network.adminUrl, `62812000010${index}`, unpaced);
    await customer.addWebhook(receivers.url);
    const recipient = `1555000010${index}`;
    await scriptPhone(network, recipient, { autoDeliver: true, autoRead: true });
    await customer.send(recipient, 'The first one makes the session.');
    await scriptPhone(network, recipient, { delayMs: alone.phoneDelayMs });
    senders.push({ customer, numberId, recipient });
  }
  await eventsArrived(receivers, alone.customers);
  return senders;
}

/** One message of each lone sender, so that no two steps of any fall together. */
async function costAlone(
  gateway: BenchGateway,
  receivers: Receivers,
  senders: readonly LoneSender[],
): Promise<Cost> {
  const { edge, network } = gateway;
  await requestJson(network.adminUrl, 'PATCH', '/admin/network', { body: { ackDelayMs: alone.ackDelayMs } });
  const objects = senders.flatMap(({ customer, numberId }) => objectsOf(customer, [numberId]));
  const customers = senders.map(({ customer }) => customer);
  await indexingOf(edge, customers);
  // A key's last use is noted once a second: the searches are not to spare the messages that.
  await delay(alone.afterSearchMs);
  const before = await whatIsKept(edge, objects);
  await takeMeter(edge);
  const startedAt = performance.now();
  receivers.arrivals.length = 0;
  for (const { customer, recipient } of senders) {
    await customer.send(recipient, 'Your order has left our house.');
    await delay(alone.staggerMs);
  }
  await eventsArrived(receivers, senders.length);
  await delay(settleMs.alone);
  const { tally: seen } = await takeMeter(edge);
  const seconds = (performance.now() - startedAt) / 1000;
  const tally = sumOfTallies(seen, await indexingOf(edge, customers));
  const after = await whatIsKept(edge, objects);
  // Events went into the rows of the first messages, since that was within the hour. Of one that is alone they have a row.
  const ownRows = senders.length;
  before.rows[eventRows] = Math.min(before.rows[eventRows] ?? 0, (after.rows[eventRows] ?? 0) - ownRows);
  return costOf({ tally, messages: senders.length, cpuMs: null, seconds }, before, after);
}

/** A steady stream from one account; each recipient is new and gets some messages. */
async function costOfStream(gateway: BenchGateway, receivers: Receivers): Promise<Cost> {
  const { edge, network, secrets } = gateway;
  const customer = await BenchCustomer.join(edge.url, secrets);
  const numberIds = [];
  for (let index = 0; index < stream.numbers; index += 1) {
    numberIds.push(await customer.pairNumber(network.adminUrl, `62812000020${index}`, unpaced));
  }
  await customer.addWebhook(receivers.url);
  const recipients = Array.from({ length: stream.recipients }, (_, index) => String(15550020000 + index));
  for (const phone of recipients) await scriptPhone(network, phone, { autoDeliver: true, autoRead: true });
  const objects = objectsOf(customer, numberIds);
  const before = await whatIsKept(edge, objects);
  await takeMeter(edge);
  receivers.arrivals.length = 0;
  const cpuBefore = cpuMsOf(edge.workerdPid);
  const messages = stream.perSecond * stream.seconds;
  const startedAt = performance.now();
  const sends = [];
  for (let index = 0; index < messages; index += 1) {
    await delay(Math.max(0, startedAt + (index * 1000) / stream.perSecond - performance.now()));
    sends.push(customer.send(recipients[index % recipients.length] ?? '', `Your code is ${index}.`));
  }
  await Promise.all(sends);
  await eventsArrived(receivers, messages);
  const cpuAfter = cpuMsOf(edge.workerdPid);
  await delay(settleMs.stream);
  const { tally: seen } = await takeMeter(edge);
  const tally = sumOfTallies(seen, await indexingOf(edge, [customer]));
  const cpuMs = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  const seconds = (performance.now() - startedAt) / 1000;
  return costOf({ tally, messages, cpuMs, seconds }, before, await whatIsKept(edge, objects));
}

/** Words are indexed some hundreds at a time, or before somebody searches: what that writes, and nothing else of a search. */
async function indexingOf(edge: BenchGateway['edge'], customers: readonly BenchCustomer[]): Promise<Tally> {
  await takeMeter(edge);
  for (const customer of customers) await customer.search('anything');
  const { tally } = await takeMeter(edge);
  const isIndexing = (key: string) => /^(rows|statements)\|EventLog\|message_terms_/.test(key);
  return Object.fromEntries(Object.entries(tally).filter(([key]) => isIndexing(key)));
}

function costOf(seen: Omit<Usage, 'left'> & { seconds: number }, before: Kept, after: Kept): Cost {
  const { messages, seconds } = seen;
  const logBytes = ((after.bytes.EventLog ?? 0) - (before.bytes.EventLog ?? 0)) / messages;
  const lines = costSheet({ ...seen, left: rowsAdded(before, after) });
  const isOfFleet = ({ meter }: CostLine) => meter.endsWith(', BridgeFleet');
  const fleetUsd = (sumOf(lines.filter(isOfFleet)) * messages) / million;
  return {
    lines: lines.filter((line) => !isOfFleet(line)),
    logBytes,
    fleetUsdAMonth: (fleetUsd / seconds) * secondsAMonth,
  };
}

const objectsOf = ({ accountId }: BenchCustomer, numberIds: readonly string[]): ObjectName[] => [
  { className: 'Account', name: accountId },
  { className: 'EventLog', name: accountId },
  ...numberIds.map((name) => ({ className: 'PhoneNumber' as const, name })),
];

/** Waits until each message's four events have arrived; events of devices come beside them. */
async function eventsArrived(receivers: Receivers, messages: number): Promise<void> {
  const expected = messages * eventsAMessage;
  await waitUntil(`${expected} callbacks did not arrive`, arriveWithinMs, async () => {
    const about = receivers.arrivals.filter(({ data }) => data.messageId !== undefined);
    return new Set(about.map(({ id }) => id)).size >= expected ? true : null;
  });
}

const inWords = ({ lines }: Cost) => `$${sumOf(lines).toFixed(2)} per million messages`;

function show({ lines }: Cost, log: (text: string) => void): void {
  const rows = lines
    .filter(({ usdPerMillion }) => usdPerMillion >= 0.01)
    .map(({ meter, of, each, usdPerMillion }) => [meter, of, shown(each), usdPerMillion.toFixed(2)]);
  for (const row of table(['meter', 'of', 'a message', '$ / million'], rows).split('\n')) log(`  ${row}`);
}

const fleetFigure = (usdAMonth: number): Figure => ({
  name: 'the fleet, with or without messages',
  unit: '$ a month',
  ours: usdAMonth,
  target: null,
  rounds: { ours: [usdAMonth] },
});

function figuresOf(setting: string, { lines, logBytes }: Cost, atMost: number): Figure[] {
  const figure = (name: string, unit: string, ours: number, more: Partial<Figure> = {}): Figure => ({
    name: `${name}, ${setting}`,
    unit,
    ours,
    target: null,
    rounds: { ours: [ours] },
    ...more,
  });
  const alarms = lines
    .filter(({ of }) => of.startsWith('setAlarm'))
    .reduce((total, { each }) => total + each, 0);
  return [
    figure('cost', '$ / million', sumOf(lines), { target: { of: 'ours', atMost }, details: { lines } }),
    figure(
      'rows written by objects',
      'a message',
      unitsOf(lines, 'Rows written') -
        unitsOf(lines, 'Rows written, D1') -
        unitsOf(lines, 'Rows written, later'),
    ),
    figure('rows written by D1', 'a message', unitsOf(lines, 'Rows written, D1')),
    figure('rows to delete later', 'a message', unitsOf(lines, 'Rows written, later')),
    figure(
      'object requests',
      'a message',
      unitsOf(lines, 'Object requests') + unitsOf(lines, 'WebSocket frames in'),
    ),
    figure('alarms set', 'a message', alarms),
    figure('queue operations', 'a message', unitsOf(lines, 'Queue operations')),
    figure('WebSocket frames received', 'a message', unitsOf(lines, 'WebSocket frames in') * 20),
    figure('WebSocket frames sent', 'a message', unitsOf(lines, 'WebSocket frames out')),
    figure('Worker requests', 'a message', unitsOf(lines, 'Worker requests')),
    figure('bytes kept in the log', 'a message', logBytes),
  ];
}

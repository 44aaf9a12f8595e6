import { platformLimits as limits } from './platform-limits.ts';
import { prices } from './prices.ts';

/** What one message (four events, one webhook) takes, as measured. */
export interface Measured {
  /** Bytes in D1 of a message's row, and of its four deliveries in packs of the least favourable size. */
  messageBytes: number;
  deliveriesBytes: number;
  /** Dollars a million messages, at a steady stream and one by one. */
  usdPerMillion: { stream: number; alone: number };
  /** Rows written in D1. */
  d1Rows: { stream: number; alone: number };
  /** Requests that write in the number's object: the hand-over, frames of the bridge, confirmations. */
  numberRequests: { stream: number; alone: number };
  /** Bytes of a bridge's memory for each number. */
  bridgeBytesPerNumber: number;
}

/** One thing that gives way, and when. */
export interface Ceiling {
  what: string;
  /** Messages a second at which it does, for everything that shares it. */
  perSecond: { least: number; most: number };
  shares: 'an account' | 'a number' | 'a deployment' | 'a database';
  way: string;
}

/** How long a message stays in the object of its number, and a delivery in the log. */
export const keptDays = { inObject: 30, deliveries: 30 };
const daySeconds = 86_400;
const eventsAMessage = 4;

/** What gives way first comes first. */
export function ceilings(measured: Measured): Ceiling[] {
  const { d1Rows, numberRequests } = measured;
  const { least, most } = limits.objectWritesPerSecond;
  const inFlight = limits.consumerInvocations * limits.connectionsPerInvocation;
  const all: Ceiling[] = [
    {
      what: 'the object of a number: requests that write',
      shares: 'a number',
      perSecond: { least: least / numberRequests.alone, most: most / numberRequests.stream },
      way: 'another number: the pool spreads the load, and the network itself is slower than this',
    },
    {
      what: 'the object of an account: one write a send',
      shares: 'an account',
      perSecond: { least, most },
      way: 'a second account; then quota by shares, lent to several admission objects of one account',
    },
    {
      what: 'D1: one statement at a time, a millisecond each, one a row',
      shares: 'a database',
      perSecond: {
        least: limits.d1StatementsPerSecond / d1Rows.alone,
        most: limits.d1StatementsPerSecond / d1Rows.stream,
      },
      way: 'a database for each range of accounts (the account stands in every key)',
    },
    {
      what: 'the queue of events, where all go through it: a message each, to four in one',
      shares: 'a deployment',
      perSecond: {
        least: limits.queueMessagesPerSecond / eventsAMessage,
        most: limits.queueMessagesPerSecond,
      },
      way: 'several event queues, chosen by the account',
    },
    {
      what: 'callbacks under way: 10 s each (every receiver hangs) to 100 ms each',
      shares: 'a deployment',
      perSecond: { least: inFlight / 10 / eventsAMessage, most: inFlight / 0.1 / eventsAMessage },
      way: 'more queues; a receiver that hangs has left the events queue after a second, and is off after 25 attempts',
    },
  ];
  return all.sort((a, b) => a.perSecond.most - b.perSecond.most);
}

/** Days until one database is full, at so many messages a second around the clock. `keptMonths`: null for ever. */
export function daysUntilFull(
  measured: Measured,
  messagesPerSecond: number,
  keptMonths: number | null,
): number | null {
  const perDay = messagesPerSecond * daySeconds;
  const forDeliveries = perDay * measured.deliveriesBytes * keptDays.deliveries;
  const left = limits.d1Bytes - forDeliveries;
  if (left <= 0) return limits.d1Bytes / (perDay * (measured.deliveriesBytes + measured.messageBytes));
  const days = left / (perDay * measured.messageBytes);
  return keptMonths !== null && days > keptMonths * 30.4 ? null : days;
}

/** Databases that hold all messages of so many months and the log of deliveries. */
export function databasesFor(measured: Measured, messagesPerMonth: number, keptMonths: number): number {
  const perDay = messagesPerMonth / 30.4;
  const bytes =
    messagesPerMonth * keptMonths * measured.messageBytes +
    perDay * keptDays.deliveries * measured.deliveriesBytes;
  return Math.ceil(bytes / limits.d1Bytes);
}

/** Included each month in the $5: what the price list gives before it counts (rows of objects and of D1 each). */
const included = { usd: 5 };
const d1GbMonthUsd = 0.75;
const d1IncludedGb = 5;

/** Dollars a month: every message at the marginal price, and what is stored. Included amounts are left out. */
export function usdPerMonth(measured: Measured, messagesPerMonth: number, keptMonths: number): number {
  const perMessage = measured.usdPerMillion.stream / 1e6;
  const storedGb =
    (messagesPerMonth * keptMonths * measured.messageBytes + messagesPerMonth * measured.deliveriesBytes) /
    1e9;
  return included.usd + messagesPerMonth * perMessage + Math.max(0, storedGb - d1IncludedGb) * d1GbMonthUsd;
}

/** Dollars a month of an object that never sleeps: what a stray timer in each number would cost. */
export const usdOfSleeplessObject = 30 * daySeconds * prices.objectGb * prices.objectGbSecond;

/** Bridges of so many bytes of memory for so many numbers, one spare. */
export function bridgesFor(measured: Measured, numbers: number, bridgeBytes: number): number {
  return Math.ceil((numbers * measured.bridgeBytesPerNumber) / bridgeBytes) + 1;
}

import type { Tally } from '../meter/tally.ts';
import { prices } from './prices.ts';

/** One line of the sum. */
export interface CostLine {
  /** The meter of the price list: `Rows written, PhoneNumber`. */
  meter: string;
  /** What of it: a table and a verb, a method, a queue. */
  of: string;
  /** Units for one message. */
  each: number;
  /** US dollars for a million messages. */
  usdPerMillion: number;
}

/** What was seen of a number of messages. */
export interface Usage {
  tally: Tally;
  messages: number;
  /** CPU of all of workerd, milliseconds; null where it cannot be told from what else it did. */
  cpuMs: number | null;
  /** Rows that the messages have left behind, by place and table: deleted one day, each or with their table. */
  left: Record<string, number>;
}

const million = 1e6;

/** Tables that are dropped whole when their time is over, which writes no row. */
const droppedWhole = /^(Account idempotency|EventLog outcomes)_\d+$/;

/** The sum for one message, line by line, dearest first. */
export function costSheet({ tally, messages, cpuMs, left }: Usage): CostLine[] {
  const lines: CostLine[] = [];
  const add = (meter: string, of: string, quantity: number, price: number) => {
    const each = quantity / messages;
    lines.push({ meter, of, each, usdPerMillion: each * price * million });
  };
  for (const [key, quantity] of Object.entries(tally)) {
    const [counted, place = '', ...rest] = key.split('|');
    if (counted === 'rows')
      add(`Rows written, ${place}`, rest.toReversed().join(' '), quantity, prices.rowWritten);
    if (counted === 'rowsRead') add('Rows read', place, quantity, prices.rowRead);
    if (counted === 'request')
      add(`Object requests, ${place}`, rest.join(' '), quantity, prices.objectRequest);
    if (counted === 'frameIn') {
      add('WebSocket frames in / 20', place, quantity / prices.framesAnObjectRequest, prices.objectRequest);
    }
    // Calls of service bindings are free.
    if (counted === 'bindingCall') add('Service binding calls', `${place} ${rest.join(' ')}`, quantity, 0);
    if (counted === 'frameOut') add('WebSocket frames out', 'free', quantity, 0);
    if (counted === 'activeMs') {
      add('Object duration, GB-s', place, (quantity / 1000) * prices.objectGb, prices.objectGbSecond);
    }
    if (counted === 'queueWrite') add(`Queue operations, ${place}`, 'write', quantity, prices.queueOperation);
    if (counted === 'queueRead') add(`Queue operations, ${place}`, 'read', quantity, prices.queueOperation);
    if (counted === 'queueDelete')
      add(`Queue operations, ${place}`, 'delete', quantity, prices.queueOperation);
    if (counted === 'bucketWrite') add(`R2 writes, ${place}`, rest.join(' '), quantity, prices.bucketWrite);
    if (counted === 'bucketRead') add(`R2 reads, ${place}`, rest.join(' '), quantity, prices.bucketRead);
    if (counted === 'invocation')
      add('Worker requests', `${place} ${rest.join(' ')}`, quantity, prices.workerRequest);
  }
  for (const [table, rows] of Object.entries(left)) {
    if (droppedWhole.test(table)) continue;
    add('Rows written, later deletion', table, rows, prices.rowWritten);
  }
  if (cpuMs !== null) add('Worker CPU, ms (all of workerd)', '', cpuMs, prices.workerCpuMs);
  return lines.sort((a, b) => b.usdPerMillion - a.usdPerMillion);
}

/** Dollars for a million messages. */
export const sumOf = (lines: readonly CostLine[]): number =>
  lines.reduce((sum, { usdPerMillion }) => sum + usdPerMillion, 0);

/** Units for one message of the lines whose meter begins so. */
export const unitsOf = (lines: readonly CostLine[], meter: string): number =>
  lines.filter((line) => line.meter.startsWith(meter)).reduce((sum, { each }) => sum + each, 0);

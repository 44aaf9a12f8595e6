import { expect, test } from 'vitest';
import {
  bridgesFor,
  ceilings,
  databasesFor,
  daysUntilFull,
  type Measured,
} from '../../../bench/scaling-model.ts';

const measured: Measured = {
  messageBytes: 400,
  deliveriesBytes: 3_000,
  usdPerMillion: { stream: 20, alone: 40 },
  d1Rows: { stream: 2, alone: 8 },
  numberRequests: { stream: 2, alone: 6 },
  bridgeBytesPerNumber: 2 ** 20,
};
const messagesADay = 86_400;

test('a database that keeps everything is full when messages and the log of thirty days have filled its 10 GB', () => {
  const days = daysUntilFull(measured, 1, null) ?? Number.NaN;
  const bytes = messagesADay * (days * measured.messageBytes + 30 * measured.deliveriesBytes);
  expect(bytes / 10e9).toBeCloseTo(1);
});

test('a database from which messages go before it is full never is', () => {
  expect(daysUntilFull(measured, 0.1, 3)).toBeNull();
  expect(daysUntilFull(measured, 100, 3)).toBeLessThan(3 * 30.4);
});

test('where the log alone is more than a database holds, it is full before the log is as old as it may be', () => {
  const days = daysUntilFull(measured, 10, null) ?? Number.NaN;
  expect(days).toBeLessThan(30);
  expect(days).toBeGreaterThan(0);
});

test('what one database cannot hold needs another', () => {
  const months = 12;
  const perMonth = (10e9 - 1) / (months * measured.messageBytes + (30 / 30.4) * measured.deliveriesBytes);
  expect(databasesFor(measured, perMonth, months)).toBe(1);
  expect(databasesFor(measured, perMonth * 1.01, months)).toBe(2);
});

test('the list of what gives way begins with what gives way first, and says a way past each', () => {
  const list = ceilings(measured);
  const most = list.map(({ perSecond }) => perSecond.most);
  expect(most).toEqual([...most].sort((a, b) => a - b));
  for (const { perSecond, way } of list) {
    expect(perSecond.least).toBeLessThanOrEqual(perSecond.most);
    expect(way).not.toBe('');
  }
});

test('numbers spread over as many bridges as their memory asks for, and one to spare', () => {
  expect(bridgesFor(measured, 4096, 4 * 2 ** 30)).toBe(2);
  expect(bridgesFor(measured, 4097, 4 * 2 ** 30)).toBe(3);
});

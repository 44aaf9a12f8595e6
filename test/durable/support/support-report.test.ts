import { runInDurableObject } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { newLog, start } from '../event-log/event-log-fixture.ts';

const cases = 6_000;

/** Cases of two agents, seven of them opened at each time. */
async function logWithCases() {
  const log = newLog();
  await runInDurableObject(log, (_, { storage }) =>
    storage.transactionSync(() => {
      for (let place = 0; place < cases; place += 1) {
        storage.sql.exec(
          `INSERT INTO support_cases (opened_at, conversation_id, number_id, agent_id, first_response_ms, first_missed,
             next_missed, resolution_missed) VALUES (?, ?, 'number', ?, ?, 0, 0, 0)`,
          ...[start + Math.floor(place / 7), String(place), place % 3 === 0 ? 'ada' : 'bob', place * 1000],
        );
      }
    }),
  );
  return log;
}

test('a report counts each of many cases once, and others have their turn while it reads', async () => {
  const log = await logWithCases();
  const answered: string[] = [];
  const [report] = await Promise.all([
    log
      .supportReport({ since: start, until: start + cases, by: 'agent' })
      .finally(() => answered.push('report')),
    log.contact('nobody').finally(() => answered.push('contact')),
  ]);
  expect(answered).toEqual(['contact', 'report']);
  expect(report).toMatchObject({ isComplete: true, total: { opened: cases } });
  expect(report.total.firstResponse).toEqual({ count: cases, medianSeconds: 3_000, p90Seconds: 5_399 });
  expect(report.groups.map(({ key, figures }) => [key, figures.opened])).toEqual([
    ['bob', 4_000],
    ['ada', 2_000],
  ]);
});

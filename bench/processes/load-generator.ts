/* A process that loads an HTTP server over keep-alive connections, as fast as it answers, and says what it saw. */
import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { answerQuestions } from './asking.ts';
import type { LoadOrder, LoadReport } from './load-order.ts';

answerQuestions(load);

async function load({ url, connections, seconds, headers, bodies }: LoadOrder): Promise<LoadReport> {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const connection = async () => {
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({
        path: pathname,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
        body: bodies[latenciesMs.length % bodies.length] ?? null,
      });
      await body.dump();
      latenciesMs.push(performance.now() - sentAt);
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
  const elapsedMs = performance.now() - startedAt;
  await pool.close();
  return { latenciesMs, statuses, elapsedMs };
}

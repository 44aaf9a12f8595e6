/* A process that loads an HTTP server over keep-alive connections, and says what it saw. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { answerQuestions } from './asking.ts';
import type { LoadOrder, LoadReport } from './load-order.ts';

answerQuestions(load);

async function load(order: LoadOrder): Promise<LoadReport> {
  const { url, connections, headers, bodies, perSecond } = order;
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const request = async (index: number, dueAt: number) => {
    const { statusCode, body } = await pool.request({
      path: pathname,
      method: 'POST',
      headers: {
        ...headers[index % headers.length],
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: bodies[index % bodies.length] ?? null,
    });
    await body.dump();
    latenciesMs.push(performance.now() - dueAt);
    statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
  };
  if (perSecond === undefined) await asAnswered(order, startedAt, request);
  else await asPlanned(order.seconds * perSecond, perSecond, startedAt, request);
  const elapsedMs = performance.now() - startedAt;
  await pool.close();
  return { latenciesMs, statuses, elapsedMs };
}

type Send = (index: number, dueAt: number) => Promise<void>;

async function asAnswered({ connections, seconds }: LoadOrder, startedAt: number, send: Send): Promise<void> {
  let next = 0;
  const connection = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      const index = next++;
      await send(index, performance.now());
    }
  };
  await Promise.all(Array.from({ length: connections }, connection));
}

async function asPlanned(count: number, perSecond: number, startedAt: number, send: Send): Promise<void> {
  const sent: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueAt = startedAt + (index * 1000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
    sent.push(send(index, dueAt));
  }
  await Promise.all(sent);
}

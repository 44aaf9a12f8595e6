/*
 * Does one receiver that hangs hurt the others? The built Worker in workerd, ten receivers, a steady rate of events to
 * each. Rounds without and with a receiver that never answers take turns in one run, and each round begins with fresh
 * webhooks, so that the first moments of the hanging one are in the figures. Latency: from the event's time to the
 * arrival of its callback at the receiver.
 *
 *   node bench/webhook-isolation.ts [rounds of each kind = 6] [seconds a round = 10] [events/s to each receiver = 5]
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { v7 } from 'uuid';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { applyMigrations, type MigratableDatabase } from '../src/local/d1-migrations.ts';
import { buildWorker } from '../src/local/worker-build.ts';
import { sealSecret } from '../src/worker/delivery/sealed-secret.ts';

const projectRoot = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const [rounds = 6, roundSeconds = 10, eventsPerSecond = 5] = process.argv.slice(2).map(Number);
const receiverCount = 10;
/** What the last events of a round may still take to arrive. */
const settleMs = 3000;

interface Arrival {
  receiver: number;
  round: number;
  latencyMs: number;
}
const arrivals: Arrival[] = [];
let hanging = false;

const receivers = createServer((request, response) => {
  const [, round = '', receiver = ''] = (request.url ?? '').split('/');
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { timestamp } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    arrivals.push({
      receiver: Number(receiver),
      round: Number(round),
      latencyMs: Date.now() - Date.parse(timestamp),
    });
    if (hanging && receiver === '0') return;
    response.writeHead(204).end();
  });
});
await new Promise<void>((resolve) => receivers.listen({ port: 0, host: '127.0.0.1' }, resolve));
const receiversUrl = `http://127.0.0.1:${(receivers.address() as AddressInfo).port}`;

const { folder } = await buildWorker(projectRoot);
const scratch = mkdtempSync(join(tmpdir(), 'heliograph-bench-'));
const sealingKey = randomBytes(32).toString('base64');
const { workerOptions } = unstable_getMiniflareWorkerOptions(join(projectRoot, 'wrangler.toml'));
const miniflare = new Miniflare(
  convertV4MiniflareOptions({
    cf: false,
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => undefined,
    resourcePersistencePath: join(scratch, 'state'),
    resourceTmpPath: join(scratch, 'tmp'),
    workers: [
      {
        ...workerOptions,
        name: 'heliograph',
        rootPath: folder,
        modulesRoot: folder,
        modules: [
          {
            type: 'ESModule',
            path: join(folder, 'index.js'),
            contents: readFileSync(join(folder, 'index.js'), 'utf8'),
          },
        ],
        bindings: {
          ...(workerOptions.bindings as Record<string, string>),
          WEBHOOK_SEALING_KEY: sealingKey,
          WEBHOOK_TARGETS: 'loopback',
        },
      },
    ],
  }),
);

interface Producer {
  send(body: unknown): Promise<unknown>;
}

/** Ten webhooks at `/round/index`, each for a number of its own. */
async function makeWebhooks(database: MigratableDatabase, round: number, accountId: string) {
  const made = [];
  for (let receiver = 0; receiver < receiverCount; receiver += 1) {
    const [id, numberId] = [v7(), v7()];
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    await database
      .prepare(
        `insert into webhooks (id, account_id, url, number_ids, sealed_secret, enabled, created_at)
         values (?, ?, ?, ?, ?, 1, 0)`,
      )
      .bind(
        id,
        accountId,
        `${receiversUrl}/${round}/${receiver}`,
        JSON.stringify([numberId]),
        await sealSecret(sealingKey, id, secret),
      )
      .run();
    made.push({ numberId });
  }
  return made;
}

async function runRound(database: MigratableDatabase, events: Producer, round: number): Promise<void> {
  const accountId = v7();
  const webhooks = await makeWebhooks(database, round, accountId);
  const gapMs = 1000 / (eventsPerSecond * receiverCount);
  const count = roundSeconds * eventsPerSecond * receiverCount;
  const startedAt = performance.now();
  for (let index = 0; index < count; index += 1) {
    await delay(Math.max(0, startedAt + index * gapMs - performance.now()));
    const { numberId } = webhooks[index % receiverCount] as { numberId: string };
    void events.send({
      accountId,
      source: { kind: 'phone-number', name: numberId },
      events: [
        {
          seq: index + 1,
          message: null,
          device: null,
          envelope: {
            id: `evt_${v7()}`,
            event: 'message.failed',
            timestamp: new Date().toISOString(),
            data: {
              messageId: `msg_${v7()}`,
              numberId,
              to: '628123456789',
              chatType: 'personal',
              messageType: 'text',
              status: 'failed',
              errorMessage: 'For the bench.',
            },
          },
        },
      ],
    });
  }
  await delay(settleMs);
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;

/** Of the nine receivers that answer in every round. */
function report(label: string, roundIds: readonly number[]): { p99: number } {
  const latencies = arrivals
    .filter(({ receiver, round }) => receiver !== 0 && roundIds.includes(round))
    .map(({ latencyMs }) => latencyMs)
    .sort((a, b) => a - b);
  const expected = roundIds.length * roundSeconds * eventsPerSecond * (receiverCount - 1);
  const [p50, p99, max] = [percentile(latencies, 0.5), percentile(latencies, 0.99), latencies.at(-1)];
  console.log(
    `${label.padEnd(26)} p50 ${String(p50).padStart(5)} ms   p99 ${String(p99).padStart(5)} ms   ` +
      `max ${String(max).padStart(5)} ms   ${latencies.length} of ${expected} arrived`,
  );
  return { p99 };
}

try {
  await miniflare.ready;
  const database = (await miniflare.getD1Database('DB')) as unknown as MigratableDatabase;
  await applyMigrations(database, join(projectRoot, 'migrations'));
  const events = (await miniflare.getQueueProducer('EVENTS')) as unknown as Producer;
  await runRound(database, events, 0);
  arrivals.length = 0;
  const [without, withOne]: [number[], number[]] = [[], []];
  const p99s: Record<'without' | 'withOne', number[]> = { without: [], withOne: [] };
  for (let round = 1; round <= rounds * 2; round += 1) {
    hanging = round % 2 === 0;
    (hanging ? withOne : without).push(round);
    await runRound(database, events, round);
    const { p99 } = report(hanging ? `round ${round}, one hangs` : `round ${round}`, [round]);
    p99s[hanging ? 'withOne' : 'without'].push(p99);
  }
  const alone = report('all without', without);
  const beside = report('all with one that hangs', withOne);
  const middle = (values: number[]) =>
    percentile(
      [...values].sort((a, b) => a - b),
      0.5,
    );
  const ratio = (one: number, other: number) => (one / other).toFixed(2);
  // One disturbance of the machine spoils a whole round, and the figure over all with it.
  console.log(
    'p99 beside a receiver that hangs, times its value without: ' +
      `${ratio(beside.p99, alone.p99)} over all, ${ratio(middle(p99s.withOne), middle(p99s.without))} by the median round`,
  );
} finally {
  await miniflare.dispose();
  receivers.closeAllConnections();
  receivers.close();
  rmSync(scratch, { recursive: true, force: true });
}

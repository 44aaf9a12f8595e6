import { Hono } from 'hono';
import type { z } from 'zod';
import { fleetOf, fleetRegions } from '../../../durable/bridge-fleet/fleet-of.ts';
import type { AppEnv } from '../../app-env.ts';
import { anybody, operator } from '../../auth/callers.ts';
import { isOperator } from '../../auth/operator.ts';
import { askPart } from '../../metrics/asked-part.ts';
import { gatewayMetrics } from '../../metrics/gateway-metrics.ts';
import { openMetricsText, openMetricsType } from '../../metrics/open-metrics.ts';
import type { aliveSchema, readinessSchema } from './records.ts';

export const healthRoutes = new Hono<AppEnv>();

healthRoutes.get('/healthz', anybody, (c) => c.json<z.infer<typeof aliveSchema>>({ status: 'ok' }));

const answers = async (part: string, ask: () => Promise<boolean>) => (await askPart(part, ask)) ?? false;

type Checks = Record<'database' | 'queue' | 'bridges', boolean>;

async function isAnyBridgeLinked(env: Env): Promise<boolean> {
  const all = await Promise.all(fleetRegions(env).map((region) => fleetOf(env, region).stats()));
  return all.some(({ bridges }) => bridges > 0);
}

async function check(env: Env): Promise<Checks> {
  const [database, queue, bridges] = await Promise.all([
    answers('database', async () => (await env.DB.prepare('select 1 as one').first('one')) === 1),
    answers('queue', async () => (await env.WEBHOOK_DELIVERIES.metrics()).backlogCount >= 0),
    answers('bridges', () => isAnyBridgeLinked(env)),
  ]);
  return { database, queue, bridges };
}

const isReady = (checks: Checks) => Object.values(checks).every((answered) => answered);

/** So long an answer serves all strangers; one that something is missing is soon over. */
const readyForMs = 5_000;
const notReadyForMs = 1_000;
let known: { ready: boolean; until: number } | null = null;
let isAsking = false;

/** Whether all is there, as this isolate has last seen it. However many ask, one of them looks. */
async function readyLately(env: Env): Promise<boolean> {
  const now = Date.now();
  if (known !== null && (now < known.until || isAsking)) return known.ready;
  isAsking = true;
  try {
    const ready = isReady(await check(env));
    known = { ready, until: now + (ready ? readyForMs : notReadyForMs) };
    return ready;
  } finally {
    isAsking = false;
  }
}

const status = (ready: boolean) => (ready ? ('ready' as const) : ('not ready' as const));

healthRoutes.get('/readyz', anybody, async (c) => {
  if (await isOperator(c)) {
    const checks = await check(c.env);
    const ready = isReady(checks);
    return c.json<z.infer<typeof readinessSchema>>({ status: status(ready), checks }, ready ? 200 : 503);
  }
  const ready = await readyLately(c.env);
  return c.json<z.infer<typeof readinessSchema>>({ status: status(ready) }, ready ? 200 : 503);
});

export const metricsRoutes = new Hono<AppEnv>();

/** For what watches the deployment: it tells of no account. */
metricsRoutes.get('/metrics', operator, async (c) => {
  const gauges = await gatewayMetrics(c.env, Date.now());
  c.header('Cache-Control', 'no-store');
  return c.body(openMetricsText(gauges), 200, { 'Content-Type': openMetricsType });
});

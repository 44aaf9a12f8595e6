import { Hono } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { operator } from '../../auth/callers.ts';
import { gatewayMetrics } from '../../metrics/gateway-metrics.ts';
import { openMetricsText, openMetricsType } from '../../metrics/open-metrics.ts';

export const metricsRoutes = new Hono<AppEnv>();

/** For what watches the deployment: it tells of no account. */
metricsRoutes.get('/metrics', operator, async (c) => {
  const gauges = await gatewayMetrics(c.env, Date.now());
  c.header('Cache-Control', 'no-store');
  return c.body(openMetricsText(gauges), 200, { 'Content-Type': openMetricsType });
});

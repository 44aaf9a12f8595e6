import { Hono } from 'hono';
import type { AppEnv } from '../../app-env.ts';
import { faultMessage } from '../../db/fault-message.ts';

export const healthRoutes = new Hono<AppEnv>();

healthRoutes.get('/healthz', (c) => c.json({ status: 'ok' }));

/** Whether a part answers; why it does not is for the log. */
async function answers(part: string, ask: () => Promise<boolean>): Promise<boolean> {
  try {
    return await ask();
  } catch (error) {
    console.error(
      JSON.stringify({
        at: new Date().toISOString(),
        level: 'error',
        event: 'not_ready',
        part,
        ...faultMessage(error),
      }),
    );
    return false;
  }
}

healthRoutes.get('/readyz', async (c) => {
  const [database, queue, bridges] = await Promise.all([
    answers('database', async () => (await c.env.DB.prepare('select 1 as one').first('one')) === 1),
    answers('queue', async () => (await c.env.WEBHOOK_DELIVERIES.metrics()).backlogCount >= 0),
    answers('bridges', async () => (await c.env.BRIDGE_FLEET.getByName('fleet').stats()).bridges > 0),
  ]);
  const ready = database && queue && bridges;
  return c.json(
    { status: ready ? 'ready' : 'not ready', checks: { database, queue, bridges } },
    ready ? 200 : 503,
  );
});

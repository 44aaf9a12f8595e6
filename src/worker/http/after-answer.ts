import type { Context } from 'hono';
import { logFault } from '../../durable/log.ts';
import type { AppEnv } from '../app-env.ts';

/** Does something behind the answer, which neither waits for it nor tells of it; a fault goes to the log as `event`. */
export function afterAnswer(c: Context<AppEnv>, event: string, work: () => Promise<void>): void {
  const requestId = c.get('requestId');
  c.executionCtx.waitUntil(work().catch((error: unknown) => logFault(event, error, { requestId })));
}

import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';

// What is logged is shown when the test fails. Vitest would send each line from within the object that logs it, and wait
// for ever for one whose object is evicted meanwhile.
const say = console.info;
const logged: string[] = [];
for (const method of ['log', 'warn', 'error'] as const) {
  console[method] = (...values: unknown[]) => void logged.push(values.join(' '));
}
beforeEach(() => {
  logged.length = 0;
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') say(`Logged by "${task.name}":\n${logged.join('\n')}`);
});

const { MIGRATIONS } = env as typeof env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(env.DB, MIGRATIONS);

// The next file runs in the same workerd: no object, row, alarm or queued message of this one is there any more.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await reset();
});

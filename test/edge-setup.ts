import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Version7Options } from 'uuid';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { gatherLimits } from '../src/durable/counts/counted.ts';

// An object that has something to tell is awake until then, and a test that evicts it waits for it.
Object.assign(gatherLimits, { objectMs: 20, requestMs: 20 });

// A hash is slow by intent, and each test makes its own account. A hash says itself what it costs to check.
vi.mock(import('../src/worker/auth/password.ts'), async (importOriginal) => {
  const original = await importOriginal();
  const cost = { N: 1024, r: 8, p: 1 };
  return {
    ...original,
    hashPassword: (password: string) => original.hashPassword(password, cost),
    needsRehash: (stored: string) => original.needsRehash(stored, cost),
  };
});

// Ids of `uuid` never go back. Here they follow the clock, or one test's journey into the future would reach the others.
vi.mock(import('uuid'), async (importOriginal) => {
  const original = await importOriginal();
  let last = { msecs: 0, seq: 0 };
  const next = () => {
    const msecs = Date.now();
    last = { msecs, seq: msecs === last.msecs ? last.seq + 1 : 0 };
    return last;
  };
  const v7 = (options?: Version7Options) => original.v7(options ?? next());
  return { ...original, v7: v7 as typeof original.v7 };
});

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

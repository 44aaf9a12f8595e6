import { applyD1Migrations, type D1Migration, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, vi } from 'vitest';

const { MIGRATIONS } = env as typeof env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(env.DB, MIGRATIONS);

// The next file runs in the same workerd: no object, row, alarm or queued message of this one is there any more.
afterAll(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await reset();
});

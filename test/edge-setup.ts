import { applyD1Migrations, type D1Migration } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';

// A hash is slow by intent, and each test makes its own account. A hash says itself what it costs to check.
vi.mock(import('../src/worker/auth/password.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return {
    ...original,
    hashPassword: (password: string) => original.hashPassword(password, { N: 1024, r: 8, p: 1 }),
  };
});

const { MIGRATIONS } = env as typeof env & { MIGRATIONS: D1Migration[] };
await applyD1Migrations(env.DB, MIGRATIONS);

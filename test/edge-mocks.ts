import type { Version7Options } from 'uuid';
import { vi } from 'vitest';
import { gatherLimits } from '../src/durable/counts/counted.ts';

// An object that has something to tell is awake until then, and a test that evicts it waits for it.
Object.assign(gatherLimits, { objectMs: 20, requestMs: 20 });

// A hash is slow by intent, and each test makes its own account.
vi.mock(import('../src/worker/auth/password.ts'), async (importOriginal) => {
  const original = await importOriginal();
  return { ...original, hashCost: () => original.quickCost };
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

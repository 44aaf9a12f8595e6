import { vi } from 'vitest';

/** Waits for a condition, far longer than a busy machine may need; what it resolves to. */
export function until<T>(condition: () => T | Promise<T>) {
  return vi.waitUntil(condition, { timeout: 60_000, interval: 10 });
}

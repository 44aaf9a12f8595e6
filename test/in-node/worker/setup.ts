import '../runtime.ts';
import './module-hooks.ts';
import { afterAll, vi } from 'vitest';
import { reset } from './cloudflare-workers.ts';

// The next file runs in the same process: no object, row, alarm or queued message of this one is there any more.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  reset();
});

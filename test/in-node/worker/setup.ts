import '../runtime.ts';
import { afterAll, afterEach, vi } from 'vitest';
import { gatherLimits } from '../../../src/durable/counts/counted.ts';
import { expectAllDocumented } from '../../worker/openapi/documented-answers.ts';
import { reset } from './cloudflare-workers.ts';

// An object that has something to tell is awake until then, and a test that evicts it waits for it.
Object.assign(gatherLimits, { objectMs: 20, requestMs: 20 });

afterEach(expectAllDocumented);

// The next file runs in the same process: no object, row, alarm or queued message of this one is there any more.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  reset();
});

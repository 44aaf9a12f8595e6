import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, vi } from 'vitest';

class WebSocketRequestResponsePair {}

// What the runtime has and Node has not.
Object.assign(globalThis, {
  WebSocketRequestResponsePair,
  scheduler: { wait: (ms: number, options?: { signal?: AbortSignal }) => wait(ms, undefined, options) },
});

afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

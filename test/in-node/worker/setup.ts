import '../runtime.ts';
import { registerHooks } from 'node:module';
import { afterAll, vi } from 'vitest';
import '../../worker-mocks.ts';
import { reset } from './cloudflare-workers.ts';

// What a package imports, which Vite does not see.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:sockets'
      ? { url: new URL('cloudflare-sockets.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

// The next file runs in the same process: no object, row, alarm or queued message of this one is there any more.
afterAll(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  reset();
});

import { registerHooks } from 'node:module';

// What a package imports, which Vite does not see.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'cloudflare:sockets'
      ? { url: new URL('cloudflare-sockets.ts', import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});

// Lets Node load the Worker: what only workerd has is not needed to look at its routes. Imported before it.
import { registerHooks } from 'node:module';

const standIn = `exports.DurableObject = class {}; exports.WorkerEntrypoint = class {};
  exports.env = {}; exports.connect = undefined;`;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('cloudflare:') ? { url: specifier, shortCircuit: true } : next(specifier, context),
  load: (url, context, next) =>
    url.startsWith('cloudflare:')
      ? { format: 'commonjs', source: standIn, shortCircuit: true }
      : next(url, context),
});

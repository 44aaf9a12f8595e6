/*
 * How an import is found where Node loads the sources by itself. The first set-up file of a project imports this, so that it is
 * asked before Vitest. Where the Worker or its objects are hosted in Node (`HELIOGRAPH_HOSTED` is `objects` or `worker`), what the
 * runtime provides is here, and some of what they import has a stand-in.
 */
import { registerHooks } from 'node:module';

const here = (file) => new URL(file, import.meta.url).href;
const host = process.env.HELIOGRAPH_HOSTED;
const isWatching = process.env.VITEST_MODE === 'WATCH';

const provided = host && {
  'cloudflare:test': here('cloudflare-test.ts'),
  'cloudflare:workers': here(`${host}/cloudflare-workers.ts`),
  'cloudflare:sockets': here('worker/cloudflare-sockets.ts'),
};
/** By the address of the original, which a stand-in itself gets. */
const standIns =
  host === 'worker'
    ? {
        [here('../../src/worker/auth/password.ts')]: here('worker/quick-password.ts'),
        [import.meta.resolve('uuid')]: here('worker/clocked-uuid.ts'),
      }
    : {};

registerHooks({
  resolve(specifier, context, next) {
    const url = provided?.[specifier];
    if (url !== undefined) return { url, shortCircuit: true };
    const found =
      ownFile(specifier, context.parentURL) ??
      fileOfDrizzle(specifier, context.parentURL) ??
      next(specifier, context);
    const standIn = standIns[found.url];
    if (standIn === undefined || context.parentURL?.startsWith(standIn)) return found;
    return { url: standIn, shortCircuit: true };
  },
});

/**
 * Our own imports name their file, so nothing is to be looked for. Vitest is not asked either: it would send its main process a
 * message for each import, thousands in each worker, which only a watch needs.
 */
function ownFile(specifier, parent) {
  if (isWatching || !specifier.startsWith('.') || !parent || parent.includes('/node_modules/')) return null;
  return { url: new URL(specifier, parent).href, shortCircuit: true };
}

/** Node would read the package's 180 KB of `exports` again for each of its hundreds of imports, to learn that it is of modules. */
function fileOfDrizzle(specifier, parent) {
  if (!specifier.startsWith('.') || !parent?.includes('/node_modules/drizzle-orm/')) return null;
  return { url: new URL(specifier, parent).href, format: 'module', shortCircuit: true };
}

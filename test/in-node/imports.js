/*
 * How an import is found where Node loads the sources by itself. Imported by the first set-up file of a project, so it is asked
 * before Vitest, which tells its main process of each import that it is asked about, for the tests to run again after a change.
 * Where the Worker or its objects are hosted in Node, what the runtime provides is here, and some of what they import has a
 * stand-in: `HELIOGRAPH_HOSTED` is `objects` or `worker`.
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
    const found = ownFile(specifier, context.parentURL) ?? next(specifier, context);
    const standIn = standIns[found.url];
    if (standIn === undefined || context.parentURL?.startsWith(standIn)) return found;
    return { url: standIn, shortCircuit: true };
  },
});

/** Our own imports name their file, so nothing is to be looked for. */
function ownFile(specifier, parent) {
  if (isWatching || !specifier.startsWith('.') || !parent || parent.includes('/node_modules/')) return null;
  return { url: new URL(specifier, parent).href, shortCircuit: true };
}

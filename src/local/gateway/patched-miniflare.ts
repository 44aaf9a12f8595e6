import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';

/*
 * Miniflare writes its configuration, the Worker included, into one buffer, and copies all of it for each 4 KB that it adds: more
 * than a second of CPU at each start of the runtime, and at each restart. With room for all of it there is nothing to copy.
 */
const growth = 'MIN_SINGLE_SEGMENT_GROWTH = ';
const [before, after] = [`${growth}4096;`, `${growth}16_777_216;`];

const require = createRequire(import.meta.url);
const miniflareUrl = pathToFileURL(require.resolve('miniflare')).href;
const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== miniflareUrl) return loaded;
    const source = String(loaded.source);
    if (!source.includes(before))
      throw new Error('Miniflare has changed: look whether its buffer grows well.');
    return { ...loaded, source: source.replace(before, after) };
  },
});

/** Required and not imported: then Node keeps the compiled form of what a hook has changed. */
export const miniflare: typeof import('miniflare') = require('miniflare');
hooks.deregister();

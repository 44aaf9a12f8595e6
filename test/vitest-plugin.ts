import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

/*
 * Vitest hands modules to its workerd, and asks it for results, over sockets of this machine, which Miniflare compresses: a tenth of
 * the CPU that the project `edge` needs. Without compression the same is said.
 */
const opening = /new import_ws\d*\.default\(url\d*, protocols, \{/;

const plugin = createRequire(import.meta.resolve('@cloudflare/vitest-plugin'));
const miniflareUrl = pathToFileURL(plugin.resolve('miniflare')).href;
const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (url !== miniflareUrl) return loaded;
    const source = String(loaded.source ?? readFileSync(fileURLToPath(url), 'utf8'));
    if (!opening.test(source)) throw new Error('Miniflare has changed: look how it opens its sockets.');
    return { ...loaded, source: source.replace(opening, '$& perMessageDeflate: false,') };
  },
});

/** Imported when the hook is there. */
export const { cloudflareTest, readD1Migrations } = await import('@cloudflare/vitest-plugin');
hooks.deregister();

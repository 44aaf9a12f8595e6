import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What is put around the built Worker: a door of the bench, or that door and a meter. */
export type Around = 'facts-route' | 'meter';

interface Module {
  type: 'ESModule';
  path: string;
  contents: string;
}

const meterFolder = dirname(fileURLToPath(new URL('../meter/metered-worker.ts', import.meta.url)));
const factsRoute = fileURLToPath(new URL('../neighbour/facts-route.ts', import.meta.url));
const workerAlone = fileURLToPath(new URL('../neighbour/worker-alone.ts', import.meta.url));

/** What objects call of the Worker itself, beside the objects. */
const entrypoints = ['ArchiveKeeper', 'WebhookSender'];

/** The modules of the Worker, entry first. */
export function gatewayModules(
  folder: string,
  around: Around | null,
  objectClasses: readonly string[],
): Module[] {
  const product = builtWorker(folder);
  if (around === null) return [product];
  const isMetered = around === 'meter';
  const entry = [
    "import * as product from './index.js';",
    "import { withFactsRoute } from './facts-route.ts';",
    ...(isMetered ? ["import { meteredWorker } from './metered-worker.ts';"] : []),
    'const opened = withFactsRoute(product);',
    isMetered ? 'const { handler, classes } = meteredWorker(opened);' : 'const classes = opened;',
    `export default ${isMetered ? 'handler' : 'opened.default'};`,
    ...[...objectClasses, ...entrypoints].map((name) => `export const ${name} = classes.${name};`),
  ].join('\n');
  return [
    esModule(join(folder, 'bench-entry.js'), entry),
    stripped(factsRoute, folder),
    ...(isMetered ? readdirSync(meterFolder).map((name) => stripped(join(meterFolder, name), folder)) : []),
    product,
  ];
}

/** The Worker without its objects, entry first. */
export function workerAloneModules(folder: string): Module[] {
  const entry = [
    "import * as product from './index.js';",
    "import { workerAlone } from './worker-alone.ts';",
    'export default workerAlone(product);',
  ].join('\n');
  return [
    esModule(join(folder, 'worker-alone-entry.js'), entry),
    stripped(workerAlone, folder),
    builtWorker(folder),
  ];
}

/** A Worker in one piece. */
export const esModule = (path: string, contents: string): Module => ({ type: 'ESModule', path, contents });

function builtWorker(folder: string): Module {
  const path = join(folder, 'index.js');
  return esModule(path, readFileSync(path, 'utf8'));
}

const stripped = (path: string, to: string): Module =>
  esModule(join(to, basename(path)), stripTypeScriptTypes(readFileSync(path, 'utf8')));

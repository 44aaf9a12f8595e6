/*
 * Writes what `wrangler.toml` says to a file that the gateway reads, beside the built Worker: `node worker-options.ts PROJECT FILE`.
 * A process of its own, once for each build: to load wrangler takes longer than the rest of a start.
 */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from 'wrangler';

const [projectRoot, target] = process.argv.slice(2);
if (projectRoot === undefined || target === undefined) throw new Error('usage: worker-options PROJECT FILE');

const config = join(projectRoot, 'wrangler.toml');
const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
const assets = workerOptions.assets as { directory: string } | undefined;
/** Homes have their D1 under this id: with another they would begin without it. */
const localDatabaseId = '00000000-0000-0000-0000-000000000000';
const options = {
  ...workerOptions,
  d1Databases: { DB: localDatabaseId },
  // No secret that happens to be in the environment is kept in a file.
  bindings: unstable_readConfig({ config }).vars,
  // The project may be moved.
  rootPath: undefined,
  assets: assets && { ...assets, directory: relative(projectRoot, assets.directory) },
};
writeFileSync(target, JSON.stringify(options));

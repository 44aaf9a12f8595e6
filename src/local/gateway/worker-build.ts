import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';
import { StartProblem } from '../settings.ts';

/** What `wrangler.toml` says, beside `index.js`: see worker-options.ts. */
export const optionsName = 'options.json';

/** All that the Worker is built from. */
const workerSources = [
  'src/contract',
  'src/database',
  'src/durable',
  'src/local/gateway/worker-options.ts',
  'src/settings',
  'src/worker',
  'wrangler.toml',
  'package-lock.json',
  'tsconfig.base.json',
];
/** All that the static files are made from. */
const assetSources = [
  'docs/guide',
  'scripts/build',
  'src/api-reference',
  'src/contract',
  'src/dashboard',
  'src/sdk',
  'package-lock.json',
  'tsconfig.base.json',
];
const buildsKept = 3;
/** Whatever is still not finished then was left by a start that was killed. */
const draftKeptMs = 3_600_000;
const draftPrefix = 'draft-';

/** The Worker of a gateway while it is restored. */
export const restoreEntry = 'src/worker/restore/worker.ts';
/**
 * Where `npm run build` leaves a Worker, for installs without development packages; the static files lie beside it. `entry`: as
 * {@link buildWorker} takes it.
 */
export const builtFolderOf = (entry?: string): string =>
  join('dist', entry === restoreEntry ? 'restore' : 'worker');
/** What of a build is run. */
export const builtFiles = ['index.js', optionsName];

/**
 * Builds the Worker as a deployment would, unless this very source was built before. Resolves the folder of
 * `index.js` and `options.json`. `entry`: another source than the gateway's own.
 */
export async function buildWorker(
  projectRoot: string,
  entry?: string,
): Promise<{ folder: string; fresh: boolean }> {
  if (!existsSync(wranglerOf(projectRoot)))
    return { folder: builtBefore(projectRoot, builtFolderOf(entry)), fresh: false };
  // The static files stand beside the build, so a build that is kept may find them gone.
  layAssets(projectRoot);
  const cache = join(projectRoot, 'node_modules', '.cache', 'heliograph', 'worker');
  const folder = join(cache, contentHash(projectRoot, workerSources, entry));
  if (existsSync(join(folder, optionsName))) {
    utimesSync(folder, new Date(), new Date());
    return { folder, fresh: false };
  }
  mkdirSync(cache, { recursive: true });
  const draft = join(cache, `${draftPrefix}${randomUUID()}`);
  try {
    await runNode(projectRoot, [
      wranglerOf(projectRoot),
      'deploy',
      ...(entry ? [entry] : []),
      '--dry-run',
      '--outdir',
      draft,
    ]);
    if (entry) renameSync(join(draft, `${basename(entry, '.ts')}.js`), join(draft, 'index.js'));
    const writeOptions = join(projectRoot, 'src', 'local', 'gateway', 'worker-options.ts');
    await runNode(projectRoot, [writeOptions, projectRoot, join(draft, optionsName)]);
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another start built the same at the same time.
      if (!existsSync(join(folder, optionsName))) throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOldBuilds(cache);
  return { folder, fresh: true };
}

const wranglerOf = (projectRoot: string) =>
  join(projectRoot, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** A production install has no tools that build: what `npm run build` has left is run as it is. */
function builtBefore(projectRoot: string, builtFolder: string): string {
  const folder = join(projectRoot, builtFolder);
  if (existsSync(join(folder, optionsName))) return folder;
  throw new StartProblem(
    `The Worker is not built, and this is an install without the tools that build it. Run \`npm ci && npm run build\` in ${projectRoot}.`,
  );
}

/** Lays out the static files, unless those of this very source are there. */
function layAssets(projectRoot: string): void {
  const dist = join(projectRoot, 'dist');
  // The script removes it first: whatever else runs the script, this says of which source the files are, or nothing.
  const madeFrom = join(dist, 'assets.made-from');
  const source = contentHash(projectRoot, assetSources);
  const areThere = ['dashboard', 'docs'].every((name) =>
    existsSync(join(dist, 'assets', name, 'index.html')),
  );
  if (areThere && existsSync(madeFrom) && readFileSync(madeFrom, 'utf8') === source) return;
  execFileSync(process.execPath, [join(projectRoot, 'scripts', 'build', 'assets.js')]);
  writeFileSync(madeFrom, source);
}

function contentHash(projectRoot: string, sources: readonly string[], entry = ''): string {
  const hash = createHash('sha256').update(entry);
  for (const source of sources) {
    const path = join(projectRoot, source);
    const files = statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .sort()
      : [path];
    for (const file of files)
      hash
        .update(`${relative(projectRoot, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
  }
  return hash.digest('hex').slice(0, 32);
}

function runNode(projectRoot: string, args: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...args],
      { cwd: projectRoot, maxBuffer: 16 * 1024 * 1024 },
      (error, stdout, stderr) => {
        if (error === null) resolve();
        else reject(new StartProblem(`The Worker does not build.\n${stdout}\n${stderr}`.trim()));
      },
    );
  });
}

/** Deletes all but the last builds used. What another start is building at the moment stays. */
export function forgetOldBuilds(cache: string): void {
  const all = readdirSync(cache).map((name) => {
    const path = join(cache, name);
    return { path, usedAt: statSync(path).mtimeMs, isDraft: name.startsWith(draftPrefix) };
  });
  const leftDrafts = all.filter(({ isDraft, usedAt }) => isDraft && usedAt < Date.now() - draftKeptMs);
  const builds = all.filter(({ isDraft }) => !isDraft).sort((a, b) => b.usedAt - a.usedAt);
  for (const { path } of [...builds.slice(buildsKept), ...leftDrafts])
    rmSync(path, { recursive: true, force: true });
}

// Builds the dashboard with Vite, unless this very source was built before.
import { spawnSync } from 'node:child_process';
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
} from 'node:fs';
import path from 'node:path';

/** All that the dashboard is built from. */
const sources = ['src/dashboard', 'src/sdk', 'src/contract', 'package-lock.json', 'tsconfig.base.json'];
/** Types alone, which leave nothing in the build: whether they are made yet must not bring about another one. */
const typesOnly = path.join('src', 'sdk', 'client', 'generated');
const buildsKept = 3;

/** The folder of the build: `index.html`, a few files of fixed names, and `assets/` with hashes in their names. */
export function buildDashboard(projectRoot) {
  const cache = path.join(projectRoot, 'node_modules', '.cache', 'heliograph', 'dashboard');
  const folder = path.join(cache, contentHash(projectRoot));
  if (existsSync(path.join(folder, 'index.html'))) {
    utimesSync(folder, new Date(), new Date());
    return folder;
  }
  mkdirSync(cache, { recursive: true });
  const draft = path.join(cache, `draft-${randomUUID()}`);
  try {
    runVite(projectRoot, draft);
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another start built the same at the same time.
      if (!existsSync(path.join(folder, 'index.html'))) throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOldBuilds(cache);
  return folder;
}

function runVite(projectRoot, outputFolder) {
  const vite = path.join(projectRoot, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = path.join(projectRoot, 'src', 'dashboard', 'vite.config.ts');
  const built = spawnSync(
    process.execPath,
    [vite, 'build', '--config', config, '--outDir', outputFolder, '--logLevel', 'warn'],
    { cwd: projectRoot, encoding: 'utf8', env: { ...process.env, NODE_ENV: 'production' } },
  );
  if (built.status !== 0) throw new Error(`The dashboard does not build.\n${built.stdout}\n${built.stderr}`);
}

function contentHash(projectRoot) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const from = path.join(projectRoot, source);
    const files = statSync(from).isDirectory()
      ? readdirSync(from, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
          .filter((file) => path.dirname(file) !== path.join(projectRoot, typesOnly))
          .sort()
      : [from];
    for (const file of files) {
      hash
        .update(`${file.slice(projectRoot.length)}\0`)
        .update(readFileSync(file))
        .update('\0');
    }
  }
  return hash.digest('hex').slice(0, 32);
}

function forgetOldBuilds(cache) {
  const byAge = readdirSync(cache)
    .map((name) => ({ folder: path.join(cache, name), usedAt: statSync(path.join(cache, name)).mtimeMs }))
    .sort((a, b) => b.usedAt - a.usedAt);
  for (const build of byAge.slice(buildsKept)) rmSync(build.folder, { recursive: true, force: true });
}

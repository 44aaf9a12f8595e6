/*
 * `npm run build`: builds the Worker with its static files into `dist/`, and the one that takes a backup, from where a gateway runs
 * them that was installed without development packages.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../project-root.ts';
import { buildWorker, builtFiles, builtFolderOf, restoreEntry } from './worker-build.ts';

for (const entry of [undefined, restoreEntry]) {
  const { folder } = await buildWorker(projectRoot, entry);
  const target = join(projectRoot, builtFolderOf(entry));
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of builtFiles) cpSync(join(folder, name), join(target, name));
}

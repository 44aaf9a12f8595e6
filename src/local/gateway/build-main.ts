/*
 * `npm run build`: builds the Worker with its static files into `dist/`, from where a gateway runs it that was installed
 * without development packages.
 */
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorker, builtFiles, builtFolder } from './worker-build.ts';

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const { folder } = await buildWorker(projectRoot);
const target = join(projectRoot, builtFolder);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
for (const name of builtFiles) cpSync(join(folder, name), join(target, name));

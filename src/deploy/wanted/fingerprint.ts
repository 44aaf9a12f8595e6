import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { WranglerConfig } from './worker-config.ts';

/** All that a deployment is made from, apart from its configuration. */
const sources = [
  'docs/guide',
  'package-lock.json',
  'scripts/build',
  ...['api-reference', 'contract', 'dashboard', 'database', 'durable', 'sdk', 'settings', 'worker'].map(
    (name) => `src/${name}`,
  ),
];

/** Of code and configuration, in 16 characters: a Worker that bears it as its tag has both. */
export function fingerprintOf(projectRoot: string, config: WranglerConfig): string {
  const hash = createHash('sha256').update(JSON.stringify(config));
  for (const source of sources.map((name) => join(projectRoot, name)).filter(existsSync)) {
    for (const file of filesOf(source))
      hash.update(`\0${file.slice(projectRoot.length)}\0`).update(readFileSync(file));
  }
  return hash.digest('hex').slice(0, 16);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      // What a build makes there is no source.
      .filter((entry) => entry.isFile() && !/[\\/](generated|node_modules)([\\/]|$)/.test(entry.parentPath))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  );
}

// What a first visit of the dashboard loads: all JavaScript of a page, zipped, stays below a limit.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildDashboard } from '../build/dashboard.js';
import { projectRoot } from '../set-up.js';
import { dashboardPages, wordsOfAllPages } from './dashboard-pages.js';

const bytesMax = 200 * 1024;

const folder = buildDashboard(projectRoot);
const manifest = JSON.parse(readFileSync(path.join(folder, 'build.json'), 'utf8'));

/** A file and all that is loaded with it. */
function withImports(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const imported of manifest[name].imports ?? []) withImports(imported, found);
  return found;
}

const zipped = (name) => gzipSync(readFileSync(path.join(folder, manifest[name].file))).length;
const [entry] = Object.keys(manifest).filter((name) => manifest[name].isEntry);
const common = withImports(entry);
const wordsFile = (folder) => `${folder}/words.en.ts`;
for (const folder of wordsOfAllPages) common.add(wordsFile(folder));
const routed = dashboardPages(projectRoot);
const wordsOf = (page) => routed.flatMap((known) => (known.page === page ? known.words : []));
const pages = Object.keys(manifest).filter((name) => /^features\/.*-(page|pages|panel)\.tsx$/.test(name));
const sizes = pages.map((page) => {
  const parts = [page];
  // Around every page but those before the sign-in; and a panel stands beside its list.
  if (!page.startsWith('features/sign-in/')) parts.push('shell/shell.tsx');
  if (page.endsWith('-panel.tsx')) {
    const folderOf = (name) => name.slice(0, name.lastIndexOf('/'));
    parts.push(...pages.filter((name) => name.endsWith('-page.tsx') && folderOf(name) === folderOf(page)));
  }
  const words = parts.flatMap(wordsOf).map(wordsFile);
  const names = new Set([...common, ...words, ...parts.flatMap((part) => [...withImports(part)])]);
  const scripts = [...names].filter((name) => manifest[name].file.endsWith('.js'));
  return { page, bytes: scripts.reduce((sum, name) => sum + zipped(name), 0) };
});
for (const { page, bytes } of sizes.sort((a, b) => b.bytes - a.bytes)) {
  console.log(`${String(Math.round(bytes / 1024)).padStart(4)} KB  ${page}`);
}
if (sizes.length === 0 || sizes.some(({ bytes }) => bytes > bytesMax)) {
  console.error(`A page loads more than ${bytesMax / 1024} KB of JavaScript.`);
  process.exitCode = 1;
}

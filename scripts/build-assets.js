// Lays out what the Worker serves as static files, in dist/assets. Takes a fraction of a second, so it runs before every start.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { guidePages } from './guide-pages.js';

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const source = (...names) => path.join(projectRoot, 'src', ...names);
const viewer = ['swagger-ui.css', 'swagger-ui-bundle.js'];

// The guide and the reference at /docs: our pages, and the viewer from its package.
layFolder('docs', [
  ...filesOf(source('api-reference')).filter(([name]) => !name.endsWith('.html')),
  ...viewer.map((name) => [
    name,
    readFileSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))),
  ]),
  ...guidePages(path.join(projectRoot, 'docs', 'guide'), source('api-reference')),
]);
// The pages that mailed links lead to.
layFolder('people', filesOf(source('people-pages')));

function filesOf(folder) {
  return readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]);
}

/** These files are in the folder afterwards, and no others. */
function layFolder(name, entries) {
  const folder = path.join(projectRoot, 'dist', 'assets', name);
  const files = new Map(entries);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) lay(path.join(folder, file), Buffer.from(content));
  for (const file of readdirSync(folder)) {
    // What ends with the number of a process is a draft, which may be at work.
    if (!files.has(file) && !/\.\d+$/.test(file)) rmSync(path.join(folder, file), { force: true });
  }
}

// A gateway that runs may be serving the file: it sees the old one or the new one.
function lay(target, content) {
  if (existsSync(target) && readFileSync(target).equals(content)) return;
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, target);
}

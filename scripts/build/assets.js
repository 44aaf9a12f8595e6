// Lays out what the Worker serves as static files, in dist/assets. Takes a fraction of a second
// where the dashboard is built already, so it runs before every start.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../set-up.js';
import { buildDashboard } from './dashboard.js';
import { guidePages } from './guide-pages.js';

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
// The dashboard, as Vite has built it; its parts reload by name, so what is new is there before the page that names it.
const dashboard = buildDashboard(projectRoot);
layFolder('dashboard/assets', filesOf(path.join(dashboard, 'assets')));
layFolder('dashboard', filesOf(dashboard));

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => [name, readFileSync(path.join(folder, name))]);
}

/** These files are in the folder afterwards, and no others. */
function layFolder(name, entries) {
  const folder = path.join(projectRoot, 'dist', 'assets', name);
  const files = new Map(entries);
  mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) lay(path.join(folder, file), Buffer.from(content));
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = entry.name;
    if (entry.isDirectory()) continue;
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

// Lays out what the Worker serves as static files, in dist/assets. Takes a fraction of a second where the dashboard is built
// already.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../set-up.js';
import { buildDashboard } from './dashboard.js';
import { guidePages } from './guide-pages.js';

const source = (...names) => path.join(projectRoot, 'src', ...names);
const fromPackages = {
  'swagger-ui.css': 'swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'swagger-ui-dist/swagger-ui-bundle.js',
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'jetbrains-mono.woff2': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
};

// It is the next start's again to say of which source they are.
rmSync(path.join(projectRoot, 'dist', 'assets.made-from'), { force: true });
// The guide and the reference at /docs: our pages in the dashboard's colours and typefaces, and the viewer of the reference.
layFolder('docs', [
  ...filesOf(source('api-reference')).filter(([name]) => !name.endsWith('.html')),
  ...Object.entries(fromPackages).map(([name, file]) => [
    name,
    readFileSync(fileURLToPath(import.meta.resolve(file))),
  ]),
  ['icon.svg', readFileSync(source('dashboard', 'public', 'favicon.svg'))],
  ['tokens.css', tokensBySystem(readFileSync(source('dashboard', 'theme', 'tokens.css'), 'utf8'))],
  ...guidePages(path.join(projectRoot, 'docs', 'guide'), source('api-reference')),
]);
// The dashboard, as Vite has built it; its parts reload by name, so what is new is there before the page that names it.
const dashboard = buildDashboard(projectRoot);
layFolder('dashboard/assets', filesOf(path.join(dashboard, 'assets')));
layFolder('dashboard', filesOf(dashboard));

/** The dashboard's tokens, dark where the system is: its own switch marks the page with an attribute, and /docs has none. */
function tokensBySystem(css) {
  const [light, dark] = css.split(':root[data-mantine-color-scheme="dark"]');
  return `${light}@media (prefers-color-scheme: dark) { :root${dark}}`;
}

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

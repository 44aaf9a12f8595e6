// Lays out what the Worker serves as static files, in dist/assets. Takes milliseconds, so it runs before every start.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

// The reference at /docs: our page, and the viewer from its package.
const page = path.join(projectRoot, 'src', 'api-reference');
const docs = path.join(projectRoot, 'dist', 'assets', 'docs');
mkdirSync(docs, { recursive: true });
for (const name of readdirSync(page)) lay(path.join(page, name));
lay(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui.css')));
lay(fileURLToPath(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')));

// A gateway that runs may be serving the file: it sees the old one or the new one.
function lay(source) {
  const target = path.join(docs, path.basename(source));
  const content = readFileSync(source);
  if (existsSync(target) && readFileSync(target).equals(content)) return;
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, target);
}

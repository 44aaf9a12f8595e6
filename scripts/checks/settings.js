// The tables of docs/operating/settings.md, made of the schemas that check them: `node scripts/checks/settings.js` says whether they
// are up to date, and whether wrangler.toml says the same; with `--write` it writes the tables.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { localSettingsShape } from '../../src/local/settings.ts';
import { tableRows } from '../../src/settings/setting.ts';
import { workerSettingsShape } from '../../src/settings/worker-settings.ts';
import { projectRoot } from '../set-up.js';

const read = (name) => readFileSync(path.join(projectRoot, name), 'utf8');
const problems = [];

const document = 'docs/operating/settings.md';
const before = read(document);
const written = ['local', 'worker'].reduce(
  (text, name) => withTable(text, name, { local: localSettingsShape, worker: workerSettingsShape }[name]),
  before,
);
if (process.argv.includes('--write')) writeFileSync(path.join(projectRoot, document), written);
else if (written !== before)
  problems.push(
    `The settings in ${document} are not those of the schemas: run \`node scripts/checks/settings.js --write\`.`,
  );

// What a deployment is given and what is assumed without it must be one thing.
const [, variables = ''] = read('wrangler.toml').split(/^\[vars\]$/m);
for (const [, name, value] of variables.split(/^\[/m)[0].matchAll(/^(\w+) = "(.*)"$/gm)) {
  if (!(name in workerSettingsShape)) problems.push(`wrangler.toml sets ${name}, which no schema knows.`);
  else if (tableRows({ [name]: workerSettingsShape[name] }, true)[0].fallback !== value)
    problems.push(`wrangler.toml sets ${name} to "${value}", which is not its default in src/settings.`);
}
for (const [, name] of read('src/worker/optional-vars.d.ts').matchAll(/^ {4}(\w+)\?: /gm)) {
  if (!(name in workerSettingsShape))
    problems.push(`${name} of src/worker/optional-vars.d.ts is in no schema: nobody checks it.`);
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function withTable(text, name, shape) {
  const [begin, end] = [`<!-- settings ${name} -->\n`, `\n<!-- /settings ${name} -->`];
  const [before, rest] = text.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`${document} has no place for the table of settings "${name}".`);
  const rows = tableRows(shape).map((row) => `| \`${row.name}\` | ${row.shownDefault} | ${row.about} |`);
  return `${before}${begin}${['| variable | default | |', '|---|---|---|', ...rows].join('\n')}${end}${after}`;
}

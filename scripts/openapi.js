// What is made of the OpenAPI document: `node scripts/openapi.js` says what a public linter finds in it, and whether
// the SDK's types and its list of events are those of the document; with `--write` it writes them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { compile } from 'json-schema-to-typescript';

const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const made = '// Made from the OpenAPI document by scripts/openapi.js: do not edit.';

const document = await servedDocument();
const problems = [...(await lint(document))];
const files = {
  'generated/api-types.ts': await typesOf(document),
  'generated/event-names.ts': eventNamesOf(document),
};
for (const [name, source] of Object.entries(files)) {
  const file = path.join(projectRoot, 'src', 'sdk', 'client', name);
  const text = format(source, file);
  if (process.argv.includes('--write')) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    problems.push(
      `src/sdk/client/${name} is not what the document says: run \`node scripts/openapi.js --write\`.`,
    );
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

// The routes as the Worker mounts them. What only workerd has is not needed to describe them.
async function servedDocument() {
  const standIn = `exports.DurableObject = class {}; exports.WorkerEntrypoint = class {};
    exports.env = {}; exports.connect = undefined;`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier.startsWith('cloudflare:') ? { url: specifier, shortCircuit: true } : next(specifier, context),
    load: (url, context, next) =>
      url.startsWith('cloudflare:')
        ? { format: 'commonjs', source: standIn, shortCircuit: true }
        : next(url, context),
  });
  const { app } = await import('../src/worker/app.ts');
  const { openApiDocument } = await import('../src/worker/openapi/document.ts');
  return openApiDocument(app.routes);
}

async function lint(document) {
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  return found.map(
    ({ severity, ruleId, message, location: [at] }) =>
      `openapi.json ${at?.pointer ?? ''}: ${severity} ${ruleId}: ${message}`,
  );
}

async function typesOf({ components }) {
  const definitions = JSON.parse(
    JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  );
  const names = Object.keys(definitions);
  const all = {
    description: 'Every schema by its name in the document.',
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }])),
    required: names,
    definitions,
  };
  return compile(all, 'Schemas', {
    additionalProperties: false,
    bannerComment: made,
    format: false,
    ignoreMinAndMaxItems: true,
  });
}

function eventNamesOf({ components }) {
  const names = JSON.stringify(components.schemas.EventName.enum);
  return `${made}\n\n/** Every event there is. */\nexport const eventNames = ${names} as const;\n`;
}

function format(source, file) {
  const biome = path.join(projectRoot, 'node_modules', '.bin', 'biome');
  const { stdout, stderr, status } = spawnSync(biome, ['format', `--stdin-file-path=${file}`], {
    cwd: projectRoot,
    input: source,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

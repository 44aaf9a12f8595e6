// Makes the SDK's types of the OpenAPI document, which are not in the repository, and says what a public linter finds in
// the document.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { compile } from 'json-schema-to-typescript';
import { projectRoot } from '../set-up.js';
import './outside-workerd.js';

const made = '// Made from the OpenAPI document by scripts/build/sdk-types.js: do not edit.';

const document = await servedDocument();
writeTypes(await typesOf(document));
const problems = await lint(document);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

// The routes as the Worker mounts them.
async function servedDocument() {
  const { app } = await import('../../src/worker/app.ts');
  const { openApiDocument } = await import('../../src/worker/openapi/document.ts');
  const { describedOperations } = await import('../../src/worker/features/all.ts');
  return openApiDocument(await describedOperations(), app.routes);
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
    ignoreMinAndMaxItems: true,
  });
}

// Only where they have changed: whoever reads them meanwhile finds them whole.
function writeTypes(source) {
  const file = path.join(projectRoot, 'src', 'sdk', 'client', 'generated', 'api-types.ts');
  if (existsSync(file) && readFileSync(file, 'utf8') === source) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, source);
}

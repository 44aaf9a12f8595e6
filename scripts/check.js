// `npm run check`: what can be known without running the product, in seconds.
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, projectRoot, toolEnvironment } from './set-up.js';

const quiet = '--disable-warning=ExperimentalWarning';
const checks = [
  { name: 'format and lint', run: () => tool('biome', ['check', '--error-on-warnings']) },
  { name: 'types of the Node side', run: () => tool('tsc', ['-p', 'tsconfig.node.json']) },
  { name: 'types of the Worker side', run: () => tool('tsc', ['-p', 'tsconfig.worker.json']) },
  { name: 'types of the dashboard', run: () => tool('tsc', ['-p', 'tsconfig.dashboard.json']) },
  {
    name: 'words and rules of the dashboard',
    run: () => tool('node', [quiet, 'scripts/checks/dashboard-rules.js']),
  },
  { name: 'size of the dashboard', run: () => tool('node', ['scripts/checks/dashboard-size.js']) },
  { name: 'migrations current', run: migrationsCurrent },
  { name: 'SDK package', run: () => tool('node', ['scripts/build/sdk.js', '--check']) },
  { name: 'settings', run: () => tool('node', [quiet, 'scripts/checks/settings.js']) },
  { name: 'licences', run: () => tool('node', ['scripts/build/licences.js', '--check']) },
  { name: 'dead code', run: () => tool('knip', []) },
];

ensureInstalled();
// What the other checks read and the repository does not have: `Env`, from wrangler.toml into worker-configuration.d.ts, and
// the SDK's types, from the OpenAPI document.
const generated = await run([
  { name: 'types of the bindings', run: () => tool('wrangler', ['types', '--include-runtime=false']) },
  { name: 'OpenAPI document and SDK types', run: () => tool('node', [quiet, 'scripts/build/sdk-types.js']) },
]);
const results = [...generated, ...(await run(checks))];
for (const { name, ok, output } of results) if (!ok) console.error(`\n── ${name}\n${output.trim()}`);
process.exitCode = results.every((result) => result.ok) ? 0 : 1;

function run(some) {
  return Promise.all(
    some.map(async ({ name, run }) => {
      const startedAt = performance.now();
      const { ok, output } = await run();
      console.log(`${ok ? '✓' : '✗'} ${name} (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
      return { name, ok, output };
    }),
  );
}

function tool(command, args) {
  return new Promise((resolve) => {
    const child = spawn(path.join(projectRoot, 'node_modules', '.bin', command), args, {
      cwd: projectRoot,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: toolEnvironment,
    });
    let output = '';
    const collect = (chunk) => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => resolve({ ok: code === 0, output }));
  });
}

// A copy of migrations/ must gain nothing when they are generated once more from the schema.
async function migrationsCurrent() {
  const folder = mkdtempSync(path.join(tmpdir(), 'heliograph-migrations-'));
  const copy = path.join(folder, 'migrations');
  const config = path.join(folder, 'drizzle.config.mjs');
  try {
    cpSync(path.join(projectRoot, 'migrations'), copy, { recursive: true });
    const own = JSON.stringify(path.join(projectRoot, 'drizzle.config.ts'));
    const out = JSON.stringify(path.relative(projectRoot, copy));
    writeFileSync(config, `import own from ${own};\nexport default { ...own, out: ${out} };\n`);
    const before = readdirSync(copy).length;
    const generated = await tool('drizzle-kit', [
      'generate',
      `--config=${path.relative(projectRoot, config)}`,
    ]);
    if (!generated.ok || readdirSync(copy).length === before) return generated;
    return {
      ok: false,
      output: 'The schema has changes without a migration: run `npx drizzle-kit generate`.',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// `npm run mutants -- DIR`: puts one fault after the other into the source, and tells which test finds it.
//
// Each file of the folder is a mutant, one place of one file:
//
//   A redirect leads anywhere.                  what it does wrong, in a sentence
//   file: src/worker/outbound-http/guarded-fetch.ts
//   test: test/unit/worker/guarded-fetch.test.ts        several with spaces between; without any, all tests that load the file
//   <<<<<<<
//   the lines as they are, which stand in the file once
//   =======
//   the lines instead
//   >>>>>>>
//
// The source is put back after each, also when this is interrupted. Exits with 1 where one survives or does not apply.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureInstalled, projectRoot, toolEnvironment } from './set-up.js';

const form =
  /^(?<what>.*)\n(?<fields>(?:(?:file|test): .+\n)+)<{7}\n(?<before>[\s\S]*?)\n={7}\n(?<after>[\s\S]*?)\n?>{7}\s*$/;

/** Puts the changed file back; nothing to do when it is as it was. */
let restore = () => {};
/** The tests that run now. */
let child = null;

const [where, ...more] = process.argv.slice(2);
if (where === undefined || more.length > 0 || !existsSync(where)) {
  console.error('Which mutants? npm run mutants -- DIR, or one file of it.');
  process.exit(2);
}
const tree = spawnSync('git', ['status', '--porcelain'], { cwd: projectRoot, encoding: 'utf8' });
if (tree.status !== 0 || tree.stdout !== '') {
  console.error('The working tree is not clean: commit or stash first. The source is changed and put back.');
  process.exit(2);
}
ensureInstalled();
process.on('exit', () => restore());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    child?.kill('SIGTERM');
    process.exit(1);
  });
}

const files = statSync(where).isDirectory()
  ? readdirSync(where, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(where, entry.name))
      .sort()
  : [where];
let unfound = 0;
for (const file of files) {
  const startedAt = performance.now();
  const { isFound, text } = await tryMutant(readFileSync(file, 'utf8'));
  if (!isFound) unfound += 1;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(`${path.basename(file, '.txt')}: ${text} (${seconds} s)`);
}
console.log(
  unfound === 0 ? `All ${files.length} were found.` : `${unfound} of ${files.length} were not found.`,
);
process.exitCode = unfound === 0 ? 0 : 1;

async function tryMutant(text) {
  const groups = form.exec(text)?.groups;
  if (groups === undefined)
    return { isFound: false, text: 'DOES NOT APPLY: it is not written as a mutant is' };
  const fields = groups.fields
    .trim()
    .split('\n')
    .map((line) => [line.slice(0, 4), line.slice(6).trim()]);
  const valuesOf = (name) => fields.flatMap(([field, value]) => (field === name ? [value] : []));
  const [source = ''] = valuesOf('file');
  const target = path.join(projectRoot, source);
  if (!existsSync(target) || !statSync(target).isFile())
    return { isFound: false, text: `DOES NOT APPLY: no file ${source}` };
  const original = readFileSync(target, 'utf8');
  const parts = original.split(groups.before);
  if (parts.length !== 2) {
    return { isFound: false, text: `DOES NOT APPLY: its lines stand ${parts.length - 1} times in ${source}` };
  }
  restore = () => {
    writeFileSync(target, original);
    restore = () => {};
  };
  writeFileSync(target, parts.join(groups.after));
  try {
    return await runTests(
      source,
      valuesOf('test').flatMap((names) => names.split(/\s+/)),
    );
  } finally {
    restore();
  }
}

async function runTests(source, tests) {
  const folder = mkdtempSync(path.join(tmpdir(), 'heliograph-mutants-'));
  const report = path.join(folder, 'report.json');
  const which = tests.length > 0 ? ['run', ...tests] : ['related', source, '--run'];
  const options = ['--bail', '1', '--reporter', 'json', '--outputFile', report];
  try {
    const { code, output } = await run([...which, ...options], folder);
    const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null;
    if (code === 0) return { isFound: false, text: 'SURVIVED' };
    for (const { name, status, message, assertionResults } of result?.testResults ?? []) {
      if (status !== 'failed') continue;
      const failed = assertionResults.find((it) => it.status === 'failed');
      const why = firstLine(failed?.failureMessages[0] ?? message);
      return {
        isFound: true,
        text: `found by ${path.relative(projectRoot, name)} > ${failed?.fullName ?? '(load)'}: ${why}`,
      };
    }
    return { isFound: false, text: `NOT TRIED: the tests did not run. ${output.trim().slice(-2000)}` };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function run(args, scratch) {
  return new Promise((resolve, reject) => {
    child = spawn(
      'node',
      ['--disable-warning=ExperimentalWarning', 'node_modules/vitest/vitest.mjs', ...args],
      {
        cwd: projectRoot,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...toolEnvironment, TMPDIR: scratch },
      },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      child = null;
      resolve({ code, output });
    });
  });
}

function firstLine(text = '') {
  return text.split('\n')[0].slice(0, 200);
}

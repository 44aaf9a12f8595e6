// Builds the SDK as it is installed, into dist/sdk or the folder that is given: ES modules and CommonJS, with types for both.
// The types of what the gateway answers are made of its OpenAPI document first.
// `--check` has it looked over by publint and by "are the types wrong".
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../set-up.js';

const source = path.join(projectRoot, 'src', 'sdk');
const [given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const folder = path.resolve(given ?? path.join(projectRoot, 'dist', 'sdk'));

runTool('node', ['--disable-warning=ExperimentalWarning', 'scripts/build/sdk-types.js']);
mkdirSync(path.dirname(folder), { recursive: true });
const draft = mkdtempSync(`${folder}-`);
try {
  compile('esm', 'module', ['--module', 'nodenext']);
  compile('cjs', 'commonjs', [
    '--module',
    'commonjs',
    '--moduleResolution',
    'bundler',
    '--verbatimModuleSyntax',
    'false',
  ]);
  const {
    private: _private,
    scripts: _scripts,
    ...manifest
  } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8'));
  writeFileSync(path.join(draft, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  copyFileSync(path.join(source, 'README.md'), path.join(draft, 'README.md'));
  copyFileSync(path.join(projectRoot, 'LICENSE'), path.join(draft, 'LICENSE'));
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
} finally {
  rmSync(draft, { recursive: true, force: true });
}
if (process.argv.includes('--check')) await check();

async function check() {
  runTool('publint', [folder, '--strict']);
  const { checkPackage, createPackageFromTarballData } = await import('@arethetypeswrong/core');
  const packed = mkdtempSync(path.join(tmpdir(), 'heliograph-sdk-'));
  try {
    execFileSync('npm', ['pack', folder, '--silent'], {
      cwd: packed,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = readFileSync(path.join(packed, readdirSync(packed)[0]));
    const { types, problems } = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
    if (types && problems.length === 0) return;
    throw new Error(`The types are wrong:\n${JSON.stringify(problems, null, 2)}`);
  } finally {
    rmSync(packed, { recursive: true, force: true });
  }
}

function compile(name, type, options) {
  const out = path.join(draft, name);
  runTool('tsc', ['-p', source, '--outDir', out, ...options]);
  writeFileSync(path.join(out, 'package.json'), `${JSON.stringify({ type })}\n`);
  // tsc rewrites what is imported in code, and leaves it as it is in types.
  for (const file of readdirSync(out, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const types = readFileSync(path.join(out, file), 'utf8');
    writeFileSync(path.join(out, file), types.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"));
  }
}

function runTool(name, args) {
  run(path.join(projectRoot, 'node_modules', '.bin', name), args);
}

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: projectRoot, encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${path.basename(command)} ${args.join(' ')}:\n${stdout}${stderr}`);
}

// See scripts/release.js. The archive has what the image of a gateway has, without packages and without the files that browsers
// load: the built Worker with what wrangler.toml says, the source of what runs in Node, and D1's migrations.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { projectRoot } from '../set-up.js';

const archiveBytesMax = 3 * 1024 * 1024;
const left = new Set(['api-reference', 'dashboard', 'deploy', 'sdk']);
const versionPattern = /^\d+\.\d+\.\d+(-dev)?$/;
const file = (...names) => path.join(projectRoot, ...names);
const text = (name) => readFileSync(file(name), 'utf8');

const [next] = process.argv.slice(2);
const { version } = JSON.parse(text('package.json'));
try {
  refuseWhatIsNone();
  await writeArchive();
  setVersion();
  console.log(
    `  releases/${version}.tar.zst is kept, and the tree is ${next}. Look at both, and commit them.`,
  );
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function refuseWhatIsNone() {
  if (next === undefined || !versionPattern.test(next))
    throw new Error('Say which version comes next: npm run release -- 0.3.0-dev');
  if (version.includes('-'))
    throw new Error(`This tree is ${version}: set the version of the release in package.json first.`);
  if (!text('CHANGELOG.md').includes(`\n## ${version}`))
    throw new Error(`CHANGELOG.md has no part "## ${version}".`);
  const changed = execFileSync('git', ['status', '--porcelain', 'src', 'migrations', 'wrangler.toml'], {
    cwd: projectRoot,
    encoding: 'utf8',
  });
  if (changed !== '') throw new Error(`A release is what is committed:\n${changed}`);
}

async function writeArchive() {
  execFileSync(process.execPath, [file('scripts/build.js')], { cwd: projectRoot, stdio: 'inherit' });
  const folder = mkdtempSync(path.join(tmpdir(), 'heliograph-release-'));
  try {
    for (const name of readdirSync(file('src')))
      if (!left.has(name)) cpSync(file('src', name), path.join(folder, 'src', name), { recursive: true });
    for (const name of ['dist/worker', 'migrations', 'package.json', 'package-lock.json', 'LICENSE'])
      cpSync(file(name), path.join(folder, name), { recursive: true });
    // The folder of static files has to be there, if empty.
    mkdirSync(path.join(folder, 'dist', 'assets'));
    const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=2020-01-01'];
    const tar = execFileSync('tar', ['-c', ...same, '-C', folder, '.'], { maxBuffer: 256 * 1024 * 1024 });
    const archive = await promisify(zstdCompress)(tar, {
      params: { [constants.ZSTD_c_compressionLevel]: 19 },
    });
    if (archive.length > archiveBytesMax)
      throw new Error(`The archive has ${archive.length} bytes, more than ${archiveBytesMax}.`);
    rmSync(file('releases'), { recursive: true, force: true });
    mkdirSync(file('releases'));
    writeFileSync(file('releases', `${version}.tar.zst`), archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** In package.json, package-lock.json, where the code says it. */
function setVersion() {
  const own = `"name": "heliograph",\n`;
  for (const name of ['package.json', 'package-lock.json']) {
    const before = text(name);
    const after = before.replaceAll(
      new RegExp(`${own}(\\s*)"version": "${version.replaceAll('.', '\\.')}"`, 'g'),
      (_, space) => `${own}${space}"version": "${next}"`,
    );
    writeFileSync(file(name), after);
  }
  writeFileSync(
    file('src/contract/release.ts'),
    text('src/contract/release.ts').replace(`'${version}'`, `'${next}'`),
  );
}

// What others have made of an image: an SBOM (CycloneDX) and the texts of the licences.
//
//   node scripts/build/licences.js DIR            of the production packages that are installed here
//   node scripts/build/licences.js DIR --bundled  and of those that are bundled into dist/ and the dashboard
//   node scripts/build/licences.js --check        only whether their licences are among those that we take
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

const taken = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
];
/** Weak copyleft, used unchanged and as files of their own. `SECURITY.md` and docs/operating/bridges.md say what follows. */
const takenOf = {
  'MPL-2.0': /^mediabunny$/,
  'LGPL-3.0-or-later': /^@img\/sharp-/,
  Unlicense: /^fast-sha256$/,
  // Spoken by the bridge alone, through Baileys.
  'GPL-3.0': /^libsignal$/,
  // Its font, which the dashboard serves.
  'OFL-1.1': /^@fontsource-variable\//,
};
/** What others have compiled into a package, which names its own licence alone. Weak copyleft here is used as above. */
const within = {
  'libopus-wasm': { name: 'libopus', license: 'BSD-3-Clause' },
  'opus-decoder': { name: 'libopus', license: 'BSD-3-Clause' },
  'mpg123-decoder': { name: 'libmpg123', license: 'LGPL-2.1', source: 'https://www.mpg123.de' },
};

const read = (name) => readFileSync(path.join(projectRoot, name), 'utf8');
const lock = JSON.parse(read('package-lock.json')).packages;
const isCheck = process.argv.includes('--check');
const isBundled = process.argv.includes('--bundled');
const target = process.argv.slice(2).find((argument) => !argument.startsWith('--'));
if (!isCheck && target === undefined) throw new Error('usage: licences.js DIR [--bundled] | --check');

/** Where a package lies → its name, version and licence. */
const production = Object.entries(lock).filter(([place, { dev }]) => place !== '' && !dev);
const places = new Map(
  isCheck ? production : production.filter(([place]) => existsSync(path.join(projectRoot, place))),
);
if (isBundled) for (const place of await bundledPlaces()) places.set(place, lock[place] ?? {});

const packages = [...places].map(([place, { version, license }]) => ({
  place,
  name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version,
  license: license ?? 'unknown',
}));
const refused = packages.filter(({ name, license }) => !isTaken(name, license));
for (const { name, version, license } of refused)
  console.error(
    `${name}@${version} is under ${license}, which is not among the licences that this project takes.`,
  );
if (refused.length > 0) process.exit(1);
if (!isCheck) writeLegal();

function isTaken(name, license) {
  const choices = license.replace(/[()]/g, '').split(' OR ');
  return choices.some((choice) =>
    choice.split(' AND ').every((one) => taken.includes(one) || takenOf[one]?.test(name) === true),
  );
}

/** By what the bundler has written into the Worker, and Vite beside the dashboard. */
async function bundledPlaces() {
  const worker = read('dist/worker/index.js').matchAll(
    /^\s*\/\/ (node_modules\/(?:.*\/node_modules\/)?(?:@[^/\s]+\/)?[^/\s]+)\//gm,
  );
  const { buildDashboard } = await import('./dashboard.js');
  const listed = JSON.parse(
    readFileSync(path.join(buildDashboard(projectRoot), '.vite', 'license.json'), 'utf8'),
  );
  const dashboard = listed.map(({ name }) => `node_modules/${name}`);
  // The viewer of the API reference is served as it comes.
  return new Set([...[...worker].map(([, place]) => place), ...dashboard, 'node_modules/swagger-ui-dist']);
}

function writeLegal() {
  const folder = path.resolve(target);
  mkdirSync(folder, { recursive: true });
  const known = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  // Of the lock file, since npm finds fault with whatever is not installed; what is not part of the image goes below.
  const command = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'];
  const sbom = JSON.parse(
    execFileSync('npm', command, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
  );
  const root = sbom.metadata.component['bom-ref'];
  sbom.components = sbom.components.filter(({ name, version }) => known.has(`${name}@${version}`));
  const kept = new Set([root, ...sbom.components.map((component) => component['bom-ref'])]);
  sbom.dependencies = sbom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) }));
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`);

  const texts = packages
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ place, name, version, license }) => {
      const own = licenceTexts(path.join(projectRoot, place));
      const inner = within[name];
      if (inner !== undefined) {
        const source = inner.source === undefined ? '' : `, whose source is at ${inner.source}`;
        own.push(`In it is ${inner.name} (${inner.license})${source}:`);
        own.push(read(`scripts/build/licence-texts/${inner.name}.txt`).trim());
      }
      return `${'='.repeat(78)}\n${name} ${version} (${license})\n\n${own.join('\n\n') || 'Its package brings no text of its licence.'}\n`;
    });
  writeFileSync(path.join(folder, 'THIRD-PARTY-LICENCES.txt'), texts.join('\n'));
  console.log(`${packages.length} packages: ${path.join(target, 'sbom.cdx.json')}, THIRD-PARTY-LICENCES.txt`);
}

function licenceTexts(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^(licen[cs]e|copying|notice)/i.test(entry.name))
    .map((entry) => readFileSync(path.join(folder, entry.name), 'utf8').trim());
}

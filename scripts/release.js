// `npm run release -- NEXT`: keeps what runs of this version in releases/, in place of the release before, for the test that
// upgrades from it; and gives the tree the next version, such as 0.3.0-dev. How a release is made: docs/operating/upgrades.md.
import { ensureInstalled, runNode } from './set-up.js';

ensureInstalled();
process.exitCode = await runNode([
  '--disable-warning=ExperimentalWarning',
  'scripts/build/release-archive.js',
  ...process.argv.slice(2),
]);

// Runs before anything is installed, on Node 20 and newer: plain JavaScript, nothing but Node itself.
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, existsSync, constants as fileConstants, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const nodeMajor = 24;
/** The Node that the product runs on; it is a package, so that a machine need not have it. */
const packagedNode = path.join(projectRoot, 'node_modules', '.bin', 'node');
/** Where there is no such package for the platform, the Node that runs this. */
const nodePath = () => (existsSync(packagedNode) ? packagedNode : process.execPath);

/** Puts the project's tools first, and keeps them from phoning home or writing outside the project. */
export const toolEnvironment = {
  // Source whose types were stripped once need not be stripped at each start.
  NODE_COMPILE_CACHE: path.join(projectRoot, 'node_modules', '.cache', 'heliograph', 'compiled'),
  ...process.env,
  PATH: `${path.join(projectRoot, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_WRITE_LOGS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
};

/**
 * Installs exactly what package-lock.json names, unless that is what is there already; `production`: without what only
 * builds and tests need. Exits with 1 if it fails.
 */
export function ensureInstalled({ production = false } = {}) {
  // Also where nothing is to be installed: what is built is kept there.
  refuseForeignFolder();
  if (!installedMatchesLock(production)) {
    console.log('Installing dependencies, once …');
    // Packages run no code of theirs here.
    npmOrExit(['ci', '--ignore-scripts', ...(production ? ['--omit=dev'] : [])]);
  }
  refuseOldNode();
}

/** Whether `npm run build` and `npm prune --omit=dev` have made this a place that only runs: nothing is installed there again. */
export const isForRunningOnly = () =>
  existsSync(path.join(projectRoot, 'dist', 'worker', 'index.js')) &&
  !existsSync(path.join(projectRoot, 'node_modules', 'wrangler'));

function refuseOldNode() {
  if (existsSync(packagedNode) || Number.parseInt(process.versions.node, 10) >= nodeMajor) return;
  console.error(
    `There is no package of Node ${nodeMajor} for ${process.platform} on ${process.arch}. Install Node ${nodeMajor} or newer, and start again with it.`,
  );
  process.exit(1);
}

function npmOrExit(args) {
  const { status, stderr, error } = runNpm(args);
  if (status === 0) return;
  console.error(
    `${stderr ?? error?.message ?? ''}\nThe dependencies could not be installed, so nothing was started. ` +
      'Mend what npm says above (mostly the network, or a full disk) and start again.',
  );
  process.exit(1);
}

// A first start with sudo, or in a container as root, leaves a folder that nobody else can change; npm's own words for
// that are a page long.
function refuseForeignFolder() {
  const folder = path.join(projectRoot, 'node_modules');
  try {
    accessSync(existsSync(folder) ? folder : projectRoot, fileConstants.W_OK);
  } catch {
    const owner = existsSync(folder) ? statSync(folder).uid : statSync(projectRoot).uid;
    const whose = owner === 0 ? 'root' : `another user (uid ${owner})`;
    const whole = existsSync(folder) ? `sudo rm -rf ${folder}` : `sudo chown -R "$(id -un)" ${projectRoot}`;
    console.error(
      `${existsSync(folder) ? folder : projectRoot} belongs to ${whose}, so nothing can be installed or built there. ` +
        `Run this once, and start again: ${whole}`,
    );
    process.exit(1);
  }
}

function runNpm(args) {
  const { npm_execpath: npmCli, npm_node_execpath: itsNode = process.execPath } = process.env;
  // The Node that runs this may be one of the packages that an install has just taken away.
  const [command, ...prefix] = npmCli?.endsWith('.js') && existsSync(itsNode) ? [itsNode, npmCli] : ['npm'];
  return spawnSync(command, [...prefix, ...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: projectRoot,
    stdio: 'pipe',
    encoding: 'utf8',
  });
}

// npm writes what it installed to node_modules/.package-lock.json, as the last step of an install.
function installedMatchesLock(production) {
  const installedPath = path.join(projectRoot, 'node_modules', '.package-lock.json');
  if (!existsSync(installedPath)) return false;
  const wanted = JSON.parse(readFileSync(path.join(projectRoot, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedPath, 'utf8')).packages;
  const same = (name) =>
    wanted[name]?.version === installed[name]?.version &&
    wanted[name]?.integrity === installed[name]?.integrity;
  const present = Object.keys(installed).every(same);
  const mayBeMissing = ({ dev, optional, devOptional }) => optional || devOptional || (production && dev);
  const named = Object.keys({
    ...wanted[''].dependencies,
    ...(production ? {} : wanted[''].devDependencies),
  });
  const complete =
    named.every((name) => `node_modules/${name}` in installed) &&
    Object.keys(wanted).every((path) => path === '' || path in installed || mayBeMissing(wanted[path]));
  return present && complete;
}

/** Runs Node 24 in this terminal until it ends, passes signals on, and gives its exit code. */
export function runNode(args, environment = {}) {
  return new Promise((resolve) => {
    const child = spawn(nodePath(), args, {
      cwd: projectRoot,
      // The channel tells the child when this process is gone, even by kill -9.
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: { ...toolEnvironment, ...environment },
    });
    const passOn = (signal) => child.kill(signal);
    // A terminal has sent Ctrl-C to the child too; twice would cut its clean stop short.
    process.on('SIGINT', (signal) => process.stdin.isTTY || passOn(signal));
    process.on('SIGTERM', passOn);
    process.on('SIGHUP', passOn);
    const watch = whenNpmIsGone(() => child.kill('SIGTERM'));
    child.on('error', (error) => {
      console.error(`Node 24 could not be started from ${nodePath()}: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code, signal) => {
      clearInterval(watch);
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

// npm runs a script through a shell, and neither hands on a signal that ends it: nobody would stop what we run.
function whenNpmIsGone(act) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const ancestors = () => `${process.ppid} ${parentOf(process.ppid)}`;
  const before = ancestors();
  return setInterval(() => {
    if (ancestors() !== before) act();
  }, 500);
}

// Only Linux tells it this cheaply; elsewhere the shell alone is watched.
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  } catch {
    return '';
  }
}

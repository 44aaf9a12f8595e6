import { accessSync, constants } from 'node:fs';

/**
 * Where Debian and others put it; `CHROMIUM_PATH` names another. The headless shell comes first: it is the same engine
 * without windows, and needs half the CPU.
 */
const paths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The browser of this machine; null where there is none. */
export const chromiumPath =
  paths.find((path) => path !== undefined && path !== '' && isExecutable(path)) ?? null;

import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isStrongKey, strongKeyMust } from '../settings/secrets.ts';
import {
  oneOf,
  optionalSetting,
  plainText,
  port,
  readSettingsBy,
  SettingsProblem,
  setting,
  textThat,
  wholeNumber,
} from '../settings/setting.ts';
import { checkWorkerSettings } from '../settings/worker-settings.ts';

/** Variables of the local gateway alone, in the order of the table in docs/operating/settings.md. */
export const localSettingsShape = {
  PORT: setting('8787', port(65_535), 'Where the gateway listens.'),
  HOST: setting(
    '127.0.0.1',
    textThat(
      'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
      (text) => ipaddr.isValid(text) && !text.includes('%'),
    ),
    'The address on which it listens; `0.0.0.0` for all of them. Read [self-hosting.md](self-hosting.md) first.',
  ),
  SIMULATOR_PORT: setting(
    '8790', // The port above it is used too.
    port(65_534),
    'The simulator; one port higher is the same over TLS.',
  ),
  HELIOGRAPH_HOME: setting(
    '.heliograph',
    plainText,
    'All local state and secrets. Delete it to start from scratch.',
  ),
  HELIOGRAPH_DEMO: setting('1', oneOf(['0', '1']), 'Pair a simulated number and send the demo message.'),
  LOG_TO: setting(
    'files',
    oneOf(['files', 'stdout']),
    '`files`: logs in `$HELIOGRAPH_HOME/logs`, and words for people in the terminal. `stdout`: every log as JSON ' +
      'lines on standard output and nothing else there, as a service wants it.',
  ),
  NETWORK: setting(
    'simulator',
    oneOf(['simulator', 'whatsapp']),
    '`whatsapp`: the same bridge dials the real network and shows the QR code in the terminal.',
  ),
  BRIDGES: setting('1', wholeNumber(1, 20), 'Number of session bridges, each its own process.'),
  BRIDGE_NODE_OPTIONS: optionalSetting(
    textThat('options that Node takes from NODE_OPTIONS, such as --max-old-space-size=512', isTakenByNode),
    'Node options for the bridges, such as `--max-old-space-size=512`.',
  ),
  HELIOGRAPH_RESET_ADMIN: setting(
    '0',
    oneOf(['0', '1']),
    '`1`: creates a single-use link with which the first administrator sets a new password.',
  ),
  VAULT_KEY_PREVIOUS: optionalSetting(
    textThat(strongKeyMust, isStrongKey),
    'The vault key before, while anything is sealed under it.',
    { isSecret: true, isInternal: true },
  ),
  WORKERD_INSPECTOR_PORT: optionalSetting(
    port(65_535),
    "A port on this machine for the runtime's inspector.",
  ),
  RECONNECT_BASE_MS: setting(
    '200',
    wholeNumber(1, 3_600_000),
    'First pause of the bridge before it reconnects to the network.',
  ),
  RECONNECT_CAP_MS: setting('2000', wholeNumber(1, 3_600_000), 'Its longest pause.'),
};

/** Node itself knows best: one that does not take them ends before it does anything. */
function isTakenByNode(options: string): boolean {
  const env = { ...process.env, NODE_OPTIONS: options };
  return spawnSync(process.execPath, ['--version'], { env, stdio: 'ignore' }).status === 0;
}

const localSettingsSchema = z
  .object(localSettingsShape)
  .refine(
    (values) =>
      values.NETWORK !== 'simulator' ||
      (values.PORT !== values.SIMULATOR_PORT && values.PORT !== values.SIMULATOR_PORT + 1),
    { path: ['PORT'], error: 'must differ from SIMULATOR_PORT and from the port above that' },
  );

/** How `npm start` was asked to run. */
export interface LocalSettings {
  port: number;
  /** The address on which the gateway listens. */
  host: string;
  /** Whether others than this machine may come: by its address, or through what stands in front. */
  isOpen: boolean;
  /** Where this machine itself finds the gateway: `http://…`. */
  baseUrl: string;
  simulatorPort: number;
  /** Absolute path of the folder that holds all local state. */
  home: string;
  demo: boolean;
  logTo: 'files' | 'stdout';
  /** Whether the first administrator is to get a link for a new password. */
  resetsAdmin: boolean;
  network: 'simulator' | 'whatsapp';
  bridges: number;
  reconnectMs: { base: number; cap: number };
}

/** A problem that the person who started the gateway can mend; its message is the whole explanation. */
export class StartProblem extends Error {}

/**
 * Reads the environment; an empty value counts as unset. Throws {@link StartProblem} with a sentence for each wrong
 * variable, those of the Worker included.
 */
export function readSettings(environment: Record<string, string | undefined>): LocalSettings {
  const read = () => readSettingsBy(localSettingsSchema, localSettingsShape, environment);
  const checks = [read, () => checkWorkerSettings(environment), () => requirePublicUrl(environment)];
  const problems = checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof SettingsProblem) return [error.message];
      throw error;
    }
  });
  if (problems.length > 0) throw new StartProblem(problems.join('\n'));
  const values = read();
  return {
    port: values.PORT,
    host: values.HOST,
    isOpen: !isLoopback(values.HOST) || Boolean(environment.PUBLIC_URL),
    baseUrl: `http://${loopbackOf(values.HOST)}:${values.PORT}`,
    simulatorPort: values.SIMULATOR_PORT,
    home: resolve(values.HELIOGRAPH_HOME),
    demo: values.HELIOGRAPH_DEMO === '1',
    logTo: values.LOG_TO,
    resetsAdmin: values.HELIOGRAPH_RESET_ADMIN === '1',
    network: values.NETWORK,
    bridges: values.BRIDGES,
    reconnectMs: { base: values.RECONNECT_BASE_MS, cap: values.RECONNECT_CAP_MS },
  };
}

/**
 * Whoever comes from elsewhere, or through a proxy, knows the gateway by an address that it cannot see itself: cookies,
 * origins and links go by what is said here.
 */
function requirePublicUrl(environment: Record<string, string | undefined>): void {
  const { PUBLIC_URL, HOST = '', CLIENT_ADDRESS_HEADER: header = '' } = environment;
  if (PUBLIC_URL) return;
  const isOpen = ipaddr.isValid(HOST) && !isLoopback(HOST);
  if (!isOpen && (header === '' || header === 'none')) return;
  const why = isOpen ? 'HOST is beyond this machine' : 'CLIENT_ADDRESS_HEADER names a proxy';
  throw new SettingsProblem(
    `PUBLIC_URL must be set where ${why}: the address under which people know the gateway, such as https://gateway.example.com.`,
  );
}

/** Whether nobody but this machine reaches an address. */
const isLoopback = (host: string): boolean => ipaddr.process(host).range() === 'loopback';

function loopbackOf(host: string): string {
  if (!isLoopback(host)) return '127.0.0.1';
  return ipaddr.parse(host).kind() === 'ipv6' ? `[${host}]` : host;
}

/** Where the gateway listens: on `HOST`, and on loopback in any case, for the bridge and whoever started it. */
export function listenedAddresses(host: string): string[] {
  const range = ipaddr.process(host).range();
  return range === 'loopback' || range === 'unspecified' ? [host] : [host, '127.0.0.1'];
}

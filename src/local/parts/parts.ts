import { join } from 'node:path';
import type { Logger } from 'pino';
import { bridgeFolder, type Home } from '../home/home.ts';
import type { LocalSecrets } from '../home/secrets.ts';
import type { LocalSettings } from '../settings.ts';
import { terminal } from '../terminal.ts';
import { openLog } from './line-log.ts';
import { type PartOptions, SupervisedPart } from './supervised-part.ts';

export interface PartsContext {
  home: Home;
  settings: LocalSettings;
  secrets: LocalSecrets;
  logger: Logger;
}

/** workerd with the built Worker, its state in `gateway/`. */
export function gatewayPart(
  context: PartsContext & {
    projectRoot: string;
    buildFolder: string;
    mailCatcherUrl: string;
    demoReceiverUrl: string | null;
  },
): SupervisedPart {
  const { home, settings, secrets } = context;
  return startPart(context, {
    name: 'gateway',
    entry: '../gateway/gateway.ts',
    stopMs: 5000,
    environment: {
      PORT: String(settings.port),
      HOST: settings.host,
      WEBHOOK_TARGETS: webhookTargets(settings, context.demoReceiverUrl),
      PART_HOSTS: [settings.simulatorPort, settings.simulatorPort + 1, settings.port]
        .map((port) => `127.0.0.1:${port}`)
        .join(),
      GATEWAY_URL: settings.baseUrl,
      // Its owner alone reads that file: there are the links of mails that no mail server could take.
      UNSENT_MAIL: settings.logTo === 'files' ? 'log' : 'dropped',
      OPERATOR_EMAILS: process.env.OPERATOR_EMAILS || secrets.admin.email,
      // Its administrator is its operator too: whom they invite can come in.
      SIGNUP: process.env.SIGNUP || 'invite',
      MAIL_CATCHER_URL: context.mailCatcherUrl,
      GATEWAY_STATE: home.gateway,
      GATEWAY_SCRATCH: home.scratch,
      WORKER_BUILD: context.buildFolder,
      PROJECT_ROOT: context.projectRoot,
      JWT_PRIVATE_KEY: JSON.stringify(secrets.jwtPrivateKey),
      WEBHOOK_SEALING_KEY: secrets.webhookSealingKey,
      KEY_CHECKSUM_SECRET: secrets.keyChecksumSecret,
      MEDIA_URL_SECRET: secrets.mediaUrlSecret,
      BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
      BOOTSTRAP_TOKEN: secrets.bootstrapToken,
      ...previousSecrets(secrets),
      WRANGLER_LOG: 'none',
    },
    isReady: (line) => line.includes('"gateway.listening"'),
    onLine: (line) => {
      if (!line.includes('"gateway.runtime_restarted"')) return;
      tellOfRestart('gateway', (JSON.parse(line) as { died: string }).died);
    },
  });
}

/** Those that the folder names. One that the environment names goes its own way. */
function previousSecrets(secrets: LocalSecrets): Record<string, string> {
  const { jwtPrivateKeyPrevious: jwk } = secrets;
  const given = {
    JWT_PRIVATE_KEY_PREVIOUS: jwk && JSON.stringify(jwk),
    WEBHOOK_SEALING_KEY_PREVIOUS: secrets.webhookSealingKeyPrevious,
    KEY_CHECKSUM_SECRET_PREVIOUS: secrets.keyChecksumSecretPrevious,
    MEDIA_URL_SECRET_PREVIOUS: secrets.mediaUrlSecretPrevious,
  };
  return Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * Whoever has an account could else have the gateway call this machine's own services. While the demo runs on a machine
 * that nobody else reaches, receivers on it may be tried; where others come too, the demo's own is the only one.
 */
function webhookTargets({ demo, isOpen }: LocalSettings, demoReceiverUrl: string | null): string {
  if (!demo || demoReceiverUrl === null) return 'public';
  return isOpen ? `loopback:${new URL(demoReceiverUrl).port}` : 'loopback';
}

/** A session bridge that runs, as `local.json` names it. */
export interface RunningBridge {
  bridgeId: string;
  pid: number;
}

/**
 * The so-manyth session bridge, from 1 on; `NETWORK` decides what it dials, and nothing else differs. `onRunning` is
 * called at each start of its process.
 */
export function bridgePart(
  context: PartsContext,
  place: number,
  onRunning: (bridge: RunningBridge) => void,
): SupervisedPart {
  const { home, settings, secrets } = context;
  const name = place === 1 ? 'bridge' : `bridge-${place}`;
  return startPart(context, {
    name,
    entry: '../../session-bridge/main.ts',
    // It drains: what is in flight gets up to 10 s.
    stopMs: 15_000,
    environment: {
      GATEWAY_URL: settings.baseUrl,
      BRIDGE_ENROLMENT_TOKEN: secrets.bridgeToken,
      VAULT_KEY: secrets.vaultKey,
      ...(secrets.vaultKeyPrevious && { VAULT_KEY_PREVIOUS: secrets.vaultKeyPrevious }),
      BRIDGE_HOME: bridgeFolder(home, place),
      NODE_OPTIONS: process.env.BRIDGE_NODE_OPTIONS ?? '',
      NETWORK: settings.network,
      ...(settings.network === 'simulator' ? simulatorEnvironment(home, settings) : {}),
    },
    isReady: (line, pid) => {
      const bridgeId = startedBridge(line);
      if (bridgeId !== null && pid !== undefined) onRunning({ bridgeId, pid });
      return bridgeId !== null;
    },
  });
}

/** Whose line it is, where it says that a bridge has started. */
function startedBridge(line: string): string | null {
  if (!line.includes('"bridge.started"')) return null;
  const { bridgeId } = JSON.parse(line) as { bridgeId?: unknown };
  return typeof bridgeId === 'string' ? bridgeId : null;
}

/** The consumer network on this machine. */
export function simulatorPart(context: PartsContext): SupervisedPart {
  const { home, settings } = context;
  return startPart(context, {
    name: 'simulator',
    entry: '../../network-simulator/main.ts',
    stopMs: 5000,
    environment: { SIMULATOR_PORT: String(settings.simulatorPort), SIMULATOR_HOME: home.simulator },
    isReady: (line) => line.includes('"simulator.listening"'),
  });
}

function simulatorEnvironment(home: Home, settings: LocalSettings): Record<string, string> {
  return {
    NETWORK_SOCKET_URL: `ws://127.0.0.1:${settings.simulatorPort}/ws/chat`,
    NODE_EXTRA_CA_CERTS: join(home.simulator, 'certificate.pem'),
    // A network on this machine is back in a moment; the caps for a distant one would only keep people waiting.
    RECONNECT_BASE_MS: String(settings.reconnectMs.base),
    RECONNECT_CAP_MS: String(settings.reconnectMs.cap),
  };
}

function startPart(
  { home, settings, logger }: PartsContext,
  options: Omit<PartOptions, 'log' | 'logger' | 'onRestart'>,
): SupervisedPart {
  const summarise = errorSummary(options.name);
  const part = new SupervisedPart({
    ...options,
    log: openLog(home.logs, options.name, settings.logTo),
    logger,
    onLine: (line) => {
      options.onLine?.(line);
      const trouble = summarise(line);
      if (trouble !== null) terminal.trouble(trouble);
    },
    onRestart: (died) => tellOfRestart(options.name, died),
  });
  part.start();
  return part;
}

function tellOfRestart(name: string, died: string): void {
  terminal.warn(`The ${name} had ended (${died}) and was started again.`);
}

/** The same trouble is shown at most once in this time; the log has every line. */
const repeatAfterMs = 10_000;

/**
 * Finds the errors in a part's JSON log lines. The returned function gives a line for the terminal: the name of
 * what happened and nothing of its content; or null for what is no error or was shown just now.
 */
function errorSummary(part: string): (line: string) => string | null {
  const shownAt = new Map<string, number>();
  return (line) => {
    const event = errorEvent(line);
    if (event === null) return null;
    const now = Date.now();
    if (now - (shownAt.get(event) ?? 0) < repeatAfterMs) return null;
    shownAt.set(event, now);
    return `${part}: ${event} (see logs/${part}.log)`;
  };
}

function errorEvent(line: string): string | null {
  if (!line.startsWith('{')) return null;
  try {
    const { level, event, msg } = JSON.parse(line);
    const isError = typeof level === 'number' ? level >= 50 : level === 'error' || level === 'fatal';
    return isError ? ([event, msg].find(isEventName) ?? 'error') : null;
  } catch {
    return null;
  }
}

// A name such as `webhook.failed`; free text might hold anything.
const isEventName = (value: unknown): value is string =>
  typeof value === 'string' && /^[a-z][a-z0-9_.-]{0,60}$/.test(value);

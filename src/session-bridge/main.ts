import './network/client/small-pool.ts';
import './network/client/quiet-console.ts';
import './network/client/fast-signatures.ts';
import { type RunningBridge, startBridge } from './bridge.ts';
import { ConfigError, readConfig } from './config.ts';
import { errorText, makeLog } from './logging.ts';
import { ClientMismatchError } from './network/client/client-shapes.ts';

// The client records a stack trace for every frame that it sends, for a possible timeout. With the usual ten frames that is a
// third of all work. To find an error, start Node with --stack-trace-limit.
if (!process.execArgv.some((flag) => flag.startsWith('--stack-trace-limit'))) Error.stackTraceLimit = 1;

/** Ends the process with one sentence for the operator. */
function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

function journalTrouble(error: unknown): string {
  const what = errorText(error).replace(/\.$/, '');
  const isFull = /disk is full|ENOSPC|EDQUOT/.test(what);
  const isForbidden = /readonly database|unable to open|EACCES|EROFS|EPERM/.test(what);
  const remedy = isFull
    ? ' Make room on its disk; nothing that the gateway or the network was told is lost.'
    : isForbidden
      ? ' It must be a folder that this user may write.'
      : '';
  return `The journal in BRIDGE_HOME cannot be used: ${what}.${remedy}`;
}

function start(): RunningBridge {
  try {
    const config = readConfig(process.env);
    const log = makeLog(config.logLevel);
    // A query that was in progress when a connection ended rejects somewhere inside the client. That is not a crash.
    process.on('unhandledRejection', (error) => log.warn({ error: errorText(error) }, 'promise.unhandled'));
    process.on('uncaughtException', (error) => {
      log.fatal({ error: errorText(error), stack: error.stack?.split('\n').slice(1, 6) }, 'process.crashed');
      process.exit(1);
    });
    return startBridge(config, {
      // The supervisor of this process tries again. Until the disk has room, each start logs this.
      onBroken: (error) => refuse(journalTrouble(error)),
      onImpossible: (error) => refuse(error.message),
      onRefused: () =>
        refuse(
          'BRIDGE_ENROLMENT_TOKEN lets no bridge in: it is wrong, too old, or was used by another bridge.',
        ),
    });
  } catch (error) {
    if (error instanceof ConfigError || error instanceof ClientMismatchError) refuse(error.message);
    refuse(journalTrouble(error));
  }
}

const bridge = start();
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    bridge.drain().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}

import './quiet-console.ts';
// Each phone of people signs keys.
import '../session-bridge/network/client/fast-signatures.ts';
import { createLog } from './log.ts';
import { startSimulator } from './start-simulator.ts';

// Node tells raw keys from key objects by an error that it catches, and the traces of those are a tenth of all work.
if (!process.execArgv.some((flag) => flag.startsWith('--stack-trace-limit'))) Error.stackTraceLimit = 1;

const portMax = 65_534;
const port = Number(process.env.SIMULATOR_PORT ?? 8790);
const home = process.env.SIMULATOR_HOME ?? '.heliograph/simulator';

async function main(): Promise<void> {
  if (!Number.isInteger(port) || port < 0 || port > portMax) {
    throw new Error(
      `SIMULATOR_PORT must be a number from 0 to ${portMax}, not "${process.env.SIMULATOR_PORT}".`,
    );
  }
  const log = createLog(process.env.SIMULATOR_LOG ?? 'info');
  const tlsPort = port === 0 ? 0 : port + 1;
  const simulator = await startSimulator({ port, tlsPort, home, log });
  process.stdout.write(
    `${JSON.stringify({ event: 'simulator.listening', port: simulator.port, tlsPort: simulator.tlsPort })}\n`,
  );
  let closing = false;
  const stop = (): void => {
    if (closing) return;
    closing = true;
    simulator.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

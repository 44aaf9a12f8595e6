/* `npm start`: reads how it was asked to run, runs the local gateway in this terminal, and says why where it cannot. */
import { runLocalGateway } from './local-gateway.ts';
import { readSettings } from './settings.ts';
import { terminal } from './terminal.ts';

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
// Whoever started this process is gone.
process.once('disconnect', () => stop.abort());

try {
  await runLocalGateway(readSettings(process.env), stop.signal);
  process.exit(0);
} catch (error) {
  terminal.fail(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

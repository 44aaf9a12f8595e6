import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { EnrolError, enrolBridge } from './enrol.ts';

/** From a pipe, or what somebody pastes; nothing where there is nobody to ask. */
async function askOperator(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // An end of the input leaves the question open for ever.
    const ended = once(lines, 'close').then(() => '');
    return (await Promise.race([lines.question(question), ended])).trim();
  } finally {
    lines.close();
  }
}

try {
  process.stdout.write(await enrolBridge(process.argv.slice(2), process.env, askOperator));
} catch (error) {
  if (!(error instanceof EnrolError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

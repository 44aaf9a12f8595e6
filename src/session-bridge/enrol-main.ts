import { createInterface } from 'node:readline/promises';
import { EnrolError, enrolBridge } from './enrol.ts';

/** From a pipe, or what somebody pastes. */
async function askOperator(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await lines.question(question)).trim();
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

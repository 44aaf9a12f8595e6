import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BackupProblem } from './problem.ts';

/**
 * The address of the gateway that runs on the state folder; null for none. Throws `BackupProblem` where one is there and does not
 * answer in time: it is busy, and nobody else may open its state.
 */
export async function runningAt(path: string, answerWithinMs = 60_000): Promise<string | null> {
  const file = join(path, 'local.json');
  if (!existsSync(file)) return null;
  const baseUrl = addressIn(file);
  if (baseUrl === null) return null;
  try {
    const answer = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(answerWithinMs) });
    await answer.body?.cancel();
    return baseUrl;
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') return null;
    throw new BackupProblem(
      `The gateway at ${baseUrl} runs, and does not answer within ${answerWithinMs / 1000} s: run this again when it is less busy.`,
    );
  }
}

/** Null: the file is damaged. */
function addressIn(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { baseUrl: string }).baseUrl;
  } catch {
    return null;
  }
}

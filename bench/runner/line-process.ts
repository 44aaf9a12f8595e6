import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Figure } from './line.ts';

const entry = fileURLToPath(new URL('./run-line.ts', import.meta.url));

/** A file system in memory: Linux has one. */
const memoryFolder = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A line that takes longer hangs: it is ended, and what it started ends with it. */
const lineMsMax = 900_000;

/** Runs a line in a process of its own. Throws when it gave no figures; its temporary files are gone either way. */
export async function runLineProcess(
  linePath: string,
  rounds: number,
  signal: AbortSignal,
): Promise<Figure[]> {
  const [disk, memory] = [tmpdir(), memoryFolder].map((parent) =>
    mkdtempSync(join(parent, 'heliograph-bench-')),
  );
  try {
    return await figuresOf(linePath, rounds, { TMPDIR: disk, BENCH_MEMORY_FOLDER: memory }, signal);
  } finally {
    for (const scratch of [disk, memory]) {
      if (scratch) rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
  }
}

function figuresOf(
  linePath: string,
  rounds: number,
  folders: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<Figure[]> {
  return new Promise((resolve, reject) => {
    const child = fork(entry, [linePath, String(rounds)], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { ...process.env, ...folders, WRANGLER_LOG: 'none' },
      signal: AbortSignal.any([signal, AbortSignal.timeout(lineMsMax)]),
      killSignal: 'SIGKILL',
    });
    let figures: Figure[] | null = null;
    child.on('message', (message) => {
      figures = message as Figure[];
    });
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      if (figures !== null) resolve(figures);
      else reject(new Error(`no figures (${killedBy ?? `exit code ${code}`})`));
    });
  });
}

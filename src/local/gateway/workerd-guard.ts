import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';

/** Kills the process of its first argument as soon as its standard input ends, which is when we are gone. */
const guardScript = 'read -r _; kill -9 "$1" 2>/dev/null';

export interface WorkerdWatch {
  /** The runtime ended without our asking. */
  onExit(died: string): void;
  onStart(pid: number): void;
}

/**
 * Watches every workerd that Miniflare starts from now on. Miniflare does not hand out its process, and workerd
 * outlives a kill -9 of ours, ports and all: so a small guard process ends it with us. Resolves a function that
 * ends the watch and the guards; call it before the runtime is disposed.
 */
export function guardWorkerd(watch: WorkerdWatch): () => Promise<void> {
  const guards: ChildProcess[] = [];
  let ended = false;
  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process;
    child.once('spawn', () => {
      if (ended || !child.spawnfile.endsWith('workerd') || child.pid === undefined) return;
      watch.onStart(child.pid);
      guards.push(
        spawn('/bin/sh', ['-c', guardScript, 'workerd-guard', String(child.pid)], {
          detached: true,
          stdio: ['pipe', 'ignore', 'ignore'],
        }),
      );
      child.once('exit', (code, signal) => {
        if (!ended) watch.onExit(signal ?? `exit code ${code}`);
      });
    });
  });
  return async () => {
    ended = true;
    await Promise.all(
      guards.map(async (guard) => {
        if (guard.exitCode !== null || guard.signalCode !== null) return;
        const exited = once(guard, 'exit');
        guard.kill('SIGKILL');
        await exited;
      }),
    );
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';

/** A line that the runtime has written, as the gateway's log keeps it. */
export type RuntimeLine =
  /** One of the Worker's own, in JSON. */
  | { is: 'own' }
  /** What else it says may quote a request, passwords included: only its place in the source and its length are kept. */
  | { is: 'said'; isError: boolean; at: string | null; characters: number };

export function readRuntimeLine(level: string, message: string): RuntimeLine {
  if (isOwnLine(message)) return { is: 'own' };
  const at = /^[\w./+-]{1,80}:\d{1,6}(?=: )/.exec(message)?.[0] ?? null;
  return { is: 'said', isError: level === 'error' && !isHangUp(message), at, characters: message.length };
}

/** Somebody closed a connection before the answer had been written: that is theirs to do, and no fault. */
const isHangUp = (message: string) =>
  /^kj::getCaughtExceptionAsKj\(\) = [\w./+-]{1,80}:\d{1,6}: disconnected: /.test(message);

function isOwnLine(message: string): boolean {
  if (!message.startsWith('{"at":')) return false;
  try {
    return typeof JSON.parse(message).event === 'string';
  } catch {
    return false;
  }
}

/** Kills the process of its first argument as soon as its standard input ends, which is when we are gone. */
const guardScript = 'read -r _; kill -9 "$1" 2>/dev/null';

export interface WorkerdWatch {
  onStart(pid: number): void;
  /** The runtime ended without our asking. */
  onExit(died: string, livedMs: number): void;
}

/**
 * Watches every workerd that Miniflare starts from now on. Miniflare does not hand out its process, and workerd
 * outlives a kill -9 of ours, ports and all: so a small guard process ends it with us. Returns a function that
 * ends the watch and the guards; call it before the runtime is disposed.
 */
export function guardWorkerd(watch: WorkerdWatch): () => Promise<void> {
  const guards = new Set<ChildProcess>();
  let ended = false;
  subscribe('child_process', (message) => {
    const child = (message as { process: ChildProcess }).process;
    child.once('spawn', () => {
      if (ended || !child.spawnfile.endsWith('workerd') || child.pid === undefined) return;
      const startedAt = performance.now();
      watch.onStart(child.pid);
      const guard = spawn('/bin/sh', ['-c', guardScript, 'workerd-guard', String(child.pid)], {
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      guards.add(guard);
      guard.once('exit', () => guards.delete(guard));
      child.once('exit', (code, signal) => {
        if (ended) return;
        // Its process id may be another's soon.
        guard.kill('SIGKILL');
        watch.onExit(signal ?? `exit code ${code}`, performance.now() - startedAt);
      });
    });
  });
  return async () => {
    ended = true;
    const gone = [...guards].map((guard) => once(guard, 'exit'));
    for (const guard of guards) guard.kill('SIGKILL');
    await Promise.all(gone);
  };
}

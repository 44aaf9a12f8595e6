import { readdirSync, readFileSync } from 'node:fs';

/** A process that runs; one that has ended and is only waiting to be reaped does not. */
export interface RunningProcess {
  pid: number;
  parentPid: number;
  command: string;
}

/** What follows its name in `/proc/<pid>/stat`: state, parent and more. */
function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [state, parent] = statOf(name);
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return state === 'Z' ? [] : [{ pid: Number(name), parentPid: Number(parent), command }];
    } catch {
      // It ended while it was being looked at.
      return [];
    }
  });
}

/** A process and all that descend from it. */
export function processTree(rootPid: number): RunningProcess[] {
  const all = runningProcesses();
  const tree = all.filter(({ pid }) => pid === rootPid);
  for (let index = 0; index < tree.length; index += 1) {
    tree.push(...all.filter(({ parentPid }) => parentPid === tree[index]?.pid));
  }
  return tree;
}

export function isRunning(pid: number): boolean {
  return runningProcesses().some((process) => process.pid === pid);
}

/** A signal has stopped it. */
export const isStopped = (pid: number): boolean => statOf(pid)[0] === 'T';

import { readdirSync, readFileSync } from 'node:fs';

/** A process that runs; one that has ended and is only waiting to be reaped does not. */
export interface RunningProcess {
  pid: number;
  parentPid: number;
  command: string;
}

function runningProcesses(): RunningProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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

import { useEffect } from 'react';
import { Store, useStore } from '../../gateway/store.ts';
import type { IconName } from '../../parts/icon.tsx';

export interface Command {
  id: string;
  name: string;
  icon: IconName;
  /** What is found by that name, where it is nothing to do. */
  kind?: string;
  /** One key, or two that are pressed one after the other. */
  keys?: readonly [string] | readonly [string, string];
  run: () => void;
}

const lists = new Store<readonly (readonly Command[])[]>([]);

/** What can be done on the page that is open: in the palette, in the list of shortcuts, and by its keys. */
export function usePageCommands(commands: readonly Command[]): void {
  useEffect(() => {
    lists.set([...lists.value, commands]);
    return () => lists.set(lists.value.filter((list) => list !== commands));
  }, [commands]);
}

export const useOpenPageCommands = (): Command[] => useStore(lists).flat();

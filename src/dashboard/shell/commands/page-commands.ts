import { useEffect } from 'react';
import { Store, useStore } from '../../gateway/store.ts';
import type { Command } from './command.ts';

const lists = new Store<readonly (readonly Command[])[]>([]);

/** What can be done on the page that is open: in the palette, in the list of shortcuts, and by its keys. */
export function usePageCommands(commands: readonly Command[]): void {
  useEffect(() => {
    lists.set([...lists.value, commands]);
    return () => lists.set(lists.value.filter((list) => list !== commands));
  }, [commands]);
}

export const useOpenPageCommands = (): Command[] => useStore(lists).flat();

import type { IconName } from '../../parts/icon.tsx';

export interface Command {
  id: string;
  name: string;
  icon: IconName;
  /** One key, or two that are pressed one after the other. */
  keys?: readonly [string] | readonly [string, string];
  run: () => void;
}

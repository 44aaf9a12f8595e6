import { useRouter } from '@tanstack/react-router';
import type { SignedIn } from '../../sdk/index.ts';
import { session } from '../gateway/session.ts';
import { useStore } from '../gateway/store.ts';
import type { IconName } from '../parts/icon.tsx';
import type { PageName } from '../words/texts.ts';

/** A page in the navigation and among the commands. Its route has it. */
export interface NavigationEntry {
  name: PageName;
  icon: IconName;
  /** `operator`: for people who run the gateway, whatever they are in their account. */
  group: 'main' | 'developer' | 'operator';
  /** Agents see it too; nothing else is for them. */
  isForAgents?: true;
  /** The second key after `g`, for "go to". */
  goKey?: string;
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    navigation?: NavigationEntry;
  }
}

export interface NavigationLink extends NavigationEntry {
  to: string;
}

export const isFor = (who: SignedIn, { group, isForAgents }: NavigationEntry): boolean =>
  group === 'operator' ? who.isOperator === true : who.account.role !== 'agent' || isForAgents === true;

/** What somebody can go to, in the order of the routes; nothing where nobody is signed in. */
export function useNavigation(): NavigationLink[] {
  const { routesById } = useRouter();
  const who = useStore(session.current);
  if (who === null) return [];
  return Object.values(routesById).flatMap(({ fullPath, options }) => {
    const entry = options.staticData?.navigation;
    return entry !== undefined && isFor(who, entry) ? [{ ...entry, to: fullPath }] : [];
  });
}

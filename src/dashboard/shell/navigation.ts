import type { SignedIn } from '../../sdk/index.ts';
import type { IconName } from '../parts/icon.tsx';

export interface NavigationEntry {
  name:
    | 'overview'
    | 'inbox'
    | 'contacts'
    | 'campaigns'
    | 'assistants'
    | 'automations'
    | 'numbers'
    | 'messages'
    | 'apiKeys'
    | 'requests'
    | 'webhooks'
    | 'events'
    | 'alerts'
    | 'bridges'
    | 'settings';
  to: string;
  icon: IconName;
  /** `operator`: for people who run the gateway, whatever they are in their account. */
  group: 'main' | 'developer' | 'operator';
  /** Agents see it too; nothing else is for them. */
  isForAgents?: true;
}

/** Every entry leads to a page that is there. */
export const navigation: readonly NavigationEntry[] = [
  { name: 'overview', to: '/', icon: 'overview', group: 'main' },
  { name: 'inbox', to: '/inbox', icon: 'inbox', group: 'main', isForAgents: true },
  { name: 'contacts', to: '/contacts', icon: 'contacts', group: 'main' },
  { name: 'campaigns', to: '/campaigns', icon: 'campaigns', group: 'main' },
  { name: 'assistants', to: '/assistants', icon: 'assistant', group: 'main' },
  { name: 'automations', to: '/automations', icon: 'bolt', group: 'main' },
  { name: 'numbers', to: '/numbers', icon: 'numbers', group: 'main' },
  { name: 'messages', to: '/messages', icon: 'messages', group: 'main' },
  { name: 'apiKeys', to: '/developer/api-keys', icon: 'key', group: 'developer' },
  { name: 'webhooks', to: '/developer/webhooks', icon: 'webhook', group: 'developer' },
  { name: 'events', to: '/developer/events', icon: 'events', group: 'developer' },
  { name: 'requests', to: '/developer/requests', icon: 'search', group: 'developer' },
  { name: 'alerts', to: '/alerts', icon: 'bell', group: 'main' },
  { name: 'settings', to: '/settings', icon: 'settings', group: 'main' },
  { name: 'bridges', to: '/operator/bridges', icon: 'bridge', group: 'operator' },
];

/** What somebody can go to; nothing where nobody is signed in. */
export function navigationOf(who: SignedIn | null): readonly NavigationEntry[] {
  if (who === null) return [];
  const isAgent = who.account.role === 'agent';
  return navigation.filter(({ group, isForAgents }) =>
    group === 'operator' ? who.isOperator : !isAgent || isForAgents,
  );
}

import { createRoute } from '@tanstack/react-router';
import { contactSearch } from '../features/contacts/contact-search.ts';
import { chatSearch, inboxSearch } from '../features/inbox/inbox-search.ts';
import { messageSearch } from '../features/messages/message-filter.ts';
import { lazyPage } from './lazy-page.ts';
import { oneOf, signedIn, text } from './root.ts';

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  staticData: { navigation: { name: 'overview', icon: 'overview', group: 'main', goKey: 'o' } },
  component: lazyPage(
    ['overview', 'numbers', 'alerts'],
    () => import('../features/overview/overview-page.tsx'),
  ),
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  staticData: { navigation: { name: 'inbox', icon: 'inbox', group: 'main', isForAgents: true, goKey: 'i' } },
  validateSearch: inboxSearch,
  component: lazyPage(['inbox'], () => import('../features/inbox/inbox-page.tsx'), 'InboxPage'),
});

const noConversation = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyPage(['inbox'], () => import('../features/inbox/inbox-page.tsx'), 'NoConversation'),
});

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$conversationId',
  validateSearch: chatSearch,
  component: lazyPage(['inbox'], () => import('../features/inbox/conversation-panel.tsx')),
});

const numbers = createRoute({
  getParentRoute: () => signedIn,
  path: '/numbers',
  staticData: { navigation: { name: 'numbers', icon: 'numbers', group: 'main', goKey: 'n' } },
  validateSearch: ({ add }: Record<string, unknown>): { add?: true } => (add === true ? { add } : {}),
  component: lazyPage(['numbers'], () => import('../features/numbers/numbers-page.tsx')),
});

const numberTabs = ['state', 'pacing', 'filters'] as const;

const number = createRoute({
  getParentRoute: () => numbers,
  path: '$numberId',
  validateSearch: oneOf('tab', numberTabs),
  component: lazyPage(['numbers'], () => import('../features/numbers/number-panel.tsx')),
});

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  staticData: { navigation: { name: 'contacts', icon: 'contacts', group: 'main' } },
  validateSearch: contactSearch,
  component: lazyPage(['contacts'], () => import('../features/contacts/contacts-page.tsx')),
});

const contact = createRoute({
  getParentRoute: () => contacts,
  path: '$contactId',
  component: lazyPage(['contacts'], () => import('../features/contacts/contact/contact-panel.tsx')),
});

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  staticData: { navigation: { name: 'messages', icon: 'messages', group: 'main', goKey: 'm' } },
  validateSearch: messageSearch,
  component: lazyPage(['messages'], () => import('../features/messages/messages-page.tsx')),
});

const message = createRoute({
  getParentRoute: () => messages,
  path: '$messageId',
  component: lazyPage(['messages'], () => import('../features/messages/message/message-panel.tsx')),
});

const send = createRoute({
  getParentRoute: () => messages,
  path: 'send',
  validateSearch: (search: Record<string, unknown>): { text?: string } => {
    const draft = text(search.text);
    return draft === undefined ? {} : { text: draft };
  },
  component: lazyPage(['messages'], () => import('../features/messages/send-panel.tsx')),
});

const alertShows = ['open', 'over', 'all'] as const;

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts',
  staticData: { navigation: { name: 'alerts', icon: 'bell', group: 'main', goKey: 'a' } },
  validateSearch: oneOf('show', alertShows),
  component: lazyPage(['alerts'], () => import('../features/alerts/alerts-page.tsx')),
});

const alertChannels = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts/channels',
  component: lazyPage(['alerts'], () => import('../features/alerts/channels/channels-page.tsx')),
});

const alertChannel = createRoute({
  getParentRoute: () => alertChannels,
  path: '$channelId',
  component: lazyPage(['alerts'], () => import('../features/alerts/channels/channel-panel.tsx')),
});

/** What people look at every day. */
export const dailyRoutes = [
  overview,
  inbox.addChildren([noConversation, conversation]),
  contacts.addChildren([contact]),
] as const;

export const sendingRoutes = [numbers.addChildren([number]), messages.addChildren([message, send])] as const;

export const alertRoutes = [alerts, alertChannels.addChildren([alertChannel])] as const;

import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { contactSearch } from '../features/contacts/contact-search.ts';
import { chatSearch, inboxSearch } from '../features/inbox/inbox-search.ts';
import { messageSearch } from '../features/messages/message-filter.ts';
import { withWords } from '../words/language.ts';
import { signedIn, text } from './root.ts';

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  staticData: { navigation: { name: 'overview', icon: 'overview', group: 'main', goKey: 'o' } },
  component: lazyRouteComponent(
    withWords(['overview', 'numbers', 'alerts'], () => import('../features/overview/overview-page.tsx')),
    'OverviewPage',
  ),
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  staticData: { navigation: { name: 'inbox', icon: 'inbox', group: 'main', isForAgents: true, goKey: 'i' } },
  validateSearch: inboxSearch,
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('../features/inbox/inbox-page.tsx')),
    'InboxPage',
  ),
});

const noConversation = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('../features/inbox/inbox-page.tsx')),
    'NoConversation',
  ),
});

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$conversationId',
  validateSearch: chatSearch,
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('../features/inbox/conversation-panel.tsx')),
    'ConversationPanel',
  ),
});

const numbers = createRoute({
  getParentRoute: () => signedIn,
  path: '/numbers',
  staticData: { navigation: { name: 'numbers', icon: 'numbers', group: 'main', goKey: 'n' } },
  validateSearch: ({ add }: Record<string, unknown>): { add?: true } => (add === true ? { add } : {}),
  component: lazyRouteComponent(
    withWords(['numbers'], () => import('../features/numbers/numbers-page.tsx')),
    'NumbersPage',
  ),
});

const numberTabs = ['state', 'pacing', 'filters'] as const;

const number = createRoute({
  getParentRoute: () => numbers,
  path: '$numberId',
  validateSearch: (search: Record<string, unknown>): { tab?: (typeof numberTabs)[number] } => {
    const tab = numberTabs.find((name) => name === search.tab);
    return tab === undefined ? {} : { tab };
  },
  component: lazyRouteComponent(
    withWords(['numbers'], () => import('../features/numbers/number-panel.tsx')),
    'NumberPanel',
  ),
});

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  staticData: { navigation: { name: 'contacts', icon: 'contacts', group: 'main' } },
  validateSearch: contactSearch,
  component: lazyRouteComponent(
    withWords(['contacts'], () => import('../features/contacts/contacts-page.tsx')),
    'ContactsPage',
  ),
});

const contact = createRoute({
  getParentRoute: () => contacts,
  path: '$contactId',
  component: lazyRouteComponent(
    withWords(['contacts'], () => import('../features/contacts/contact/contact-panel.tsx')),
    'ContactPanel',
  ),
});

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  staticData: { navigation: { name: 'messages', icon: 'messages', group: 'main', goKey: 'm' } },
  validateSearch: messageSearch,
  component: lazyRouteComponent(
    withWords(['messages'], () => import('../features/messages/messages-page.tsx')),
    'MessagesPage',
  ),
});

const message = createRoute({
  getParentRoute: () => messages,
  path: '$messageId',
  component: lazyRouteComponent(
    withWords(['messages'], () => import('../features/messages/message/message-panel.tsx')),
    'MessagePanel',
  ),
});

const send = createRoute({
  getParentRoute: () => messages,
  path: 'send',
  validateSearch: (search: Record<string, unknown>): { text?: string } => {
    const draft = text(search.text);
    return draft === undefined ? {} : { text: draft };
  },
  component: lazyRouteComponent(
    withWords(['messages'], () => import('../features/messages/send-panel.tsx')),
    'SendPanel',
  ),
});

const alertShows = ['open', 'over', 'all'] as const;

const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts',
  staticData: { navigation: { name: 'alerts', icon: 'bell', group: 'main', goKey: 'a' } },
  validateSearch: (search: Record<string, unknown>): { show?: (typeof alertShows)[number] } => {
    const show = alertShows.find((name) => name === search.show);
    return show === undefined ? {} : { show };
  },
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('../features/alerts/alerts-page.tsx')),
    'AlertsPage',
  ),
});

const alertChannels = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts/channels',
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('../features/alerts/channels/channels-page.tsx')),
    'ChannelsPage',
  ),
});

const alertChannel = createRoute({
  getParentRoute: () => alertChannels,
  path: '$channelId',
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('../features/alerts/channels/channel-panel.tsx')),
    'ChannelPanel',
  ),
});

/** What people look at every day. */
export const dailyRoutes = [
  overview,
  inbox.addChildren([noConversation, conversation]),
  contacts.addChildren([contact]),
] as const;

export const sendingRoutes = [numbers.addChildren([number]), messages.addChildren([message, send])] as const;

export const alertRoutes = [alerts, alertChannels.addChildren([alertChannel])] as const;

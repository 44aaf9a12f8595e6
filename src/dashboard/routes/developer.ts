import { createRoute } from '@tanstack/react-router';
import { type EventName, eventNames } from '../../sdk/index.ts';
import { lazyPage } from './lazy-page.ts';
import { oneOf, signedIn, text } from './root.ts';

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/api-keys',
  staticData: { navigation: { name: 'apiKeys', icon: 'key', group: 'developer', goKey: 'k' } },
  component: lazyPage(['api-keys'], () => import('../features/api-keys/api-keys-page.tsx')),
});

const apiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: '$keyId',
  component: lazyPage(['api-keys'], () => import('../features/api-keys/api-key-panel.tsx')),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/webhooks',
  staticData: { navigation: { name: 'webhooks', icon: 'webhook', group: 'developer', goKey: 'w' } },
  component: lazyPage(['webhooks'], () => import('../features/webhooks/webhooks-page.tsx')),
});

const deliveryStatuses = ['pending', 'held', 'delivered', 'failed'] as const;

const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: '$webhookId',
  validateSearch: (search: Record<string, unknown>) => ({
    ...oneOf('status', deliveryStatuses)(search),
    ...oneOf('event', eventNames)(search),
  }),
  component: lazyPage(['webhooks'], () => import('../features/webhooks/webhook-panel.tsx')),
});

const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/events',
  staticData: { navigation: { name: 'events', icon: 'events', group: 'developer', goKey: 'e' } },
  validateSearch: (search: Record<string, unknown>): { event?: EventName; number?: string } => {
    const number = text(search.number);
    return { ...oneOf('event', eventNames)(search), ...(number && { number }) };
  },
  component: lazyPage(['events'], () => import('../features/events/events-page.tsx')),
});

const event = createRoute({
  getParentRoute: () => events,
  path: '$cursor',
  component: lazyPage(['events'], () => import('../features/events/event-panel.tsx')),
});

const requestStatuses = ['2xx', '4xx', '5xx'] as const;

interface RequestsSearch {
  keyId?: string | undefined;
  status?: (typeof requestStatuses)[number] | undefined;
  code?: string | undefined;
  route?: string | undefined;
  method?: string | undefined;
}

const requests = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/requests',
  staticData: { navigation: { name: 'requests', icon: 'search', group: 'developer' } },
  validateSearch: (search: Record<string, unknown>): RequestsSearch => ({
    keyId: text(search.keyId),
    status: requestStatuses.find((name) => name === search.status),
    code: text(search.code),
    route: text(search.route),
    method: text(search.method),
  }),
  component: lazyPage(['requests'], () => import('../features/requests/requests-page.tsx')),
});

const request = createRoute({
  getParentRoute: () => requests,
  path: '$requestId',
  component: lazyPage(['requests'], () => import('../features/requests/request-panel.tsx')),
});

/** For those who write programs: keys, webhooks, events, requests. */
export const developerRoutes = [
  apiKeys.addChildren([apiKey]),
  webhooks.addChildren([webhook]),
  events.addChildren([event]),
  requests.addChildren([request]),
] as const;

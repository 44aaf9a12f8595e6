import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type EventName, eventNames } from '../../sdk/index.ts';
import { withWords } from '../words/language.ts';
import { signedIn, text } from './root.ts';

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/api-keys',
  staticData: { navigation: { name: 'apiKeys', icon: 'key', group: 'developer', goKey: 'k' } },
  component: lazyRouteComponent(
    withWords(['api-keys'], () => import('../features/api-keys/api-keys-page.tsx')),
    'ApiKeysPage',
  ),
});

const apiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: '$keyId',
  component: lazyRouteComponent(
    withWords(['api-keys'], () => import('../features/api-keys/api-key-panel.tsx')),
    'ApiKeyPanel',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/webhooks',
  staticData: { navigation: { name: 'webhooks', icon: 'webhook', group: 'developer', goKey: 'w' } },
  component: lazyRouteComponent(
    withWords(['webhooks'], () => import('../features/webhooks/webhooks-page.tsx')),
    'WebhooksPage',
  ),
});

const deliveryStatuses = ['pending', 'held', 'delivered', 'failed'] as const;

const webhook = createRoute({
  getParentRoute: () => webhooks,
  path: '$webhookId',
  validateSearch: (
    search: Record<string, unknown>,
  ): { status?: (typeof deliveryStatuses)[number]; event?: EventName } => {
    const status = deliveryStatuses.find((name) => name === search.status);
    const event = eventNames.find((name) => name === search.event);
    return { ...(status && { status }), ...(event && { event }) };
  },
  component: lazyRouteComponent(
    withWords(['webhooks'], () => import('../features/webhooks/webhook-panel.tsx')),
    'WebhookPanel',
  ),
});

const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/events',
  staticData: { navigation: { name: 'events', icon: 'events', group: 'developer', goKey: 'e' } },
  validateSearch: (search: Record<string, unknown>): { event?: EventName; number?: string } => {
    const event = eventNames.find((name) => name === search.event);
    const number = text(search.number);
    return { ...(event && { event }), ...(number && { number }) };
  },
  component: lazyRouteComponent(
    withWords(['events'], () => import('../features/events/events-page.tsx')),
    'EventsPage',
  ),
});

const event = createRoute({
  getParentRoute: () => events,
  path: '$cursor',
  component: lazyRouteComponent(
    withWords(['events'], () => import('../features/events/event-panel.tsx')),
    'EventPanel',
  ),
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
  component: lazyRouteComponent(
    withWords(['requests'], () => import('../features/requests/requests-page.tsx')),
    'RequestsPage',
  ),
});

const request = createRoute({
  getParentRoute: () => requests,
  path: '$requestId',
  component: lazyRouteComponent(
    withWords(['requests'], () => import('../features/requests/request-panel.tsx')),
    'RequestPanel',
  ),
});

/** For those who write programs: keys, webhooks, events, requests. */
export const developerRoutes = [
  apiKeys.addChildren([apiKey]),
  webhooks.addChildren([webhook]),
  events.addChildren([event]),
  requests.addChildren([request]),
] as const;

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { type EventName, eventNames } from '../sdk/index.ts';
import { assistantTabs } from './features/assistants/assistant-tabs.ts';
import { type ReadyMade, readyMade } from './features/automations/starts.ts';
import { recipientFilters } from './features/campaigns/campaign-state.ts';
import { contactSearch } from './features/contacts/list/contact-search.ts';
import { chatSearch, inboxSearch } from './features/inbox/inbox-search.ts';
import { messageSearch } from './features/messages/table/message-filter.ts';
import { session } from './gateway/session.ts';
import { Failed } from './shell/failed.tsx';
import { NoSuchPage } from './shell/no-such-page.tsx';
import { withWords } from './words/language.ts';

/** The first thing on a page: who is it. It is asked at once, and afterwards known; what goes wrong is told by the page. */
let resumed: Promise<void> | null = session.resume();
resumed.catch(() => {});

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NoSuchPage,
  beforeLoad: async () => {
    resumed ??= session.resume();
    try {
      await resumed;
    } catch (error) {
      resumed = null;
      throw error;
    }
  },
});

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { next?: string } => {
    const next = text(search.next);
    // Only a path of this page: not another host, nor `//host`.
    return next !== undefined && /^\/(?![/\\])/.test(next) ? { next } : {};
  },
  beforeLoad: ({ search }) => {
    if (session.current.value !== null) throw redirect({ href: search.next ?? '/' });
  },
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/sign-in-page.tsx')),
    'SignInPage',
  ),
});
const register = createRoute({
  getParentRoute: () => root,
  path: '/register',
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/register-page.tsx')),
    'RegisterPage',
  ),
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/password/forgot',
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/forgot-page.tsx')),
    'ForgotPage',
  ),
});
const reset = createRoute({
  getParentRoute: () => root,
  path: '/password/reset',
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/mailed-pages.tsx')),
    'ResetPage',
  ),
});
const verify = createRoute({
  getParentRoute: () => root,
  path: '/verify',
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/mailed-pages.tsx')),
    'VerifyPage',
  ),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(
    withWords(['signIn'], () => import('./features/sign-in/invitation-page.tsx')),
    'InvitationPage',
  ),
});

const alertAddress = createRoute({
  getParentRoute: () => root,
  path: '/alerts/confirm',
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('./features/sign-in/alert-address-page.tsx')),
    'AlertAddressPage',
  ),
});

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: ({ location }) => {
    const role = session.current.value?.account.role;
    const isForAgents = /^\/(inbox|operator)(\/|$)/.test(location.pathname);
    if (role === 'agent' && !isForAgents) throw redirect({ to: '/inbox' });
    if (role !== undefined) return;
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
  },
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
});

const overview = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  component: lazyRouteComponent(
    withWords(['overview', 'numbers', 'alerts'], () => import('./features/overview/overview-page.tsx')),
    'OverviewPage',
  ),
});

const inbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('./features/inbox/inbox-page.tsx')),
    'InboxPage',
  ),
});
const noConversation = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('./features/inbox/no-conversation.tsx')),
    'NoConversation',
  ),
});
const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '$conversationId',
  validateSearch: chatSearch,
  component: lazyRouteComponent(
    withWords(['inbox'], () => import('./features/inbox/conversation-panel.tsx')),
    'ConversationPanel',
  ),
});

const numbers = createRoute({
  getParentRoute: () => signedIn,
  path: '/numbers',
  validateSearch: ({ add }: Record<string, unknown>): { add?: true } => (add === true ? { add } : {}),
  component: lazyRouteComponent(
    withWords(['numbers'], () => import('./features/numbers/numbers-page.tsx')),
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
    withWords(['numbers'], () => import('./features/numbers/number-panel.tsx')),
    'NumberPanel',
  ),
});

const apiKeys = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/api-keys',
  component: lazyRouteComponent(
    withWords(['apiKeys'], () => import('./features/api-keys/api-keys-page.tsx')),
    'ApiKeysPage',
  ),
});
const apiKey = createRoute({
  getParentRoute: () => apiKeys,
  path: '$keyId',
  component: lazyRouteComponent(
    withWords(['apiKeys'], () => import('./features/api-keys/api-key-panel.tsx')),
    'ApiKeyPanel',
  ),
});

const contacts = createRoute({
  getParentRoute: () => signedIn,
  path: '/contacts',
  validateSearch: contactSearch,
  component: lazyRouteComponent(
    withWords(['contacts'], () => import('./features/contacts/contacts-page.tsx')),
    'ContactsPage',
  ),
});
const contact = createRoute({
  getParentRoute: () => contacts,
  path: '$contactId',
  component: lazyRouteComponent(
    withWords(['contacts'], () => import('./features/contacts/contact/contact-panel.tsx')),
    'ContactPanel',
  ),
});

const messages = createRoute({
  getParentRoute: () => signedIn,
  path: '/messages',
  validateSearch: messageSearch,
  component: lazyRouteComponent(
    withWords(['messages'], () => import('./features/messages/messages-page.tsx')),
    'MessagesPage',
  ),
});
const message = createRoute({
  getParentRoute: () => messages,
  path: '$messageId',
  component: lazyRouteComponent(
    withWords(['messages'], () => import('./features/messages/message/message-panel.tsx')),
    'MessagePanel',
  ),
});
const send = createRoute({
  getParentRoute: () => messages,
  path: 'send',
  validateSearch: (search: Record<string, unknown>): { text?: string } => {
    const said = text(search.text);
    return said === undefined ? {} : { text: said };
  },
  component: lazyRouteComponent(
    withWords(['messages'], () => import('./features/messages/sending/send-panel.tsx')),
    'SendPanel',
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
  validateSearch: (search: Record<string, unknown>): RequestsSearch => ({
    keyId: text(search.keyId),
    status: requestStatuses.find((name) => name === search.status),
    code: text(search.code),
    route: text(search.route),
    method: text(search.method),
  }),
  component: lazyRouteComponent(
    withWords(['requests'], () => import('./features/requests/requests-page.tsx')),
    'RequestsPage',
  ),
});
const request = createRoute({
  getParentRoute: () => requests,
  path: '$requestId',
  component: lazyRouteComponent(
    withWords(['requests'], () => import('./features/requests/request-panel.tsx')),
    'RequestPanel',
  ),
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./features/settings/settings-page.tsx')),
    'SettingsPage',
  ),
});
const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/settings/security' });
  },
});
const security = createRoute({
  getParentRoute: () => settings,
  path: 'security',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./features/settings/security/security-page.tsx')),
    'SecurityPage',
  ),
});
const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./features/settings/people/members-page.tsx')),
    'MembersPage',
  ),
});
const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('./features/settings/people/audit-page.tsx')),
    'AuditPage',
  ),
});

const accountSettings = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  component: lazyRouteComponent(
    withWords(['settings', 'accountSettings'], () => import('./features/settings/account/account-page.tsx')),
    'AccountPage',
  ),
});
const retention = createRoute({
  getParentRoute: () => settings,
  path: 'retention',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'accountSettings'],
      () => import('./features/settings/account/retention-page.tsx'),
    ),
    'RetentionPage',
  ),
});
const sending = createRoute({
  getParentRoute: () => settings,
  path: 'sending',
  component: lazyRouteComponent(
    withWords(['settings', 'accountSettings'], () => import('./features/settings/sending/sending-page.tsx')),
    'SendingPage',
  ),
});
const optOuts = createRoute({
  getParentRoute: () => settings,
  path: 'opt-outs',
  component: lazyRouteComponent(
    withWords(['settings', 'accountSettings'], () => import('./features/settings/sending/opt-outs-page.tsx')),
    'OptOutsPage',
  ),
});
const teams = createRoute({
  getParentRoute: () => settings,
  path: 'teams',
  component: lazyRouteComponent(
    withWords(['settings', 'teams'], () => import('./features/settings/teams/teams-page.tsx')),
    'TeamsPage',
  ),
});
const inboxSettings = createRoute({
  getParentRoute: () => settings,
  path: 'inbox',
  component: lazyRouteComponent(
    withWords(['settings', 'teams'], () => import('./features/settings/teams/inbox-page.tsx')),
    'InboxSettingsPage',
  ),
});
const hours = createRoute({
  getParentRoute: () => settings,
  path: 'hours',
  component: lazyRouteComponent(
    withWords(['settings', 'support'], () => import('./features/settings/support/hours/hours-page.tsx')),
    'HoursPage',
  ),
});
const targets = createRoute({
  getParentRoute: () => settings,
  path: 'targets',
  component: lazyRouteComponent(
    withWords(['settings', 'support'], () => import('./features/settings/support/targets/targets-page.tsx')),
    'TargetsPage',
  ),
});
const report = createRoute({
  getParentRoute: () => settings,
  path: 'report',
  component: lazyRouteComponent(
    withWords(['settings', 'support'], () => import('./features/settings/support/reports/report-page.tsx')),
    'ReportPage',
  ),
});
const automations = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations',
  component: lazyRouteComponent(
    withWords(['automations'], () => import('./features/automations/automations-page.tsx')),
    'AutomationsPage',
  ),
});
const newAutomation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/new',
  validateSearch: (search: Record<string, unknown>): { start?: ReadyMade } => {
    const start = readyMade.find((name) => name === search.start);
    return start === undefined ? {} : { start };
  },
  component: lazyRouteComponent(
    withWords(['automations'], () => import('./features/automations/new-automation-page.tsx')),
    'NewAutomationPage',
  ),
});
const automation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/$automationId',
  component: lazyRouteComponent(
    withWords(['automations'], () => import('./features/automations/automation-page.tsx')),
    'AutomationPage',
  ),
});

const webhooks = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/webhooks',
  component: lazyRouteComponent(
    withWords(['webhooks'], () => import('./features/webhooks/webhooks-page.tsx')),
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
    withWords(['webhooks'], () => import('./features/webhooks/webhook-panel.tsx')),
    'WebhookPanel',
  ),
});

const events = createRoute({
  getParentRoute: () => signedIn,
  path: '/developer/events',
  validateSearch: (search: Record<string, unknown>): { event?: EventName; number?: string } => {
    const event = eventNames.find((name) => name === search.event);
    const number = text(search.number);
    return { ...(event && { event }), ...(number && { number }) };
  },
  component: lazyRouteComponent(
    withWords(['events'], () => import('./features/events/events-page.tsx')),
    'EventsPage',
  ),
});
const event = createRoute({
  getParentRoute: () => events,
  path: '$cursor',
  component: lazyRouteComponent(
    withWords(['events'], () => import('./features/events/event-panel.tsx')),
    'EventPanel',
  ),
});

const assistants = createRoute({
  getParentRoute: () => signedIn,
  path: '/assistants',
  component: lazyRouteComponent(
    withWords(['assistants'], () => import('./features/assistants/assistants-page.tsx')),
    'AssistantsPage',
  ),
});
const assistant = createRoute({
  getParentRoute: () => signedIn,
  path: '/assistants/$assistantId',
  validateSearch: (search: Record<string, unknown>): { tab?: (typeof assistantTabs)[number] } => {
    const tab = assistantTabs.find((name) => name === search.tab);
    return tab === undefined ? {} : { tab };
  },
  component: lazyRouteComponent(
    withWords(['assistants'], () => import('./features/assistants/assistant-page.tsx')),
    'AssistantPage',
  ),
});

const campaigns = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns',
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('./features/campaigns/campaigns-page.tsx')),
    'CampaignsPage',
  ),
});
const newCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/new',
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('./features/campaigns/wizard/wizard-page.tsx')),
    'NewCampaignPage',
  ),
});
const editCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaignId/edit',
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('./features/campaigns/wizard/wizard-page.tsx')),
    'EditCampaignPage',
  ),
});
const campaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaignId',
  validateSearch: (search: Record<string, unknown>): { status?: (typeof recipientFilters)[number] } => {
    const status = recipientFilters.find((name) => name === search.status);
    return status === undefined ? {} : { status };
  },
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('./features/campaigns/page/campaign-page.tsx')),
    'CampaignPage',
  ),
});

const alertShows = ['open', 'over', 'all'] as const;
const alerts = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts',
  validateSearch: (search: Record<string, unknown>): { show?: (typeof alertShows)[number] } => {
    const show = alertShows.find((name) => name === search.show);
    return show === undefined ? {} : { show };
  },
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('./features/alerts/alerts-page.tsx')),
    'AlertsPage',
  ),
});
const alertChannels = createRoute({
  getParentRoute: () => signedIn,
  path: '/alerts/channels',
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('./features/alerts/channels/channels-page.tsx')),
    'ChannelsPage',
  ),
});
const alertChannel = createRoute({
  getParentRoute: () => alertChannels,
  path: '$channelId',
  component: lazyRouteComponent(
    withWords(['alerts'], () => import('./features/alerts/channels/channel-panel.tsx')),
    'ChannelPanel',
  ),
});

const bridges = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/bridges',
  beforeLoad: () => {
    if (!session.current.value?.isOperator) throw redirect({ to: '/' });
  },
  component: lazyRouteComponent(
    withWords(['bridges'], () => import('./features/bridges/bridges-page.tsx')),
    'BridgesPage',
  ),
});
const bridge = createRoute({
  getParentRoute: () => bridges,
  path: '$bridgeId',
  component: lazyRouteComponent(
    withWords(['bridges'], () => import('./features/bridges/bridge-panel.tsx')),
    'BridgePanel',
  ),
});

const routeTree = root.addChildren([
  signIn,
  register,
  forgot,
  reset,
  verify,
  invitation,
  alertAddress,
  signedIn.addChildren([
    overview,
    inbox.addChildren([noConversation, conversation]),
    numbers.addChildren([number]),
    assistants,
    assistant,
    campaigns,
    newCampaign,
    editCampaign,
    campaign,
    contacts.addChildren([contact]),
    messages.addChildren([message, send]),
    apiKeys.addChildren([apiKey]),
    automations,
    newAutomation,
    automation,
    webhooks.addChildren([webhook]),
    events.addChildren([event]),
    requests.addChildren([request]),
    settings.addChildren([
      settingsStart,
      security,
      accountSettings,
      members,
      audit,
      sending,
      optOuts,
      retention,
      teams,
      inboxSettings,
      hours,
      targets,
      report,
    ]),
    alerts,
    alertChannels.addChildren([alertChannel]),
    bridges.addChildren([bridge]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: Failed,
  defaultNotFoundComponent: NoSuchPage,
  scrollRestoration: true,
});

/** Loads the page that was asked for while it is asked who wants to see it. */
export function preloadPage(): void {
  if (!session.mayResume) return;
  const [matched] = router.getMatchedRoutes(window.location.pathname);
  for (const { options } of matched) {
    const { component } = options as { component?: { preload?: () => Promise<void> } };
    // It is loaded once more, and the failure told, when it is drawn.
    component?.preload?.().catch(() => {});
  }
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

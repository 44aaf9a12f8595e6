import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { assistantTabs } from '../features/assistants/assistant-tabs.ts';
import { type TemplateName, templateNames } from '../features/automations/automation-names.ts';
import { recipientFilters } from '../features/campaigns/campaign-state.ts';
import { withWords } from '../words/language.ts';
import { signedIn } from './root.ts';

const automations = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations',
  staticData: { navigation: { name: 'automations', icon: 'bolt', group: 'main' } },
  component: lazyRouteComponent(
    withWords(['automations'], () => import('../features/automations/automations-page.tsx')),
    'AutomationsPage',
  ),
});

const newAutomation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/new',
  validateSearch: (search: Record<string, unknown>): { start?: TemplateName } => {
    const start = templateNames.find((name) => name === search.start);
    return start === undefined ? {} : { start };
  },
  component: lazyRouteComponent(
    withWords(['automations'], () => import('../features/automations/automation-pages.tsx')),
    'NewAutomationPage',
  ),
});

const automation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/$automationId',
  component: lazyRouteComponent(
    withWords(['automations'], () => import('../features/automations/automation-pages.tsx')),
    'AutomationPage',
  ),
});

const assistants = createRoute({
  getParentRoute: () => signedIn,
  path: '/assistants',
  staticData: { navigation: { name: 'assistants', icon: 'assistant', group: 'main' } },
  component: lazyRouteComponent(
    withWords(['assistants'], () => import('../features/assistants/assistants-page.tsx')),
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
    withWords(['assistants'], () => import('../features/assistants/assistant-page.tsx')),
    'AssistantPage',
  ),
});

const campaigns = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns',
  staticData: { navigation: { name: 'campaigns', icon: 'campaigns', group: 'main' } },
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('../features/campaigns/campaigns-page.tsx')),
    'CampaignsPage',
  ),
});

const newCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/new',
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('../features/campaigns/wizard/wizard-page.tsx')),
    'NewCampaignPage',
  ),
});

const editCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaignId/edit',
  component: lazyRouteComponent(
    withWords(['campaigns'], () => import('../features/campaigns/wizard/wizard-page.tsx')),
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
    withWords(['campaigns'], () => import('../features/campaigns/campaign-page.tsx')),
    'CampaignPage',
  ),
});

/** What speaks for people: campaigns, assistants, automations. */
export const automaticRoutes = [
  campaigns,
  newCampaign,
  editCampaign,
  campaign,
  assistants,
  assistant,
  automations,
  newAutomation,
  automation,
] as const;

import { createRoute } from '@tanstack/react-router';
import { assistantTabs } from '../features/assistants/assistant-tabs.ts';
import { templateNames } from '../features/automations/automation-names.ts';
import { recipientFilters } from '../features/campaigns/campaign-state.ts';
import { lazyPage } from './lazy-page.ts';
import { oneOf, signedIn } from './root.ts';

const automations = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations',
  staticData: { navigation: { name: 'automations', icon: 'bolt', group: 'main' } },
  component: lazyPage(['automations'], () => import('../features/automations/automations-page.tsx')),
});

const newAutomation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/new',
  validateSearch: oneOf('start', templateNames),
  component: lazyPage(
    ['automations'],
    () => import('../features/automations/automation-pages.tsx'),
    'NewAutomationPage',
  ),
});

const automation = createRoute({
  getParentRoute: () => signedIn,
  path: '/automations/$automationId',
  component: lazyPage(
    ['automations'],
    () => import('../features/automations/automation-pages.tsx'),
    'AutomationPage',
  ),
});

const assistants = createRoute({
  getParentRoute: () => signedIn,
  path: '/assistants',
  staticData: { navigation: { name: 'assistants', icon: 'assistant', group: 'main' } },
  component: lazyPage(['assistants'], () => import('../features/assistants/assistants-page.tsx')),
});

const assistant = createRoute({
  getParentRoute: () => signedIn,
  path: '/assistants/$assistantId',
  validateSearch: oneOf('tab', assistantTabs),
  component: lazyPage(['assistants'], () => import('../features/assistants/assistant-page.tsx')),
});

const campaigns = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns',
  staticData: { navigation: { name: 'campaigns', icon: 'campaigns', group: 'main' } },
  component: lazyPage(['campaigns'], () => import('../features/campaigns/campaigns-page.tsx')),
});

const newCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/new',
  component: lazyPage(
    ['campaigns'],
    () => import('../features/campaigns/wizard/wizard-page.tsx'),
    'NewCampaignPage',
  ),
});

const editCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaignId/edit',
  component: lazyPage(
    ['campaigns'],
    () => import('../features/campaigns/wizard/wizard-page.tsx'),
    'EditCampaignPage',
  ),
});

const campaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$campaignId',
  validateSearch: oneOf('status', recipientFilters),
  component: lazyPage(['campaigns'], () => import('../features/campaigns/campaign-page.tsx')),
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

import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from './lazy-page.ts';
import { signedIn } from './root.ts';

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  staticData: { navigation: { name: 'settings', icon: 'settings', group: 'main', goKey: 's' } },
  component: lazyPage(['settings'], () => import('../features/settings/settings-page.tsx')),
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
  component: lazyPage(['settings'], () => import('../features/settings/security/security-page.tsx')),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: lazyPage(['settings'], () => import('../features/settings/people/members-page.tsx')),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  component: lazyPage(['settings'], () => import('../features/settings/people/audit-page.tsx')),
});

const accountSettings = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  component: lazyPage(
    ['settings', 'settings/account'],
    () => import('../features/settings/account/account-page.tsx'),
  ),
});

const retention = createRoute({
  getParentRoute: () => settings,
  path: 'retention',
  component: lazyPage(
    ['settings', 'settings/account'],
    () => import('../features/settings/account/retention-page.tsx'),
  ),
});

const sending = createRoute({
  getParentRoute: () => settings,
  path: 'sending',
  component: lazyPage(
    ['settings', 'settings/account'],
    () => import('../features/settings/sending/sending-page.tsx'),
  ),
});

const optOuts = createRoute({
  getParentRoute: () => settings,
  path: 'opt-outs',
  component: lazyPage(
    ['settings', 'settings/account'],
    () => import('../features/settings/sending/opt-outs-page.tsx'),
  ),
});

const teams = createRoute({
  getParentRoute: () => settings,
  path: 'teams',
  component: lazyPage(
    ['settings', 'settings/teams'],
    () => import('../features/settings/teams/teams-page.tsx'),
  ),
});

const inboxSettings = createRoute({
  getParentRoute: () => settings,
  path: 'inbox',
  component: lazyPage(
    ['settings', 'settings/teams'],
    () => import('../features/settings/teams/inbox-page.tsx'),
  ),
});

const hours = createRoute({
  getParentRoute: () => settings,
  path: 'hours',
  component: lazyPage(
    ['settings', 'settings/support'],
    () => import('../features/settings/support/hours-page.tsx'),
  ),
});

const targets = createRoute({
  getParentRoute: () => settings,
  path: 'targets',
  component: lazyPage(
    ['settings', 'settings/support'],
    () => import('../features/settings/support/targets/targets-page.tsx'),
  ),
});

const report = createRoute({
  getParentRoute: () => settings,
  path: 'report',
  component: lazyPage(
    ['settings', 'settings/support'],
    () => import('../features/settings/support/report-page.tsx'),
  ),
});

/** All settings of an account and of a person. */
export const settingsRoutes = settings.addChildren([
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
]);

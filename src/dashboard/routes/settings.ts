import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { withWords } from '../words/language.ts';
import { signedIn } from './root.ts';

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  staticData: { navigation: { name: 'settings', icon: 'settings', group: 'main', goKey: 's' } },
  component: lazyRouteComponent(
    withWords(['settings'], () => import('../features/settings/settings-page.tsx')),
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
    withWords(['settings'], () => import('../features/settings/security/security-page.tsx')),
    'SecurityPage',
  ),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: 'members',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('../features/settings/people/members-page.tsx')),
    'MembersPage',
  ),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: 'audit',
  component: lazyRouteComponent(
    withWords(['settings'], () => import('../features/settings/people/audit-page.tsx')),
    'AuditPage',
  ),
});

const accountSettings = createRoute({
  getParentRoute: () => settings,
  path: 'account',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'settings/account'],
      () => import('../features/settings/account/account-page.tsx'),
    ),
    'AccountPage',
  ),
});

const retention = createRoute({
  getParentRoute: () => settings,
  path: 'retention',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'settings/account'],
      () => import('../features/settings/account/retention-page.tsx'),
    ),
    'RetentionPage',
  ),
});

const sending = createRoute({
  getParentRoute: () => settings,
  path: 'sending',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'settings/account'],
      () => import('../features/settings/sending/sending-page.tsx'),
    ),
    'SendingPage',
  ),
});

const optOuts = createRoute({
  getParentRoute: () => settings,
  path: 'opt-outs',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'settings/account'],
      () => import('../features/settings/sending/opt-outs-page.tsx'),
    ),
    'OptOutsPage',
  ),
});

const teams = createRoute({
  getParentRoute: () => settings,
  path: 'teams',
  component: lazyRouteComponent(
    withWords(['settings', 'settings/teams'], () => import('../features/settings/teams/teams-page.tsx')),
    'TeamsPage',
  ),
});

const inboxSettings = createRoute({
  getParentRoute: () => settings,
  path: 'inbox',
  component: lazyRouteComponent(
    withWords(['settings', 'settings/teams'], () => import('../features/settings/teams/inbox-page.tsx')),
    'InboxSettingsPage',
  ),
});

const hours = createRoute({
  getParentRoute: () => settings,
  path: 'hours',
  component: lazyRouteComponent(
    withWords(['settings', 'settings/support'], () => import('../features/settings/support/hours-page.tsx')),
    'HoursPage',
  ),
});

const targets = createRoute({
  getParentRoute: () => settings,
  path: 'targets',
  component: lazyRouteComponent(
    withWords(
      ['settings', 'settings/support'],
      () => import('../features/settings/support/targets/targets-page.tsx'),
    ),
    'TargetsPage',
  ),
});

const report = createRoute({
  getParentRoute: () => settings,
  path: 'report',
  component: lazyRouteComponent(
    withWords(['settings', 'settings/support'], () => import('../features/settings/support/report-page.tsx')),
    'ReportPage',
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

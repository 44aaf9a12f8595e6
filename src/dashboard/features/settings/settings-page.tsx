import { Tabs } from '@mantine/core';
import { Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../parts/frames/page.tsx';

const tabs = ['security', 'members', 'hours', 'targets', 'report', 'audit'] as const;

/** What concerns you and your team, a tab for each; the tab stands in the address. */
export function SettingsPage() {
  const t = useTranslations('settings');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const open = tabs.find((name) => pathname.endsWith(`/${name}`)) ?? 'security';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <Tabs
        value={open}
        onChange={(name) =>
          void navigate({ to: `/settings/${tabs.find((one) => one === name) ?? 'security'}` })
        }
      >
        <Tabs.List aria-label={t('title')}>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={open} pt="lg">
          <Outlet />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

import { Box, NativeSelect, Stack } from '@mantine/core';
import { Link, Outlet, useLocation, useNavigate } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Page } from '../../parts/frames/page.tsx';
import classes from './settings.module.css';

/** Every page of the settings, by what it concerns. */
const groups = {
  you: ['security'],
  account: ['account', 'members', 'audit'],
  sending: ['sending', 'opt-outs', 'retention'],
  support: ['teams', 'inbox', 'hours', 'targets', 'report'],
} as const;
type GroupName = keyof typeof groups;
const groupNames = Object.keys(groups) as GroupName[];

/** What concerns you, your account and your team: a list of pages at the left, on a phone one to choose from. */
export default function SettingsPage() {
  const t = useTranslations('settings');
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const pages = groupNames.flatMap((group) => [...groups[group]]);
  const open = pages.find((name) => pathname.endsWith(`/${name}`)) ?? 'security';
  return (
    <Page title={t('title')} lead={t('lead')}>
      <div className={classes.split}>
        <nav className={classes.list} aria-label={t('pages')}>
          {groupNames.map((group) => (
            <Stack key={group} gap={4}>
              <Box component="h2" p="0 10px" c="var(--ink-faint)" fz="xs" fw={500}>
                {t(`groups.${group}`)}
              </Box>
              <Stack component="ul" gap={1}>
                {groups[group].map((name) => (
                  <li key={name}>
                    <Link to={`/settings/${name}`} aria-current={name === open ? 'page' : undefined}>
                      {t(`tabs.${name}`)}
                    </Link>
                  </li>
                ))}
              </Stack>
            </Stack>
          ))}
        </nav>
        <NativeSelect
          className={classes.choice}
          aria-label={t('pages')}
          value={open}
          data={groupNames.map((group) => ({
            group: t(`groups.${group}`),
            items: groups[group].map((name) => ({ value: name, label: t(`tabs.${name}`) })),
          }))}
          onChange={({ currentTarget: { value } }) =>
            void navigate({ to: `/settings/${pages.find((name) => name === value) ?? 'security'}` })
          }
        />
        <Box miw={0}>
          <Outlet />
        </Box>
      </div>
    </Page>
  );
}

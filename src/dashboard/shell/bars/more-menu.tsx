import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../parts/icon.tsx';
import type { NavigationLink } from '../navigation.ts';
import { AlertCount, useAlertCount } from './alert-count.tsx';

interface MoreMenuProps {
  isOpen: boolean;
  onChange: (isOpen: boolean) => void;
  target: ReactElement;
  entries: readonly NavigationLink[];
}

/** What has no room in the bar of a phone. */
export default function MoreMenu({ isOpen, onChange, target, entries }: MoreMenuProps) {
  const t = useTranslations('shell');
  const alerts = useAlertCount();
  return (
    <Menu position="top-end" width={220} opened={isOpen} onChange={onChange}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ name, to, icon }) => (
          <Menu.Item
            key={to}
            component={Link}
            to={to}
            leftSection={<Icon name={icon} />}
            rightSection={name === 'alerts' && <AlertCount count={alerts} />}
          >
            {t(`pages.${name}`)}
          </Menu.Item>
        ))}
        <Menu.Item component="a" href="/docs" leftSection={<Icon name="book" />}>
          {t('reference')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

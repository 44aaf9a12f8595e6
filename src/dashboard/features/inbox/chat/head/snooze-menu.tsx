import { Menu } from '@mantine/core';
import type { ReactElement } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { snoozeTimes } from './snooze-times.ts';

interface SnoozeMenuProps {
  target: ReactElement;
  onClose: () => void;
  onChoose: (until: Date) => void;
}

/** Until when it is out of sight; it comes back by itself, or when its person writes. */
export default function SnoozeMenu({ target, onClose, onChoose }: SnoozeMenuProps) {
  const t = useTranslations('inbox.snoozes');
  const format = useFormatter();
  return (
    <Menu opened onClose={onClose} position="bottom-end" width={260}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('title')}</Menu.Label>
        {snoozeTimes(new Date()).map(({ name, until }) => (
          <Menu.Item
            key={name}
            onClick={() => onChoose(until)}
            rightSection={
              <small>
                {format.dateTime(until, { weekday: 'short', hour: 'numeric', minute: '2-digit' })}
              </small>
            }
          >
            {t(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

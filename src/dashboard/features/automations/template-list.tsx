import { SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { type TemplateName, templateNames } from './automation-names.ts';
import classes from './automations.module.css';

const icons: Record<TemplateName, IconName> = {
  away: 'clock',
  welcome: 'person',
  keyword: 'search',
  menu: 'book',
  choice: 'check',
  waiting: 'warning',
  forward: 'webhook',
  blank: 'plus',
};

/** What there is to start from. */
export function TemplateList() {
  const t = useTranslations('automations.templates');
  return (
    <SimpleGrid component="ul" minColWidth={230} spacing="sm" mt="xs">
      {templateNames.map((start) => (
        <li key={start}>
          <Link to="/automations/new" search={{ start }} className={classes.card}>
            <Icon name={icons[start]} size={20} />
            <b>{t(`${start}.title`)}</b>
            <Text span c="dimmed">
              {t(`${start}.lead`)}
            </Text>
          </Link>
        </li>
      ))}
    </SimpleGrid>
  );
}

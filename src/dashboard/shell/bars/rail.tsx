import { Stack, UnstyledButton } from '@mantine/core';
import { useLocalStorage, useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import { Icon, Mark, productName } from '../../parts/icon.tsx';
import { PaletteButton } from '../commands/command-keys.tsx';
import { ConnectionLight } from '../connection-notice.tsx';
import type { NavigationLink } from '../navigation.ts';
import { AccountButton } from './account-button.tsx';
import { AlertCount, useAlertCount } from './alert-count.tsx';
import classes from './rail.module.css';

const groups = ['main', 'developer', 'operator'] as const;

/** The navigation at the left; folded, as on a tablet always, it shows icons alone. */
export function Rail({ entries }: { entries: readonly NavigationLink[] }) {
  const t = useTranslations('shell');
  const [isWanted, setWanted] = useLocalStorage({ key: 'heliograph-rail-folded', defaultValue: false });
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const isFolded = isNarrow || isWanted;
  return (
    <header className={classes.rail} data-folded={isFolded}>
      <div className={classes.head}>
        <Link to="/" className={classes.name}>
          <Mark />
          <span className={classes.word}>{productName}</span>
        </Link>
        {!isNarrow && (
          <UnstyledButton
            className={classes.fold}
            onClick={() => setWanted(!isFolded)}
            aria-label={isFolded ? t('unfold') : t('fold')}
            aria-expanded={!isFolded}
          >
            <Icon name="fold" />
          </UnstyledButton>
        )}
      </div>
      <PaletteButton isFolded={isFolded} />
      <Stack component="nav" gap="lg" className={classes.links} aria-label={t('navigation')}>
        {groups.map((group) => (
          <Group
            key={group}
            group={group}
            entries={entries.filter((entry) => entry.group === group)}
            isFolded={isFolded}
          />
        ))}
      </Stack>
      <Stack gap={6}>
        <ConnectionLight isFolded={isFolded} />
        <AccountButton isFolded={isFolded} />
      </Stack>
    </header>
  );
}

interface GroupProps {
  group: (typeof groups)[number];
  entries: readonly NavigationLink[];
  isFolded: boolean;
}

function Group({ group, entries, isFolded }: GroupProps) {
  const t = useTranslations('shell');
  const openAlerts = useAlertCount();
  if (entries.length === 0) return null;
  return (
    <Stack gap={2}>
      {group !== 'main' && <div className={classes.heading}>{t(group)}</div>}
      {entries.map(({ name, to, icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.link}
          activeOptions={{ exact: to === '/' }}
          {...(isFolded && { title: t(`pages.${name}`), 'aria-label': t(`pages.${name}`) })}
          {...(name === 'alerts' &&
            openAlerts > 0 && { 'aria-description': t('openAlerts', { count: openAlerts }) })}
        >
          <Icon name={icon} />
          <span className={classes.word}>{t(`pages.${name}`)}</span>
          {name === 'alerts' && <AlertCount count={openAlerts} />}
        </Link>
      ))}
      {group === 'developer' && (
        <a
          href="/docs"
          className={classes.link}
          {...(isFolded && { title: t('reference'), 'aria-label': t('reference') })}
        >
          <Icon name="book" />
          <span className={classes.word}>{t('reference')}</span>
        </a>
      )}
    </Stack>
  );
}

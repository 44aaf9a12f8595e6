import { UnstyledButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../parts/icon.tsx';
import type { NavigationLink } from '../navigation.ts';
import { AccountButton } from './account-button.tsx';
import { AlertCount, useAlertCount } from './alert-count.tsx';
import classes from './bars.module.css';

const MoreMenu = lazy(() => import('./more-menu.tsx'));
const shown = 3;

/** The navigation on a phone: the first few, the rest behind "More". */
export function BottomBar({ entries }: { entries: readonly NavigationLink[] }) {
  const t = useTranslations('shell');
  return (
    <nav className={classes.bar} aria-label={t('navigation')}>
      {entries.slice(0, shown).map(({ name, to, icon }) => (
        <Link key={to} to={to} className={classes.entry} activeOptions={{ exact: to === '/' }}>
          <Icon name={icon} size={20} />
          {t(name === 'inbox' ? 'inboxShort' : `pages.${name}`)}
        </Link>
      ))}
      {entries.length > shown && <More entries={entries.slice(shown)} />}
      <div className={classes.entry}>
        <AccountButton isFolded />
      </div>
    </nav>
  );
}

function More({ entries }: { entries: readonly NavigationLink[] }) {
  const t = useTranslations('shell');
  const common = useTranslations('common');
  const alerts = useAlertCount();
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const button = (
    <UnstyledButton
      className={classes.entry}
      aria-haspopup="menu"
      aria-description={alerts > 0 ? t('openAlerts', { count: alerts }) : undefined}
      onClick={() => {
        setWanted(true);
        setOpen(!isOpen);
      }}
    >
      <span className={classes.counted}>
        <Icon name="more" size={20} />
        <AlertCount count={alerts} />
      </span>
      {common('more')}
    </UnstyledButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <MoreMenu isOpen={isOpen} onChange={setOpen} target={button} entries={entries} />
    </Suspense>
  );
}

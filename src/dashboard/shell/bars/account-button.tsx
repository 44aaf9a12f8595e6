import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import classes from './bars.module.css';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** Who is signed in, in which account; pressed, the menu opens. The menu is loaded with the first press. */
export function AccountButton({ isFolded = false }: { isFolded?: boolean }) {
  const t = useTranslations('shell');
  const signedIn = useStore(session.current);
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  if (signedIn === null) return null;
  const { user, account } = signedIn;
  const button = (
    <UnstyledButton
      className={classes.target}
      aria-haspopup="menu"
      data-folded={isFolded}
      onClick={() => {
        setWanted(true);
        setOpen(!isOpen);
      }}
    >
      <VisuallyHidden>{t('account')}</VisuallyHidden>
      <span className={classes.avatar} aria-hidden="true">
        {user.name.slice(0, 1).toUpperCase()}
      </span>
      {!isFolded && (
        <span className={classes.who}>
          <b>{account.name}</b>
          <small>{user.name}</small>
        </span>
      )}
    </UnstyledButton>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu isOpen={isOpen} onChange={setOpen} target={button} signedIn={signedIn} />
    </Suspense>
  );
}

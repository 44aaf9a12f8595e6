import { Flex, Stack } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslations } from 'use-intl';
import { live } from '../gateway/live.ts';
import { followEvents } from '../gateway/query-updates.ts';
import { session } from '../gateway/session.ts';
import { useStore } from '../gateway/store.ts';
import { BottomBar } from './bars/bottom-bar.tsx';
import { Rail } from './bars/rail.tsx';
import { CommandKeys } from './commands/command-keys.tsx';
import { ConnectionNotice } from './connection-notice.tsx';
import { useNavigation } from './navigation.ts';
import classes from './shell.module.css';

/** What is around every page of somebody who is signed in: navigation, the live connection, and word of its loss. */
export function Shell() {
  const t = useTranslations('shell');
  const who = useStore(session.current);
  const role = who?.account.role;
  const isAdministrator = role === 'owner' || role === 'admin';
  useEffect(() => {
    // Agents see the inbox alone, which has a connection of its own.
    if (!isAdministrator) return;
    const endUpdates = followEvents();
    live.start();
    return () => {
      live.stop();
      endUpdates();
    };
  }, [isAdministrator]);
  const entries = useNavigation();
  return (
    <Flex mih="100dvh">
      <a href="#content" className={classes.skip}>
        {t('skip')}
      </a>
      <Rail entries={entries} />
      <Stack gap={0} flex={1} miw={0}>
        <ConnectionNotice />
        <main id="content" className={classes.content} tabIndex={-1}>
          <Outlet />
        </main>
      </Stack>
      <CommandKeys />
      <BottomBar entries={entries} />
    </Flex>
  );
}

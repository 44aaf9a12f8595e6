import { useFormatter, useTranslations } from 'use-intl';
import { inboxLive, live } from '../gateway/live.ts';
import { session } from '../gateway/session.ts';
import { useStore } from '../gateway/store.ts';
import { Icon } from '../parts/icon.tsx';
import classes from './shell.module.css';

/** Says so while the gateway cannot be reached; what is on screen stays. */
export function ConnectionNotice() {
  const t = useTranslations('shell');
  const format = useFormatter();
  const connection = useConnection();
  if (connection.state !== 'lost') return null;
  const time = format.dateTime(connection.since, { timeStyle: 'medium' });
  return (
    <div className={classes.notice} role="alert">
      <Icon name="warning" />
      {t('lostNotice', { time })}
    </div>
  );
}

/** Whether what is shown is of this moment. */
export function ConnectionLight({ isFolded }: { isFolded: boolean }) {
  const t = useTranslations('shell');
  const { state } = useConnection();
  const word = { open: t('live'), connecting: t('connecting'), lost: t('lost') }[state];
  return (
    <div className={classes.light} data-state={state} role="status" title={word}>
      <i />
      <span className={isFolded ? classes.hidden : undefined}>{word}</span>
    </div>
  );
}

/** Agents have the events of the inbox alone. */
function useConnection() {
  const account = useStore(live.connection);
  const inbox = useStore(inboxLive.connection);
  const isAgent = useStore(session.current)?.account.role === 'agent';
  return isAgent ? inbox : account;
}

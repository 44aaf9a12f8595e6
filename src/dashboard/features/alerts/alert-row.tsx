import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import { minuteMs } from '../../../contract/times.ts';
import type { Alert } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { session } from '../../gateway/session.ts';
import { useStore } from '../../gateway/store.ts';
import { aboutOf, toneOf } from '../../parts/alerts/about.ts';
import { alertExplanation } from '../../parts/alerts/alert-explanation.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { alertsChanged } from '../../queries/alerts.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import classes from './alerts.module.css';

const icons: Record<ReturnType<typeof toneOf>, IconName> = { green: 'good', red: 'bad', amber: 'warning' };

/** One trouble, and what can be done about it. */
export function AlertRow({ alert, onMute }: { alert: Alert; onMute: () => void }) {
  const t = useTranslations('alerts');
  const numbers = useQuery(numbersQuery);
  const acknowledge = useMutation({
    mutationFn: () => gateway.alerts.acknowledge(alert.id),
    onSuccess: alertsChanged,
  });
  const { thing, id } = aboutOf(alert);
  const label = numbers.data?.find(({ numberId }) => numberId === id)?.label;
  const { at, endedAt, acknowledgedBy, detail } = alert;
  return (
    <li className={classes.alert} data-tone={toneOf(alert)}>
      <span className={classes.icon}>
        <Icon name={icons[toneOf(alert)]} />
      </span>
      <div className={classes.explanation}>
        <p className={classes.what}>
          {label !== undefined && <b>{label}</b>} {alertExplanation(alert, t)}
        </p>
        {typeof detail.lastError === 'string' && detail.lastError !== '' && (
          <p className={classes.reason}>{detail.lastError}</p>
        )}
        <p className={classes.facts}>
          <span>
            {t('since')} <Moment at={at} />
          </span>
          {endedAt !== null && endedAt !== at && <Lasted ms={Date.parse(endedAt) - Date.parse(at)} />}
          {acknowledgedBy !== null && <span>{t('known', { email: acknowledgedBy })}</span>}
          <GoTo thing={thing} id={id} isThere={thing !== 'number' || label !== undefined} />
        </p>
        <Problem error={acknowledge.error} />
      </div>
      {endedAt === null && (
        <div className={classes.actions}>
          {acknowledgedBy === null && (
            <Button
              size="xs"
              variant="default"
              loading={acknowledge.isPending}
              onClick={() => acknowledge.mutate()}
            >
              {t('acknowledge')}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onMute}>
            {t('mute')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** In the largest unit that fits. */
function Lasted({ ms }: { ms: number }) {
  const t = useTranslations('alerts');
  const minutes = Math.max(1, Math.round(ms / minuteMs));
  const duration =
    minutes < 120
      ? t('minutes', { count: minutes })
      : minutes < 48 * 60
        ? t('hours', { count: Math.round(minutes / 60) })
        : t('days', { count: Math.round(minutes / 1440) });
  return <span>{t('lasted', { duration })}</span>;
}

/** The page that helps, where there is one. */
function GoTo({ thing, id, isThere }: { thing: string; id: string; isThere: boolean }): ReactNode {
  const t = useTranslations('alerts.goTo');
  const isOperator = useStore(session.current)?.isOperator === true;
  if (!isThere) return null;
  if (thing === 'number') {
    return (
      <Link to="/numbers/$numberId" params={{ numberId: id }}>
        {t('number')}
      </Link>
    );
  }
  if (thing === 'webhook') {
    return (
      <Link to="/developer/webhooks/$webhookId" params={{ webhookId: id }}>
        {t('webhook')}
      </Link>
    );
  }
  if (thing === 'quota') return <Link to="/">{t('quota')}</Link>;
  if (thing === 'bridge' || thing === 'region') {
    return isOperator ? (
      <Link to="/operator/bridges">{t('bridges')}</Link>
    ) : (
      <Link to="/numbers">{t('numbers')}</Link>
    );
  }
  if (thing === 'conversation') return <a href={`/inbox/${id}`}>{t('conversation')}</a>;
  if (thing === 'campaign') return <a href={`/campaigns/${id}`}>{t('campaign')}</a>;
  return null;
}

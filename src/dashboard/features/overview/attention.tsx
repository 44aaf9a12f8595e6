import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslations } from 'use-intl';
import type { Alert } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { aboutOf } from '../../parts/alerts/about.ts';
import { alertExplanation } from '../../parts/alerts/alert-explanation.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { alertsChanged, openAlertsQuery } from '../../queries/alerts.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import classes from './overview.module.css';

const shown = 3;

/** What lasts and wants a person; what somebody has said to know of is not shown again. */
export function Attention() {
  const t = useTranslations('overview');
  const { data: alerts = [] } = useQuery(openAlertsQuery);
  const open = alerts.filter(({ acknowledgedAt }) => acknowledgedAt === null);
  if (open.length === 0) return null;
  return (
    <section className={classes.alerts} aria-label={t('attention')}>
      {open.slice(0, shown).map((alert) => (
        <OpenAlert key={alert.id} alert={alert} />
      ))}
      {open.length > shown && (
        <p className={classes.quiet}>{t('moreAlerts', { count: open.length - shown })}</p>
      )}
      <p>
        <Link to="/alerts">{t('allAlerts')}</Link>
      </p>
    </section>
  );
}

function OpenAlert({ alert }: { alert: Alert }) {
  const t = useTranslations('overview');
  const alerts = useTranslations('alerts');
  const numbers = useQuery(numbersQuery);
  const acknowledge = useMutation({
    mutationFn: () => gateway.alerts.acknowledge(alert.id),
    onSuccess: alertsChanged,
  });
  const { thing, id } = aboutOf(alert);
  const label = numbers.data?.find(({ numberId }) => numberId === id)?.label;
  return (
    <>
      <div className={classes.alert}>
        <Icon name="warning" />
        <p>
          {thing === 'number' && label !== undefined && <b>{`${label}: `}</b>}
          {alertExplanation(alert, alerts)}{' '}
          <span className={classes.quiet}>
            <Moment at={alert.at} ago />
          </span>
        </p>
        <Button
          size="xs"
          variant="default"
          loading={acknowledge.isPending}
          onClick={() => acknowledge.mutate()}
        >
          {t('acknowledge')}
        </Button>
      </div>
      <Problem error={acknowledge.error} />
    </>
  );
}

import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { AlertMute } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { kindName } from '../../parts/alerts/about.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { alertsChanged, mutesQuery } from '../../queries/alerts.ts';
import { numbersQuery } from '../../queries/numbers/numbers.ts';
import classes from './alerts.module.css';

/** What the channels are not told of for a while; nothing where there is none. */
export function Mutes() {
  const t = useTranslations('alerts.mutes');
  const { data: mutes = [] } = useQuery(mutesQuery);
  if (mutes.length === 0) return null;
  return (
    <ul className={classes.mutes} aria-label={t('title')}>
      {mutes.map((mute) => (
        <Muted key={mute.id} mute={mute} />
      ))}
    </ul>
  );
}

function Muted({ mute }: { mute: AlertMute }) {
  const t = useTranslations('alerts.mutes');
  const what = useMuted(mute);
  const end = useMutation({
    mutationFn: () => gateway.alertMutes.delete(mute.id),
    onSuccess: alertsChanged,
  });
  return (
    <li className={classes.muted}>
      <span>
        {t('mutedUntil', { what })} <Moment at={mute.until} />
      </span>
      <Button size="compact-xs" variant="default" loading={end.isPending} onClick={() => end.mutate()}>
        {t('end')}
      </Button>
      <Problem error={end.error} />
    </li>
  );
}

/** In words: which alerts are muted. */
function useMuted({ kind, numberId }: AlertMute): string {
  const t = useTranslations('alerts.mutes');
  const kinds = useTranslations('alerts.kinds');
  const numbers = useQuery(numbersQuery);
  const number = numbers.data?.find((one) => one.numberId === numberId)?.label ?? t('goneNumber');
  if (kind === null) return numberId === null ? t('everything') : t('allOfNumber', { number });
  const name = kinds(kindName(kind));
  return numberId === null ? name : t('ofNumber', { kind: name, number });
}

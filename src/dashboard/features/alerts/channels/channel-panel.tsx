import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { kindName } from '../../../parts/alerts/about.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { SidePanel } from '../../../parts/frames/side-panel.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { channelQuery } from '../../../queries/alerts.ts';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import { ChannelActions } from './channel-actions.tsx';
import { ChannelDeliveries } from './channel-deliveries.tsx';
import { channelTone, stateOf, targetOf } from './shown-channel.ts';

/** One channel: how it does, what to do about it, and what went there. */
export function ChannelPanel() {
  const t = useTranslations('alerts.channels');
  const { channelId } = useParams({ from: '/signed-in/alerts/channels/$channelId' });
  const navigate = useNavigate();
  const close = useCallback(() => void navigate({ to: '/alerts/channels' }), [navigate]);
  const { data: channel, error, isPending, refetch } = useQuery(channelQuery(channelId));
  if (channel === undefined) {
    return (
      <SidePanel key={channelId} title={t('title')} name={t('title')} onClose={close}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
      </SidePanel>
    );
  }
  const title = channel.name ?? t(`kinds.${channel.kind}`);
  return (
    <SidePanel key={channelId} title={title} subtitle={targetOf(channel)} name={title} onClose={close}>
      <ChannelActions channel={channel} onDeleted={close} />
      <ChannelFacts channel={channel} />
      <ChannelDeliveries channelId={channelId} />
    </SidePanel>
  );
}

function ChannelFacts({ channel }: { channel: AlertChannel }) {
  const t = useTranslations('alerts.channels');
  const names = useTranslations('alerts.kinds');
  const mutes = useTranslations('alerts.mutes');
  const common = useTranslations('common');
  const numbers = useQuery(numbersQuery);
  const { kind, target, kinds, numberIds, digest, lastDeliveryAt, createdAt } = channel;
  const labelOf = (numberId: string) =>
    numbers.data?.find((number) => number.numberId === numberId)?.label ?? mutes('goneNumber');
  const through: [string, string][] =
    typeof target !== 'string' && 'to' in target
      ? [[t('through'), target.numberId === null ? t('anyNumber') : labelOf(target.numberId)]]
      : [];
  return (
    <Facts
      facts={[
        [
          t('columnState'),
          <Status key="state" tone={channelTone[stateOf(channel)]}>
            {t(`state.${stateOf(channel)}`)}
          </Status>,
        ],
        [t('kind'), t(`kinds.${kind}`)],
        ...through,
        [t('what'), kinds === 'all' ? t('allKinds') : kinds.map((one) => names(kindName(one))).join(', ')],
        [t('numbers'), numberIds === 'all' ? t('allNumbers') : numberIds.map(labelOf).join(', ')],
        [t('digest'), <When key="digest" digest={digest} />],
        [
          t('columnLast'),
          lastDeliveryAt === null ? common('never') : <Moment key="last" at={lastDeliveryAt} ago />,
        ],
        [t('createdAt'), <Moment key="created" at={createdAt} />],
      ]}
    />
  );
}

function When({ digest }: { digest: AlertChannel['digest'] }) {
  const t = useTranslations('alerts.channels');
  if (digest === null) return t('digests.never');
  const hour = `${String(digest.hour).padStart(2, '0')}:00 (${digest.timeZone})`;
  return `${t(`digests.${digest.only ? 'only' : 'also'}`)}, ${t('dailyAt', { hour })}`;
}

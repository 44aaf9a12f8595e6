import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { Status, type Tone } from '../../../parts/feedback.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../../parts/lists/list-page.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { channelsQuery } from '../../../queries/alerts.ts';

const ChannelDialog = lazy(() => import('./channel-dialog.tsx'));

/** Where alerts go besides their page. */
export default function ChannelsPage() {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const channels = useQuery(channelsQuery);
  const back = (
    <Button variant="default" leftSection={<Icon name="back" size={16} />} component={Link} to="/alerts">
      {common('allAlerts')}
    </Button>
  );
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={channels}
      rows={channels.data}
      actions={back}
      add={t('add')}
      empty={{ icon: 'send', title: t('emptyTitle'), lead: t('emptyLead') }}
      list={(rows) => <ChannelsTable channels={rows} />}
      dialog={(onClose) => <ChannelDialog onClose={onClose} />}
    />
  );
}

function ChannelsTable({ channels }: { channels: readonly AlertChannel[] }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { channelId: openId } = useParams({ strict: false });
  return (
    <DataTable
      rows={channels}
      keyOf={(channel) => channel.channelId}
      openKey={openId}
      columns={[
        {
          head: t('columnChannel'),
          isAddress: true,
          cell: (channel) => (
            <>
              <Link to="/alerts/channels/$channelId" params={{ channelId: channel.channelId }}>
                {channel.name ?? t(`kinds.${channel.kind}`)}
              </Link>
              <small>
                {channel.name === null ? '' : `${t(`kinds.${channel.kind}`)} · `}
                {targetOf(channel)}
              </small>
            </>
          ),
        },
        {
          head: common('state'),
          cell: (channel) => (
            <Status tone={channelTone[stateOf(channel)]}>{t(`state.${stateOf(channel)}`)}</Status>
          ),
        },
        {
          head: t('columnWhat'),
          isWide: true,
          isQuiet: true,
          cell: (channel) =>
            channel.kinds === 'all' ? common('allAlerts') : t('kindCount', { count: channel.kinds.length }),
        },
        {
          head: t('columnLast'),
          isWide: true,
          isQuiet: true,
          cell: (channel) =>
            channel.lastDeliveryAt === null ? common('never') : <Moment at={channel.lastDeliveryAt} ago />,
        },
      ]}
    />
  );
}

type ShownState = AlertChannel['state'] | 'failing';

/** Its state, and whether what was sent there last has failed. */
export const stateOf = ({ state, lastError }: AlertChannel): ShownState =>
  state === 'ready' && lastError !== null ? 'failing' : state;

export const channelTone: Record<ShownState, Tone> = {
  ready: 'green',
  failing: 'red',
  off: 'grey',
  unconfirmed: 'amber',
  no_mail_server: 'amber',
};

/** Where it goes, in one line. */
export function targetOf({ target }: AlertChannel): string {
  if (typeof target === 'string') return target;
  return 'chatId' in target ? target.chatId : readable(target.to);
}

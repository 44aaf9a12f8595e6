import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import type { AlertChannel } from '../../../../sdk/index.ts';
import { Empty } from '../../../parts/feedback/empty.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { ListPage } from '../../../parts/frames/list-page.tsx';
import { ListWithPanel } from '../../../parts/frames/side-panel.tsx';
import table from '../../../parts/frames/table.module.css';
import { Icon } from '../../../parts/icon.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { channelsQuery } from '../../../queries/alerts.ts';
import classes from './channels.module.css';
import { channelTone, stateOf, targetOf } from './shown-channel.ts';

const AddChannel = lazy(() => import('./add-channel.tsx'));

/** Where alerts go besides their page. */
export function ChannelsPage() {
  const t = useTranslations('alerts.channels');
  const [isAdding, adding] = useDisclosure();
  const channels = useQuery(channelsQuery);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {t('add')}
    </Button>
  );
  const back = (
    <Button variant="default" leftSection={<Icon name="back" size={16} />} component={Link} to="/alerts">
      {t('back')}
    </Button>
  );
  const empty = (
    <Empty icon="send" title={t('emptyTitle')} lead={t('emptyLead')}>
      {add}
    </Empty>
  );
  const list = (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={channels}
      rows={channels.data}
      actions={back}
      add={add}
      empty={empty}
      list={(rows) => <ChannelsTable channels={rows} />}
    >
      <Suspense>{isAdding && <AddChannel onClose={adding.close} />}</Suspense>
    </ListPage>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

function ChannelsTable({ channels }: { channels: readonly AlertChannel[] }) {
  const t = useTranslations('alerts.channels');
  const common = useTranslations('common');
  const { channelId: openId } = useParams({ strict: false });
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnChannel')}</th>
            <th>{t('columnState')}</th>
            <th className={table.wide}>{t('columnWhat')}</th>
            <th className={table.wide}>{t('columnLast')}</th>
          </tr>
        </thead>
        <tbody>
          {channels.map((channel) => (
            <tr key={channel.channelId} data-open={channel.channelId === openId}>
              <td className={classes.target}>
                <Link
                  to="/alerts/channels/$channelId"
                  params={{ channelId: channel.channelId }}
                  className={table.link}
                >
                  {channel.name ?? t(`kinds.${channel.kind}`)}
                </Link>
                <div className={table.quiet}>
                  {channel.name === null ? '' : `${t(`kinds.${channel.kind}`)} · `}
                  {targetOf(channel)}
                </div>
              </td>
              <td>
                <Status tone={channelTone[stateOf(channel)]}>{t(`state.${stateOf(channel)}`)}</Status>
              </td>
              <td className={`${table.wide} ${table.quiet}`}>
                {channel.kinds === 'all' ? t('allKinds') : t('kindCount', { count: channel.kinds.length })}
              </td>
              <td className={`${table.wide} ${table.quiet}`}>
                {channel.lastDeliveryAt === null ? (
                  common('never')
                ) : (
                  <Moment at={channel.lastDeliveryAt} ago />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

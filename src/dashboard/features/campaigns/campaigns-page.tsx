import { Button, Progress } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { Empty, More, Status } from '../../parts/feedback.tsx';
import { Icon } from '../../parts/icon.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { type CampaignSummary, campaignsQuery } from '../../queries/campaigns.ts';
import { campaignTone, doneOf, percentOf } from './campaign-state.ts';
import classes from './campaigns.module.css';

/** Every campaign of the account, newest first. */
export default function CampaignsPage() {
  const t = useTranslations('campaigns');
  const navigate = useNavigate();
  const campaigns = useInfiniteQuery(campaignsQuery);
  const add = (
    <Button
      leftSection={<Icon name="plus" size={16} />}
      onClick={() => void navigate({ to: '/campaigns/new' })}
    >
      {t('add')}
    </Button>
  );
  const empty = (
    <Empty icon="campaigns" title={t('emptyTitle')} lead={t('emptyLead')}>
      {add}
    </Empty>
  );
  const list = (rows: readonly CampaignSummary[]) => (
    <>
      <CampaignsTable campaigns={rows} />
      <More query={campaigns} />
    </>
  );
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={campaigns}
      rows={campaigns.data?.pages.flatMap(({ data }) => data)}
      add={add}
      empty={empty}
      list={list}
    />
  );
}

function CampaignsTable({ campaigns }: { campaigns: readonly CampaignSummary[] }) {
  const t = useTranslations('campaigns');
  const common = useTranslations('common');
  const format = useFormatter();
  return (
    <DataTable
      rows={campaigns}
      keyOf={({ campaignId }) => campaignId}
      columns={[
        {
          head: t('columnName'),
          className: classes.name,
          cell: ({ campaignId, name }) => (
            <Link to="/campaigns/$campaignId" params={{ campaignId }}>
              {name}
            </Link>
          ),
        },
        {
          head: common('state'),
          cell: ({ status }) => <Status tone={campaignTone[status]}>{t(`status.${status}`)}</Status>,
        },
        {
          head: t('columnProgress'),
          isWide: true,
          cell: ({ counts }) =>
            counts.recipients === 0 ? (
              '–'
            ) : (
              <div className={classes.listProgress}>
                <Progress
                  size="sm"
                  color="var(--green)"
                  value={percentOf(counts)}
                  aria-label={t('page.progressName', { percent: percentOf(counts) })}
                />
                <span>{t('ofAll', { done: doneOf(counts), all: counts.recipients })}</span>
              </div>
            ),
        },
        {
          head: t('page.sent'),
          isWide: true,
          isFigure: true,
          cell: ({ counts }) => format.number(counts.sent),
        },
        {
          head: t('page.replied'),
          isWide: true,
          isFigure: true,
          cell: ({ counts }) => format.number(counts.replied),
        },
        {
          head: common('createdAt'),
          isWide: true,
          isQuiet: true,
          cell: ({ createdAt }) => <Moment at={createdAt} />,
        },
      ]}
    />
  );
}

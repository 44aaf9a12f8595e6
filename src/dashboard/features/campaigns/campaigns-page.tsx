import { Button, Progress } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import { Empty } from '../../parts/feedback/empty.tsx';
import { More } from '../../parts/feedback/more.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { type CampaignSummary, campaignsQuery } from '../../queries/campaigns.ts';
import { campaignTone, doneOf, percentOf } from './campaign-state.ts';
import classes from './campaigns.module.css';

/** Every campaign of the account, newest first. */
export function CampaignsPage() {
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
  const format = useFormatter();
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('columnName')}</th>
            <th>{t('columnStatus')}</th>
            <th className={table.wide}>{t('columnProgress')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnSent')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('columnReplied')}</th>
            <th className={table.wide}>{t('columnCreated')}</th>
          </tr>
        </thead>
        <tbody>
          {campaigns.map(({ campaignId, name, status, counts, createdAt }) => (
            <tr key={campaignId}>
              <td className={classes.name}>
                <Link to="/campaigns/$campaignId" params={{ campaignId }} className={table.link}>
                  {name}
                </Link>
              </td>
              <td>
                <Status tone={campaignTone[status]}>{t(`status.${status}`)}</Status>
              </td>
              <td className={table.wide}>
                {counts.recipients === 0 ? (
                  '–'
                ) : (
                  <div className={classes.progress}>
                    <Progress
                      size="sm"
                      color="var(--green)"
                      value={percentOf(counts)}
                      aria-label={t('page.progressName', { percent: percentOf(counts) })}
                    />
                    <span>{t('ofAll', { done: doneOf(counts), all: counts.recipients })}</span>
                  </div>
                )}
              </td>
              <td className={`${table.wide} ${table.figure}`}>{format.number(counts.sent)}</td>
              <td className={`${table.wide} ${table.figure}`}>{format.number(counts.replied)}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                <Moment at={createdAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

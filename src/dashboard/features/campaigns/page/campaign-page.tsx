import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Campaign } from '../../../../sdk/index.ts';
import { Note } from '../../../parts/feedback/note.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { Card } from '../../../parts/frames/card.tsx';
import { Page } from '../../../parts/frames/page.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { campaignQuery } from '../../../queries/campaigns.ts';
import { campaignTone, doneOf, percentOf } from '../campaign-state.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { CampaignFacts } from './campaign-facts.tsx';
import { Funnel, Texts } from './funnel.tsx';
import classes from './page.module.css';
import { Recipients } from './recipients.tsx';

/** One campaign: how far it is, what came of it, and everybody it is for. */
export function CampaignPage() {
  const t = useTranslations('campaigns');
  const { campaignId } = useParams({ from: '/signed-in/campaigns/$campaignId' });
  const { data: campaign, error, isPending, refetch } = useQuery(campaignQuery(campaignId));
  if (campaign === undefined) {
    return (
      <Page title={t('title')}>
        {isPending && <Waiting />}
        <Problem error={error} onRetry={() => void refetch()} />
      </Page>
    );
  }
  const { name, counts, status } = campaign;
  const hasBegun = campaign.startedAt !== null;
  return (
    <Page title={name} actions={<CampaignActions campaign={campaign} />}>
      <div className={classes.state}>
        <Status tone={campaignTone[status]}>{t(`status.${status}`)}</Status>
        <State campaign={campaign} />
      </div>
      {hasBegun && (
        <div className={classes.cards}>
          <Card title={t('page.progress')}>
            <ProgressOf counts={counts} />
          </Card>
          <Card title={t('page.funnel')}>
            <Funnel counts={counts} />
          </Card>
        </div>
      )}
      {campaign.variants.length > 0 && hasBegun && <Texts campaign={campaign} />}
      <CampaignFacts campaign={campaign} />
      {hasBegun && <Recipients campaign={campaign} />}
    </Page>
  );
}

/** Why it is not going on, or what it waits for. */
function State({ campaign: { status, reason, waitingFor, startAt } }: { campaign: Campaign }) {
  const t = useTranslations('campaigns');
  const format = useFormatter();
  const time = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  if (status === 'scheduled' && startAt !== null) return <Moment at={startAt} />;
  if (reason !== null && status !== 'running') {
    const isQuiet = reason === 'by_person' || reason === 'cancelled' || reason === 'quota';
    if (isQuiet) return <span className={classes.quiet}>{t(`reason.${reason}`)}</span>;
    return (
      <div className={classes.note}>
        <Note tone="amber">
          <p>{t(`reason.${reason}`)}</p>
        </Note>
      </div>
    );
  }
  if (waitingFor === null) return null;
  return (
    <span className={classes.quiet}>
      {t(`waiting.${waitingFor.reason}`)}{' '}
      {waitingFor.until !== null && t('until', { time: time(waitingFor.until) })}
    </span>
  );
}

function ProgressOf({ counts }: { counts: Campaign['counts'] }) {
  const t = useTranslations('campaigns');
  const { pending, queued } = counts;
  return (
    <div className={classes.progress}>
      <p className={classes.figure}>{t('ofAll', { done: doneOf(counts), all: counts.recipients })}</p>
      <Progress
        size="lg"
        color="var(--green)"
        value={percentOf(counts)}
        aria-label={t('page.progressName', { percent: percentOf(counts) })}
      />
      <p className={classes.quiet}>{t('page.left', { count: pending + queued })}</p>
    </div>
  );
}

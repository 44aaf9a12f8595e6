import { Box, Flex, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Campaign } from '../../../sdk/index.ts';
import { Note, QueryState, Status } from '../../parts/feedback.tsx';
import { Card, Page } from '../../parts/frames/page.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Facts } from '../../parts/values/facts.tsx';
import { Meter } from '../../parts/values/meter.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { campaignQuery } from '../../queries/campaigns.ts';
import { importQuery, segmentsQuery } from '../../queries/contacts.ts';
import { useNumberLabel } from '../../queries/numbers.ts';
import { CampaignActions } from './campaign-actions.tsx';
import { campaignTone, doneOf, percentOf } from './campaign-state.ts';
import classes from './campaigns.module.css';
import { Recipients } from './recipients.tsx';

/** One campaign: how far it is, what came of it, and everybody it is for. */
export default function CampaignPage() {
  const t = useTranslations('campaigns');
  const { campaignId } = useParams({ from: '/signed-in/campaigns/$campaignId' });
  const query = useQuery(campaignQuery(campaignId));
  const campaign = query.data;
  if (campaign === undefined) {
    return (
      <Page title={t('title')}>
        <QueryState query={query} />
      </Page>
    );
  }
  const { name, counts, status } = campaign;
  const hasBegun = campaign.startedAt !== null;
  return (
    <Page title={name} actions={<CampaignActions campaign={campaign} />}>
      <Group gap="xs">
        <Status tone={campaignTone[status]}>{t(`status.${status}`)}</Status>
        <State campaign={campaign} />
      </Group>
      {hasBegun && (
        <div className={classes.cards}>
          <Card title={t('columnProgress')}>
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
  const common = useTranslations('common');
  const format = useFormatter();
  const time = (at: string) => format.dateTime(new Date(at), { dateStyle: 'medium', timeStyle: 'short' });
  if (status === 'scheduled' && startAt !== null) return <Moment at={startAt} />;
  if (reason !== null && status !== 'running') {
    const isQuiet = reason === 'by_person' || reason === 'cancelled' || reason === 'quota';
    if (isQuiet)
      return (
        <Text span c="dimmed">
          {t(`reason.${reason}`)}
        </Text>
      );
    return (
      <Box flex="1 0 100%">
        <Note tone="amber">{t(`reason.${reason}`)}</Note>
      </Box>
    );
  }
  if (waitingFor === null) return null;
  return (
    <Text span c="dimmed">
      {t(`waiting.${waitingFor.reason}`)}{' '}
      {/* By a rate it goes on sending: the time is that of its next message. */}
      {waitingFor.until !== null &&
        waitingFor.reason !== 'rate' &&
        common('until', { time: time(waitingFor.until) })}
    </Text>
  );
}

function ProgressOf({ counts }: { counts: Campaign['counts'] }) {
  const t = useTranslations('campaigns');
  const { pending, queued } = counts;
  return (
    <Stack gap="xs">
      <Text fz="xl" fw={600}>
        {t('ofAll', { done: doneOf(counts), all: counts.recipients })}
      </Text>
      <Progress
        size="lg"
        color="var(--green)"
        value={percentOf(counts)}
        aria-label={t('page.progressName', { percent: percentOf(counts) })}
      />
      <Text c="dimmed">{t('page.left', { count: pending + queued })}</Text>
    </Stack>
  );
}

/** What it is to do. */
function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.page');
  const common = useTranslations('common');
  const campaigns = useTranslations('campaigns');
  const wizard = useTranslations('campaigns.wizard');
  const label = useNumberLabel();
  const audience = useAudience(campaign.audience);
  const { window, ratePerHour, numberIds, startedAt, endedAt, createdAt } = campaign;
  const labelOf = (id: string) => label(id) ?? id;
  return (
    <Card title={t('what')}>
      <Facts
        facts={[
          [
            common('message'),
            <span key="message" className={classes.text}>
              {messageText(campaign.message)}
            </span>,
          ],
          [campaigns('recipients.title'), audience],
          [common('numbers'), numberIds === 'pool' ? common('pool') : numberIds.map(labelOf).join(', ')],
          [
            wizard('hours'),
            window === null
              ? t('anyTime')
              : `${window.days.map((day) => wizard(`dayNames.${day}`)).join(', ')} · ${window.from}–${window.to} · ${
                  window.timeZone === 'recipient' ? wizard('recipientZone') : window.timeZone
                }`,
          ],
          [wizard('rate'), ratePerHour === null ? t('asPacing') : t('perHour', { count: ratePerHour })],
          [common('createdAt'), <Moment key="created" at={createdAt} />],
          startedAt !== null && [t('started'), <Moment key="started" at={startedAt} />],
          endedAt !== null && [t('ended'), <Moment key="ended" at={endedAt} />],
        ]}
      />
    </Card>
  );
}

function useAudience({ label, segmentId, csv, contactIds, coldContacts }: Campaign['audience']): string {
  const t = useTranslations('campaigns.wizard');
  const format = useFormatter();
  const segments = useQuery(segmentsQuery);
  const imported = useQuery({ ...importQuery(csv ?? ''), enabled: csv !== undefined });
  const who = () => {
    if (label !== undefined) return label;
    if (csv !== undefined) return imported.data?.fileName ?? t('csv');
    if (segmentId !== undefined)
      return segments.data?.find((segment) => segment.segmentId === segmentId)?.name ?? t('segment');
    return contactIds === undefined ? t('all') : t('chosen', { count: format.number(contactIds.length) });
  };
  return coldContacts ? `${who()} · ${t('cold')}` : who();
}

const stages = ['sent', 'delivered', 'read', 'replied'] as const;
const asides = ['failed', 'skipped', 'cancelled', 'optedOut'] as const;

/** How many came how far: each bar is a part of those who were sent it. */
function Funnel({ counts }: { counts: Campaign['counts'] }) {
  const t = useTranslations('campaigns.page');
  const format = useFormatter();
  const share = (count: number) => (counts.sent === 0 ? 0 : count / counts.sent);
  return (
    <Stack gap={14}>
      <dl>
        {stages.map((stage) => (
          <div key={stage} className={classes.stage}>
            <dt>{t(stage)}</dt>
            <dd>
              <Meter share={share(counts[stage])} height={10} colour="var(--chart-1)" />
              <b>{format.number(counts[stage])}</b>
              <Hint span>{format.number(share(counts[stage]), { style: 'percent' })}</Hint>
            </dd>
          </div>
        ))}
      </dl>
      <dl className={classes.asides}>
        {asides.map((name) => (
          <Flex gap={8} key={name}>
            <Box component="dt" c="dimmed">
              {t(name)}
            </Box>
            <Box component="dd" fw={550}>
              {format.number(counts[name])}
            </Box>
          </Flex>
        ))}
      </dl>
    </Stack>
  );
}

/** Which of the texts is answered more. */
function Texts({ campaign }: { campaign: Campaign }) {
  const t = useTranslations('campaigns.page');
  const format = useFormatter();
  const { message, variants, variantCounts, winningVariant } = campaign;
  return (
    <Card title={t('texts')}>
      <SimpleGrid component="ul" minColWidth={240} autoFlow="auto-fit" spacing={20}>
        {[message, ...variants].map((one, index) => {
          const { sent = 0, replied = 0 } = variantCounts[index] ?? {};
          const letter = String.fromCharCode(65 + index);
          return (
            <Stack component="li" gap={6} miw={0} key={letter}>
              <div>
                <b>{t('textName', { letter })}</b>{' '}
                {winningVariant === index && <Status tone="green">{t('won')}</Status>}
              </div>
              <p className={classes.text}>{messageText(one)}</p>
              <Text span c="dimmed">
                {t('answered', { replied, sent })}
                {sent > 0 && ` · ${format.number(replied / sent, { style: 'percent' })}`}
              </Text>
            </Stack>
          );
        })}
      </SimpleGrid>
    </Card>
  );
}

/** What a person reads of a message: its text, or the caption of its file. */
function messageText(message: Campaign['message']): string {
  const { type = 'text', text } = message as { type?: string; text?: string };
  if (text !== undefined) return text;
  const file = (message as Record<string, { caption?: string; fileName?: string } | undefined>)[type];
  return file?.caption ?? file?.fileName ?? type;
}

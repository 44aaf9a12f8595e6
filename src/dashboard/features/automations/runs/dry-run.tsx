import { Button, Flex, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { dayMs } from '../../../../contract/times.ts';
import type { AutomationDryRun } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem, Status } from '../../../parts/feedback.tsx';
import { Card } from '../../../parts/frames/page.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import classes from '../automations.module.css';
import { type Draft, requestOf } from '../editor/draft.ts';
import { useReason } from './run-log.tsx';

const spans = [1, 7, 30] as const;
/** The gateway looks back no further than its own 30 days. */
const marginMs = 60_000;

interface DryRunProps {
  draft: Draft;
  automationId: string | null;
  canRun: boolean;
}

/** What the automation would have done, tried on what has happened. Nothing is sent. */
export function DryRun({ draft, automationId, canRun }: DryRunProps) {
  const t = useTranslations('automations');
  const [days, setDays] = useState<number>(7);
  const run = useMutation({
    mutationFn: () =>
      gateway.automations.dryRunDraft({
        since: new Date(Date.now() - days * dayMs + marginMs).toISOString(),
        automation: { ...requestOf(draft), ...(automationId !== null && { automationId }) },
      }),
  });
  return (
    <Card title={t('dryRun')}>
      <Text c="dimmed">{t('dryRunLead')}</Text>
      <Group gap="xs">
        <NativeSelect
          aria-label={t('dryRunSince')}
          data={spans.map((count) => ({ value: String(count), label: t('lastDays', { count }) }))}
          value={String(days)}
          onChange={({ currentTarget }) => setDays(Number(currentTarget.value))}
        />
        <Button variant="default" disabled={!canRun} loading={run.isPending} onClick={() => run.mutate()}>
          {t('tryIt')}
        </Button>
      </Group>
      {!canRun && <Text c="dimmed">{t('tryLater')}</Text>}
      <Problem error={run.error} />
      {run.data !== undefined && <Outcome result={run.data} draft={draft} />}
    </Card>
  );
}

function Outcome({ result, draft }: { result: AutomationDryRun; draft: Draft }) {
  const t = useTranslations('automations');
  const format = useFormatter();
  const { events, runs } = result.counts;
  const share = t('dryRunCounts', { runs: format.number(runs), events: format.number(events) });
  return (
    <Stack gap="xs" role="status">
      <p>
        <b>{events === 0 ? t('dryRunNothing') : share}</b>
      </p>
      <ul className={classes.log}>
        {result.data.map((entry) => (
          <Entry key={`${entry.eventId} ${entry.conversationId}`} entry={entry} draft={draft} />
        ))}
      </ul>
      {result.isCut && <Text c="dimmed">{t('dryRunCut')}</Text>}
    </Stack>
  );
}

function Entry({ entry, draft }: { entry: AutomationDryRun['data'][number]; draft: Draft }) {
  const t = useTranslations('automations');
  const reason = useReason();
  const conditions = draft.conditions.map(({ field }) => field);
  return (
    <li>
      <Group gap="4px 10px" justify="space-between">
        <Status tone={entry.runs ? 'green' : 'grey'}>{entry.runs ? t('ran') : t('ranNot')}</Status>
        <Flex component="span" gap="xs" c="dimmed">
          <span>{readable(entry.person)}</span>
          <Moment at={entry.at} />
        </Flex>
      </Group>
      {entry.text && <p className={classes.sentText}>{entry.text}</p>}
      {entry.runs
        ? entry.replies?.map((reply) => (
            <p key={reply} className={classes.answer}>
              {reply}
            </p>
          ))
        : entry.reason && <Text c="dimmed">{reason(entry, conditions)}</Text>}
      {entry.notReplied !== undefined && (
        <Stack component="ul" gap={4}>
          <Group component="li" gap="4px 8px">
            <Status tone="grey">{t('state.skipped')}</Status>
            <span>{t('action.reply')}</span>
            <Text span c="dimmed">
              {entry.notReplied.words ?? t(`whyNot.${entry.notReplied.reason}`)}
            </Text>
          </Group>
        </Stack>
      )}
    </li>
  );
}

import { Box, Button, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant, AssistantReport, AssistantRun } from '../../../../sdk/index.ts';
import { More, Problem, Status, Waiting } from '../../../parts/feedback.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { reportQuery, runsQuery } from '../../../queries/assistants.ts';
import { AnswerDetails } from './answer-details.tsx';
import classes from './runs.module.css';

const TeachDialog = lazy(() => import('../knowledge/teach-dialog.tsx'));

const VersionsDialog = lazy(() => import('./versions-dialog.tsx'));

const outcomes = ['answered', 'handed_off', 'dropped', 'running'] as const;

/** What the assistant was asked, what came of it and what it cost; what it could not answer can be taught. */
export default function RunsTab({ assistant: { assistantId } }: { assistant: Assistant }) {
  const t = useTranslations('assistants');
  const [outcome, setOutcome] = useState<AssistantRun['outcome'] | null>(null);
  const [taught, setTaught] = useState<AssistantRun | null>(null);
  /** Which version is asked for; empty: all of them. */
  const [version, setVersion] = useState<string | null>(null);
  const report = useQuery(reportQuery(assistantId));
  const runs = useInfiniteQuery(runsQuery(assistantId, outcome));
  const all = runs.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Stack gap="md">
      {report.data !== undefined && <Figures report={report.data} />}
      <Group gap={8}>
        <Button
          variant={outcome === 'handed_off' ? 'filled' : 'default'}
          aria-pressed={outcome === 'handed_off'}
          onClick={() => setOutcome(outcome === 'handed_off' ? null : 'handed_off')}
        >
          {t('unanswered')}
        </Button>
        <Select
          maw={240}
          aria-label={t('outcome')}
          placeholder={t('anyOutcome')}
          clearable
          allowDeselect
          data={outcomes.map((value) => ({ value, label: t(`outcomes.${value}`) }))}
          value={outcome}
          onChange={(value) => setOutcome(outcomes.find((one) => one === value) ?? null)}
        />
        <Button variant="default" onClick={() => setVersion('')}>
          {t('versions')}
        </Button>
      </Group>
      {runs.isPending && <Waiting />}
      <Problem error={runs.error ?? report.error} onRetry={() => void runs.refetch()} />
      {runs.data !== undefined && all.length === 0 && <Hint mb={6}>{t('noRuns')}</Hint>}
      <ol className={classes.list}>
        {all.map((run) => (
          <RunRow key={run.turnId} run={run} onTeach={() => setTaught(run)} onVersion={setVersion} />
        ))}
      </ol>
      <More query={runs} />
      <Suspense>
        {taught !== null && (
          <TeachDialog assistantId={assistantId} question={taught.question} onClose={() => setTaught(null)} />
        )}
        {version !== null && (
          <VersionsDialog
            assistantId={assistantId}
            opened={version || null}
            onClose={() => setVersion(null)}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** A small cost is not none. */
const costFormat = (cost: number) =>
  cost < 0.01 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };

function Figures({ report }: { report: AssistantReport }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const format = useFormatter();
  const { answered, handedOff, handOffRate, tokens, cost } = report;
  const figures = [
    [t('answered'), format.number(answered)],
    [t('handedOff'), format.number(handedOff)],
    [t('handOffRate'), handOffRate === null ? '–' : format.number(handOffRate, { style: 'percent' })],
    [t('tokens'), format.number(tokens.input + tokens.output, { notation: 'compact' })],
    [t('cost'), cost === null ? '–' : format.number(cost, costFormat(cost))],
  ] as const;
  return (
    <section aria-label={common('last30Days')}>
      <Hint mb={6}>{common('last30Days')}</Hint>
      <SimpleGrid
        component="dl"
        minColWidth={130}
        autoFlow="auto-fit"
        spacing={12}
        className={classes.figures}
      >
        {figures.map(([name, value]) => (
          <Box p="12px 14px" bg="var(--surface)" bd="1px solid var(--line)" bdrs="lg" key={name}>
            <Hint component="dt">{name}</Hint>
            <dd>{value}</dd>
          </Box>
        ))}
      </SimpleGrid>
    </section>
  );
}

const tones = { answered: 'green', handed_off: 'amber', dropped: 'grey', running: 'blue' } as const;

interface Props {
  run: AssistantRun;
  onTeach: () => void;
  /** What it was told then is asked for. */
  onVersion: (version: string) => void;
}

/** One time that the assistant was asked something; how it came to its answer is seen when it is opened. */
function RunRow({ run, onTeach, onVersion }: Props) {
  const t = useTranslations('assistants');
  const { outcome, reason, question, reply, at, error, instructionsVersion } = run;
  return (
    <li>
      <details>
        <summary className={classes.run}>
          <Status tone={tones[outcome]}>{t(`outcomes.${outcome}`)}</Status>
          <span className={classes.question}>{question}</span>
          <Hint span style={{ whiteSpace: 'nowrap' }}>
            <Moment at={at} ago />
          </Hint>
        </summary>
        <Stack gap="xs" p="4px 14px 14px">
          {reason !== null && <p>{t(`reason.${reason}`)}</p>}
          {error !== null && <Hint mb={6}>{error}</Hint>}
          {reply !== null && <blockquote className={classes.reply}>{reply}</blockquote>}
          <AnswerDetails details={run} />
          <Group gap={8}>
            <SmallButton onClick={onTeach}>{t('teach')}</SmallButton>
            {instructionsVersion !== null && (
              <SmallButton onClick={() => onVersion(instructionsVersion)}>
                {t('versionOf', { version: instructionsVersion })}
              </SmallButton>
            )}
          </Group>
        </Stack>
      </details>
    </li>
  );
}

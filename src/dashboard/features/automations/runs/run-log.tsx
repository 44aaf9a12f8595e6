import { Flex, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ActionReason, NoReason } from '../../../../contract/automations/runs.ts';
import type { Automation, AutomationRunList } from '../../../../sdk/index.ts';
import { More, QueryState, Status, type Tone } from '../../../parts/feedback.tsx';
import { Card } from '../../../parts/frames/page.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { automationRunsQuery } from '../../../queries/automations.ts';
import classes from '../automations.module.css';

type Run = AutomationRunList['data'][number];
type ActionState = NonNullable<Run['actions']>[number]['state'];

const tones: Record<ActionState, Tone> = { done: 'green', pending: 'amber', failed: 'red', skipped: 'grey' };

/** What the automation has done, newest first, and why it did not. */
export function RunLog({ automation }: { automation: Automation }) {
  const t = useTranslations('automations');
  const [shown, setShown] = useState<'all' | 'true' | 'false'>('all');
  const runs = useInfiniteQuery(
    automationRunsQuery(automation.automationId, shown === 'all' ? undefined : shown === 'true'),
  );
  const all = runs.data?.pages.flatMap(({ data }) => data);
  const filter = (
    <NativeSelect
      size="xs"
      aria-label={t('shownRuns')}
      data={[
        { value: 'all', label: t('allRuns') },
        { value: 'true', label: t('onlyRan') },
        { value: 'false', label: t('onlyNot') },
      ]}
      value={shown}
      onChange={({ currentTarget }) => setShown(currentTarget.value as typeof shown)}
    />
  );
  return (
    <Card title={t('log')} aside={filter}>
      <Stack gap="xs">
        <QueryState query={runs} />
        {all?.length === 0 && <Text c="dimmed">{t('noRuns')}</Text>}
        <ul className={classes.log}>
          {all?.map((run) => (
            <RunEntry key={run.runId} run={run} automation={automation} />
          ))}
        </ul>
        <More query={runs} />
      </Stack>
    </Card>
  );
}

function RunEntry({ run, automation }: { run: Run; automation: Automation }) {
  const t = useTranslations('automations');
  const reason = useReason();
  const fields = automation.conditions.map(({ field }) => field);
  return (
    <li>
      <Group gap="4px 10px" justify="space-between">
        <Status tone={run.ran ? 'green' : 'grey'}>{run.ran ? t('ran') : t('ranNot')}</Status>
        <Flex component="span" gap="xs" c="dimmed">
          <span>{readable(run.person)}</span>
          <Moment at={run.at} />
        </Flex>
      </Group>
      {!run.ran && <Text c="dimmed">{reason(run, fields)}</Text>}
      {run.actions !== undefined && (
        <Stack component="ul" gap={4}>
          {run.actions.map((action, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the actions of a run stay where they are
            <Group component="li" gap="4px 8px" key={index}>
              <Status tone={tones[action.state]}>{t(`state.${action.state}`)}</Status>
              <span>{t(`action.${action.type as 'reply'}`)}</span>
              {action.reason !== undefined && (
                <Text span c="dimmed">
                  {action.words || t(`whyNot.${action.reason as ActionReason}`)}
                </Text>
              )}
              {action.messageId !== undefined && (
                <Link to="/messages/$messageId" params={{ messageId: action.messageId }}>
                  {t('seeMessage')}
                </Link>
              )}
            </Group>
          ))}
        </Stack>
      )}
    </li>
  );
}

interface Told {
  reason?: NoReason;
  conditionIndex?: number;
  until?: string;
}

/** Says why an automation did not run; `fields`: what its conditions look at. */
export function useReason() {
  const t = useTranslations('automations');
  const format = useFormatter();
  return ({ reason, conditionIndex, until }: Told, fields: readonly string[]): string => {
    if (reason === undefined) return '';
    if (reason === 'condition') {
      const field = fields[conditionIndex ?? 0];
      const known = field === undefined ? null : field.startsWith('contact.') ? 'attribute' : field;
      return t('reasonCondition', {
        place: String((conditionIndex ?? 0) + 1),
        field: known === null ? '–' : t(`fields.${known as 'text'}`),
      });
    }
    if (reason === 'cooldown' && until !== undefined) {
      const at = format.dateTime(new Date(until), { dateStyle: 'medium', timeStyle: 'short' });
      return t('reasonCooldown', { at });
    }
    return t(`reason.${reason}`);
  };
}

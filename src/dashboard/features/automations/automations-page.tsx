import { Button, Flex, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Automation } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback.tsx';
import { Icon } from '../../parts/icon.tsx';
import { IconButton } from '../../parts/icon-button.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ListPage } from '../../parts/lists/list-page.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { automationsChanged, automationsQuery, showAutomation } from '../../queries/automations.ts';
import { triggerWord } from './automation-names.ts';
import classes from './automations.module.css';
import { TemplateList } from './template-list.tsx';

/** The automations of the account in the order in which they are asked; where there are none, what to start from. */
export default function AutomationsPage() {
  const t = useTranslations('automations');
  const automations = useQuery(automationsQuery);
  const add = (
    <Button component={Link} to="/automations/new" leftSection={<Icon name="plus" size={16} />}>
      {t('add')}
    </Button>
  );
  const empty = (
    <Stack component="section" gap={6}>
      <h2>{t('emptyTitle')}</h2>
      <Text c="dimmed">{t('emptyLead')}</Text>
      <TemplateList />
    </Stack>
  );
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={automations}
      rows={automations.data}
      add={add}
      empty={empty}
      list={(rows) => <AutomationsTable automations={rows} />}
    />
  );
}

function AutomationsTable({ automations }: { automations: readonly Automation[] }) {
  const t = useTranslations('automations');
  const common = useTranslations('common');
  const format = useFormatter();
  const summary = useSummary();
  const change = useMutation({
    mutationFn: ({
      automationId,
      ...changes
    }: {
      automationId: string;
      enabled?: boolean;
      position?: number;
    }) => gateway.automations.update(automationId, changes),
    onSuccess: (stored) => {
      showAutomation(stored);
      return automationsChanged();
    },
  });
  return (
    <>
      <Problem error={change.error} />
      <DataTable
        rows={automations}
        keyOf={({ automationId }) => automationId}
        columns={[
          {
            head: common('order'),
            cell: ({ automationId, name }, index) => (
              <Flex gap={2}>
                <IconButton
                  icon="up"
                  iconSize={16}
                  name={t('moveRuleUp', { name })}
                  disabled={index === 0 || change.isPending}
                  onClick={() => change.mutate({ automationId, position: index - 1 })}
                />
                <IconButton
                  icon="down"
                  iconSize={16}
                  name={t('moveRuleDown', { name })}
                  disabled={index === automations.length - 1 || change.isPending}
                  onClick={() => change.mutate({ automationId, position: index + 1 })}
                />
              </Flex>
            ),
          },
          {
            head: t('columnRule'),
            className: classes.rule,
            cell: (automation) => {
              const { automationId, name } = automation;
              return (
                <>
                  <Link to="/automations/$automationId" params={{ automationId }}>
                    {name}
                  </Link>
                  <small>{summary(automation)}</small>
                </>
              );
            },
          },
          {
            head: t('columnOn'),
            cell: ({ automationId, name, enabled }) => (
              <Switch
                aria-label={t('isOnNamed', { name })}
                checked={enabled}
                disabled={change.isPending}
                onChange={({ currentTarget }) =>
                  change.mutate({ automationId, enabled: currentTarget.checked })
                }
              />
            ),
          },
          {
            head: t('columnRuns'),
            isWide: true,
            isFigure: true,
            cell: ({ stats }) => format.number(stats.runs),
          },
          {
            head: t('columnLast'),
            isWide: true,
            isQuiet: true,
            cell: ({ stats }) =>
              stats.lastRunAt === null ? common('never') : <Moment at={stats.lastRunAt} ago />,
          },
        ]}
      />
      <Text c="dimmed">{t('orderHint')}</Text>
    </>
  );
}

/** A rule in one line: when it runs, and what it does. */
function useSummary() {
  const t = useTranslations('automations');
  return ({ on, conditions, actions }: Automation): string => {
    const done = [...new Set(actions.map(({ type }) => type))].filter((type) => type !== 'stop');
    const what = (done.length > 0 ? done : (['stop'] as const)).map((type) => t(`action.${type}`)).join(', ');
    const when = t(`trigger.${triggerWord[on]}`);
    return conditions.length === 0
      ? t('summary', { when, what })
      : t('summaryIf', { when, what, count: conditions.length });
  };
}

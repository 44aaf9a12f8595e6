import { ActionIcon, Button, Switch } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useFormatter, useTranslations } from 'use-intl';
import type { Automation } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { automationsChanged, automationsQuery, showAutomation } from '../../queries/automations.ts';
import classes from './automations.module.css';
import { ReadyMadeList } from './ready-made-list.tsx';
import { useSummary } from './summary.ts';

/** The automations of the account in the order in which they are asked; where there are none, what to start from. */
export function AutomationsPage() {
  const t = useTranslations('automations');
  const automations = useQuery(automationsQuery);
  const add = (
    <Button component={Link} to="/automations/new" leftSection={<Icon name="plus" size={16} />}>
      {t('add')}
    </Button>
  );
  const empty = (
    <section className={classes.start}>
      <h2>{t('emptyTitle')}</h2>
      <p className={classes.quiet}>{t('emptyLead')}</p>
      <ReadyMadeList />
    </section>
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
      <div className={table.frame}>
        <table className={table.table}>
          <thead>
            <tr>
              <th>{t('order')}</th>
              <th>{t('columnRule')}</th>
              <th>{t('columnOn')}</th>
              <th className={`${table.wide} ${table.figure}`}>{t('columnRuns')}</th>
              <th className={table.wide}>{t('columnLast')}</th>
            </tr>
          </thead>
          <tbody>
            {automations.map((automation, index) => {
              const { automationId, name, enabled, stats } = automation;
              return (
                <tr key={automationId}>
                  <td>
                    <div className={classes.buttons}>
                      <ActionIcon
                        variant="subtle"
                        aria-label={t('moveRuleUp', { name })}
                        disabled={index === 0 || change.isPending}
                        onClick={() => change.mutate({ automationId, position: index - 1 })}
                      >
                        <Icon name="up" size={16} />
                      </ActionIcon>
                      <ActionIcon
                        variant="subtle"
                        aria-label={t('moveRuleDown', { name })}
                        disabled={index === automations.length - 1 || change.isPending}
                        onClick={() => change.mutate({ automationId, position: index + 1 })}
                      >
                        <Icon name="down" size={16} />
                      </ActionIcon>
                    </div>
                  </td>
                  <td className={classes.rule}>
                    <Link to="/automations/$automationId" params={{ automationId }} className={table.link}>
                      {name}
                    </Link>
                    <div className={table.quiet}>{summary(automation)}</div>
                  </td>
                  <td>
                    <Switch
                      aria-label={t('isOnNamed', { name })}
                      checked={enabled}
                      disabled={change.isPending}
                      onChange={({ currentTarget }) =>
                        change.mutate({ automationId, enabled: currentTarget.checked })
                      }
                    />
                  </td>
                  <td className={`${table.wide} ${table.figure}`}>{format.number(stats.runs)}</td>
                  <td className={`${table.wide} ${table.quiet}`}>
                    {stats.lastRunAt === null ? common('never') : <Moment at={stats.lastRunAt} ago />}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={classes.quiet}>{t('orderHint')}</p>
    </>
  );
}

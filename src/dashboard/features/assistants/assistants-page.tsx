import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import table from '../../parts/frames/table.module.css';
import { Icon } from '../../parts/icon.tsx';
import { assistantsQuery } from '../../queries/assistants.ts';

const CreateAssistant = lazy(() => import('./create-assistant.tsx'));

/** The assistants of the account. */
export function AssistantsPage() {
  const t = useTranslations('assistants');
  const [isAdding, adding] = useDisclosure();
  const assistants = useQuery(assistantsQuery);
  const add = (
    <Button leftSection={<Icon name="plus" size={16} />} onClick={adding.open}>
      {t('add')}
    </Button>
  );
  const isEmpty = assistants.data?.length === 0;
  return (
    <Page title={t('title')} lead={t('lead')} actions={isEmpty ? undefined : add}>
      {assistants.isPending && <Waiting />}
      <Problem error={assistants.error} onRetry={() => void assistants.refetch()} />
      {isEmpty && (
        <Empty icon="assistant" title={t('emptyTitle')} lead={t('emptyLead')}>
          {add}
        </Empty>
      )}
      {assistants.data !== undefined && !isEmpty && <AssistantsTable assistants={assistants.data} />}
      <Suspense>{isAdding && <CreateAssistant onClose={adding.close} />}</Suspense>
    </Page>
  );
}

function AssistantsTable({ assistants }: { assistants: readonly Assistant[] }) {
  const t = useTranslations('assistants');
  const format = useFormatter();
  return (
    <div className={table.frame}>
      <table className={table.table}>
        <thead>
          <tr>
            <th>{t('name')}</th>
            <th>{t('state')}</th>
            <th className={table.wide}>{t('model')}</th>
            <th className={table.wide}>{t('numbers')}</th>
            <th className={`${table.wide} ${table.figure}`}>{t('documents')}</th>
          </tr>
        </thead>
        <tbody>
          {assistants.map(({ assistantId, name, enabled, provider, numberIds, knowledge }) => (
            <tr key={assistantId}>
              <td>
                <Link to="/assistants/$assistantId" params={{ assistantId }} className={table.link}>
                  {name}
                </Link>
              </td>
              <td>
                <Status tone={enabled ? 'green' : 'grey'}>{enabled ? t('on') : t('off')}</Status>
              </td>
              <td className={`${table.wide} ${table.quiet}`}>{provider.model}</td>
              <td className={`${table.wide} ${table.quiet}`}>
                {numberIds === 'all' ? t('allNumbers') : t('numberCount', { count: numberIds.length })}
              </td>
              <td className={`${table.wide} ${table.figure}`}>{format.number(knowledge.documents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant } from '../../../sdk/index.ts';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Status } from '../../parts/feedback/status.tsx';
import { ListPage } from '../../parts/frames/list-page.tsx';
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
  const empty = (
    <Empty icon="assistant" title={t('emptyTitle')} lead={t('emptyLead')}>
      {add}
    </Empty>
  );
  return (
    <ListPage
      title={t('title')}
      lead={t('lead')}
      query={assistants}
      rows={assistants.data}
      add={add}
      empty={empty}
      list={(rows) => <AssistantsTable assistants={rows} />}
    >
      <Suspense>{isAdding && <CreateAssistant onClose={adding.close} />}</Suspense>
    </ListPage>
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

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant } from '../../../sdk/index.ts';
import { Status } from '../../parts/feedback.tsx';
import { DataTable } from '../../parts/lists/data-table.tsx';
import { ResourcePage } from '../../parts/lists/list-page.tsx';
import { assistantsQuery } from '../../queries/assistants.ts';

const CreateAssistant = lazy(() => import('./create-assistant.tsx'));

/** The assistants of the account. */
export default function AssistantsPage() {
  const t = useTranslations('assistants');
  const assistants = useQuery(assistantsQuery);
  return (
    <ResourcePage
      title={t('title')}
      lead={t('lead')}
      query={assistants}
      rows={assistants.data}
      add={t('add')}
      empty={{ icon: 'assistant', title: t('emptyTitle'), lead: t('emptyLead') }}
      list={(rows) => <AssistantsTable assistants={rows} />}
      dialog={(onClose) => <CreateAssistant onClose={onClose} />}
    />
  );
}

function AssistantsTable({ assistants }: { assistants: readonly Assistant[] }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const format = useFormatter();
  return (
    <DataTable
      rows={assistants}
      keyOf={({ assistantId }) => assistantId}
      columns={[
        {
          head: common('name'),
          isLongWord: true,
          cell: ({ assistantId, name }) => (
            <Link to="/assistants/$assistantId" params={{ assistantId }}>
              {name}
            </Link>
          ),
        },
        {
          head: t('state'),
          cell: ({ enabled }) => (
            <Status tone={enabled ? 'green' : 'grey'}>{enabled ? t('on') : t('off')}</Status>
          ),
        },
        { head: t('model'), isWide: true, isQuiet: true, cell: ({ provider }) => provider.model },
        {
          head: common('numbers'),
          isWide: true,
          isQuiet: true,
          cell: ({ numberIds }) =>
            numberIds === 'all' ? common('allNumbers') : t('numberCount', { count: numberIds.length }),
        },
        {
          head: t('documents'),
          isWide: true,
          isFigure: true,
          cell: ({ knowledge }) => format.number(knowledge.documents),
        },
      ]}
    />
  );
}

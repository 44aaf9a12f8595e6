import { ActionIcon, Tooltip } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { KnowledgeDocument } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Status } from '../../../parts/feedback/status.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { documentsChanged } from '../../../queries/assistants.ts';
import classes from '../assistants.module.css';

const Confirm = lazy(() => import('../../../parts/asking/confirm.tsx'));

const tones = { ready: 'green', pending: 'amber', failed: 'red' } as const;

interface Props {
  assistantId: string;
  documents: readonly KnowledgeDocument[];
}

/** The documents of an assistant, and whether each could be read. */
export function DocumentTable({ assistantId, documents }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const format = useFormatter();
  const [removing, setRemoving] = useState<KnowledgeDocument | null>(null);
  const read = useMutation({
    mutationFn: (documentId: string) => gateway.assistants.readDocument(assistantId, documentId),
    onSuccess: () => documentsChanged(assistantId),
  });
  const remove = useMutation({
    mutationFn: (documentId: string) => gateway.assistants.deleteDocument(assistantId, documentId),
    onSuccess: () => {
      setRemoving(null);
      documentsChanged(assistantId);
    },
  });
  return (
    <>
      <Problem error={read.error} />
      <DataTable
        rows={documents}
        keyOf={({ documentId }) => documentId}
        columns={[
          {
            head: t('document'),
            className: classes.document,
            cell: ({ name, url, kind, state, pages }) => (
              <>
                {name}
                <small>
                  {[
                    t(`kind.${kind}`),
                    url === name ? null : url,
                    kind === 'sitemap' && state === 'ready' ? t('pages', { count: pages }) : null,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </small>
              </>
            ),
          },
          {
            head: t('state'),
            cell: ({ state, error }) => (
              <>
                <Status tone={tones[state]}>{t(`documentState.${state}`)}</Status>
                {error !== null && <small>{error}</small>}
              </>
            ),
          },
          { head: t('pieces'), isWide: true, isFigure: true, cell: ({ chunks }) => format.number(chunks) },
          {
            head: t('lastRead'),
            isWide: true,
            isQuiet: true,
            cell: ({ readAt }) => (readAt === null ? common('never') : <Moment at={readAt} ago />),
          },
          {
            head: t('actions'),
            isFigure: true,
            cell: (document) => {
              const { documentId, name, url } = document;
              return (
                <div className={classes.icons}>
                  {url !== null && (
                    <Tooltip label={t('readAgain')}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        aria-label={`${t('readAgain')}: ${name}`}
                        onClick={() => read.mutate(documentId)}
                      >
                        <Icon name="refresh" size={16} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                  <Tooltip label={common('delete')}>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={`${common('delete')}: ${name}`}
                      onClick={() => setRemoving(document)}
                    >
                      <Icon name="trash" size={16} />
                    </ActionIcon>
                  </Tooltip>
                </div>
              );
            },
          },
        ]}
      />
      <Suspense>
        {removing !== null && (
          <Confirm
            onClose={() => setRemoving(null)}
            title={t('deleteDocumentTitle')}
            lead={t('deleteDocumentLead', { name: removing.name })}
            action={common('delete')}
            isBusy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate(removing.documentId)}
          />
        )}
      </Suspense>
    </>
  );
}

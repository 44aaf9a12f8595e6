import { Button, FileButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Empty } from '../../../parts/feedback/empty.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { Waiting } from '../../../parts/feedback/waiting.tsx';
import { Card } from '../../../parts/frames/card.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { documentsChanged, documentsQuery } from '../../../queries/assistants.ts';
import classes from '../assistants.module.css';
import { DocumentTable } from './document-table.tsx';
import { KnowledgeSearch } from './knowledge-search.tsx';

const TeachDialog = lazy(() => import('./teach-dialog.tsx'));
const UrlDialog = lazy(() => import('./url-dialog.tsx'));

const fileTypes = '.txt,.md,.markdown,.pdf,.html,.htm,text/plain,text/markdown,application/pdf,text/html';

/** What the assistant knows, how it gets more, and what it would find. */
export default function KnowledgeTab({ assistant }: { assistant: Assistant }) {
  const { assistantId, knowledge } = assistant;
  const t = useTranslations('assistants');
  const [adding, setAdding] = useState<'text' | 'url' | null>(null);
  const documents = useQuery(documentsQuery(assistantId));
  const upload = useMutation({
    mutationFn: (file: File) => gateway.assistants.uploadDocument(assistantId, file.name, file),
    onSuccess: () => documentsChanged(assistantId),
  });
  const close = () => setAdding(null);
  const buttons = (
    <div className={classes.row}>
      <FileButton accept={fileTypes} onChange={(file) => file !== null && upload.mutate(file)}>
        {(props) => (
          <Button {...props} loading={upload.isPending} leftSection={<Icon name="plus" size={16} />}>
            {t('uploadFile')}
          </Button>
        )}
      </FileButton>
      <Button variant="default" onClick={() => setAdding('text')}>
        {t('addText')}
      </Button>
      <Button variant="default" onClick={() => setAdding('url')}>
        {t('addUrl')}
      </Button>
    </div>
  );
  const isEmpty = documents.data?.length === 0;
  return (
    <div className={classes.beside}>
      <section>
        {documents.isPending && <Waiting />}
        <Problem error={documents.error ?? upload.error} />
        {isEmpty && (
          <Empty icon="book" title={t('knowsNothing')} lead={t('knowsNothingLead')}>
            {buttons}
          </Empty>
        )}
        {documents.data !== undefined && !isEmpty && (
          <>
            <div className={classes.above}>{buttons}</div>
            <DocumentTable assistantId={assistantId} documents={documents.data} />
            <FoundBy knowledge={knowledge} />
          </>
        )}
      </section>
      <Card title={t('search')}>
        <KnowledgeSearch assistantId={assistantId} />
      </Card>
      <Suspense>
        {adding === 'text' && <TeachDialog assistantId={assistantId} onClose={close} />}
        {adding === 'url' && <UrlDialog assistantId={assistantId} onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Whether what it knows is found by its meaning too, where the gateway can do that at all. */
function FoundBy({ knowledge: { chunks, meaning } }: Pick<Assistant, 'knowledge'>) {
  const t = useTranslations('assistants');
  const format = useFormatter();
  if (meaning === null) return null;
  const { isOn, vectors, problem } = meaning;
  return (
    <>
      <p className={classes.foundBy}>
        {isOn
          ? t('foundBy', { vectors: format.number(vectors), chunks: format.number(chunks) })
          : t('foundByWords')}
      </p>
      {problem !== null && <p className={classes.foundBy}>{problem}</p>}
    </>
  );
}

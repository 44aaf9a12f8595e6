import { Box, Button, FileButton, Flex, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { Assistant, KnowledgeDocument } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { Empty, Problem, Status, Waiting } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Card } from '../../../parts/frames/page.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { documentsChanged, documentsQuery, passagesQuery } from '../../../queries/assistants.ts';
import classes from '../assistants.module.css';

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
    <Group gap={8}>
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
    </Group>
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
            <Box mb="sm">{buttons}</Box>
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
      <Hint mt={8}>
        {isOn
          ? t('foundBy', { vectors: format.number(vectors), chunks: format.number(chunks) })
          : t('foundByWords')}
      </Hint>
      {problem !== null && <Hint mt={8}>{problem}</Hint>}
    </>
  );
}

const tones = { ready: 'green', pending: 'amber', failed: 'red' } as const;

interface Props {
  assistantId: string;
  documents: readonly KnowledgeDocument[];
}

/** The documents of an assistant, and whether each could be read. */
function DocumentTable({ assistantId, documents }: Props) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const format = useFormatter();
  const [removing, setRemoving] = useState<KnowledgeDocument | null>(null);
  const read = useMutation({
    mutationFn: (documentId: string) => gateway.assistants.readDocument(assistantId, documentId),
    onSuccess: () => documentsChanged(assistantId),
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
                <Flex gap={2} justify="flex-end">
                  {url !== null && (
                    <IconButton
                      icon="refresh"
                      iconSize={16}
                      name={`${t('reread')}: ${name}`}
                      color="gray"
                      onClick={() => read.mutate(documentId)}
                    />
                  )}
                  <IconButton
                    icon="trash"
                    iconSize={16}
                    name={`${common('delete')}: ${name}`}
                    color="gray"
                    onClick={() => setRemoving(document)}
                  />
                </Flex>
              );
            },
          },
        ]}
      />
      {removing !== null && (
        <Confirm
          onClose={() => setRemoving(null)}
          title={t('deleteDocumentTitle')}
          lead={t('deleteDocumentLead', { name: removing.name })}
          onConfirm={async () => {
            await gateway.assistants.deleteDocument(assistantId, removing.documentId);
            documentsChanged(assistantId);
          }}
        />
      )}
    </>
  );
}

const pauseMs = 250;

/** What the assistant finds for some words: the same search that it makes. */
function KnowledgeSearch({ assistantId }: { assistantId: string }) {
  const t = useTranslations('assistants');
  const [words, setWords] = useState('');
  const [asked] = useDebouncedValue(words, pauseMs);
  const found = useQuery({ ...passagesQuery(assistantId, asked), placeholderData: keepPreviousData });
  const isAsked = asked.trim() !== '';
  return (
    <>
      <TextInput
        type="search"
        aria-label={t('search')}
        placeholder={t('searchExample')}
        {...inputOf(words, setWords)}
        autoComplete="off"
        mb="sm"
      />
      <Problem error={found.error} />
      <div aria-live="polite">
        {!isAsked && <Hint>{t('searchLead')}</Hint>}
        {isAsked && found.data?.length === 0 && <Hint>{t('foundNothing')}</Hint>}
        {isAsked && found.data !== undefined && found.data.length > 0 && (
          <Stack component="ol" gap={8} className={classes.passages}>
            {found.data.map(({ documentId, name, heading, text }) => (
              <li key={`${documentId} ${text}`}>
                <Box component="strong" display="block" mb={2}>
                  {[name, heading].filter(Boolean).join(' › ')}
                </Box>
                {text}
              </li>
            ))}
          </Stack>
        )}
      </div>
    </>
  );
}

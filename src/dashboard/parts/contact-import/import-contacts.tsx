import { Box, Button, FileInput, Group, Progress, Stack, Text, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ContactImport } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { contactsChanged, importQuery, importsQuery } from '../../queries/contacts.ts';
import { Note, Problem, Waiting } from '../feedback.tsx';
import { Dialog } from '../frames/dialog.tsx';
import { Hint } from '../hint.tsx';
import { SmallButton } from '../small-button.tsx';
import { Moment } from '../values/moment.tsx';
import { saveFile } from '../values/save-file.ts';
import { type FileHead, readHead } from './columns.ts';
import classes from './import.module.css';
import { type ImportChoices, MapColumns } from './map-columns.tsx';

/** A file of 100 MiB over a slow line. */
const uploadMsMax = 30 * 60_000;

interface Chosen {
  file: File;
  head: FileHead;
  /** The same for every attempt, so that a repeat takes nobody twice. */
  importId: string;
}

interface ImportContactsProps {
  onClose: () => void;
  /** Where something is to be done with the people of the file. */
  onUse?: (imported: ContactImport) => void;
}

/** A file, what its columns are, and what came of it. */
export default function ImportContacts({ onClose, onUse }: ImportContactsProps) {
  const t = useTranslations('contacts.import');
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [shownId, setShownId] = useState<string | null>(null);
  const upload = useMutation({
    mutationFn: ({ file, importId, ...choices }: ImportChoices & Pick<Chosen, 'file' | 'importId'>) =>
      gateway.contacts.importFile(file, {
        ...choices,
        importId,
        fileName: file.name.slice(0, 200),
        timeoutMs: uploadMsMax,
      }),
    onSuccess: ({ importId }) => {
      setShownId(importId);
      void contactsChanged();
    },
  });
  return (
    <Dialog isLarge title={t('title')} onClose={onClose}>
      {shownId !== null ? (
        <ImportResult importId={shownId} onDone={onClose} onUse={onUse} />
      ) : chosen === null ? (
        <ChooseFile
          onChosen={(file, head) => setChosen({ file, head, importId: crypto.randomUUID() })}
          onShow={setShownId}
        />
      ) : (
        <MapColumns
          fileName={chosen.file.name}
          head={chosen.head}
          isBusy={upload.isPending}
          error={upload.error}
          onBack={() => {
            upload.reset();
            setChosen(null);
          }}
          onImport={(choices) => upload.mutate({ ...choices, file: chosen.file, importId: chosen.importId })}
        />
      )}
    </Dialog>
  );
}

const bytesMax = 100 * 1024 * 1024;

interface ChooseFileProps {
  onChosen: (file: File, head: FileHead) => void;
  /** An import that was begun before. */
  onShow: (importId: string) => void;
}

function ChooseFile({ onChosen, onShow }: ChooseFileProps) {
  const t = useTranslations('contacts.import');
  const common = useTranslations('common');
  const imports = useQuery(importsQuery);
  const [problem, setProblem] = useState<string | null>(null);
  const choose = async (file: File | null) => {
    setProblem(null);
    if (file === null) return;
    if (file.size > bytesMax) return setProblem(t('tooLarge'));
    const head = await readHead(file).catch(() => null);
    if (head === null) setProblem(t('noColumns'));
    else onChosen(file, head);
  };
  return (
    <Stack gap="md">
      <p>{t('lead')}</p>
      <FileInput
        label={common('file')}
        description={t('fileHint')}
        placeholder={common('chooseFile')}
        accept=".csv,.tsv,.txt,text/csv"
        error={problem}
        onChange={(file) => void choose(file)}
      />
      {imports.data !== undefined && imports.data.length > 0 && (
        <section aria-label={t('earlier')}>
          <Box component="h3" mb={6} fz="sm" fw={550}>
            {t('earlier')}
          </Box>
          <ul className={classes.earlier}>
            {imports.data.map(({ importId, fileName, status, created, updated, refusedCount, createdAt }) => (
              <li key={importId}>
                <UnstyledButton className={classes.one} onClick={() => onShow(importId)}>
                  <Text span truncate fw={550}>
                    {fileName ?? t('byApi')}
                  </Text>
                  <Text span c="dimmed">
                    {status === 'finished'
                      ? t('summary', { created, updated, refused: refusedCount })
                      : t(`states.${status}`)}
                  </Text>
                  <Text span c="dimmed">
                    <Moment at={createdAt} />
                  </Text>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

const refusedShown = 8;

interface ImportResultProps {
  importId: string;
  onDone: () => void;
  /** Where something is to be done with the people of the file. */
  onUse?: ((imported: ContactImport) => void) | undefined;
}

/** How far an import is, what came of it, and which rows were not taken. */
function ImportResult({ importId, onDone, onUse }: ImportResultProps) {
  const t = useTranslations('contacts.import');
  const common = useTranslations('common');
  const format = useFormatter();
  const { data, error, refetch } = useQuery(importQuery(importId));
  const save = useMutation({
    mutationFn: async () => saveFile(await gateway.contacts.refusedRows(importId), `refused-${importId}.csv`),
  });
  const status = data?.status;
  useEffect(() => {
    if (status === 'finished') void contactsChanged();
  }, [status]);
  if (data === undefined) {
    return error === null ? <Waiting /> : <Problem error={error} onRetry={() => void refetch()} />;
  }
  const { created, updated, refusedCount, refused, progress, problem, fileName } = data;
  const counts = [
    [t('created'), created],
    [t('updated'), updated],
    [t('refused'), refusedCount],
  ] as const;
  return (
    <Stack gap="md">
      <p>{fileName ?? t('byApi')}</p>
      {data.status === 'running' && (
        <>
          <Progress value={progress * 100} aria-label={t('progress')} />
          <Text c="dimmed">{t('runningLead')}</Text>
        </>
      )}
      {data.status === 'finished' && <Note tone="green">{t('finishedLead')}</Note>}
      {data.status === 'failed' && (
        <Note tone="red" title={t('states.failed')}>
          {problem}
        </Note>
      )}
      <dl className={classes.counts}>
        {counts.map(([name, count]) => (
          <Stack gap={0} p="10px 12px" bg="var(--sunken)" bdrs="md" key={name}>
            <dd>{format.number(count)}</dd>
            <Hint component="dt">{name}</Hint>
          </Stack>
        ))}
      </dl>
      {refusedCount > 0 && (
        <section aria-label={t('refusedRows')}>
          <Box component="h3" mb={6} fz="sm" fw={550}>
            {t('refusedRows')}
          </Box>
          <ul className={classes.refused}>
            {refused.slice(0, refusedShown).map(({ row, error: { message } }) => (
              <li key={row}>
                <Text span c="dimmed">
                  {/* As a spreadsheet counts, whose first row holds the names of the columns. */}
                  {t('row', { row: fileName === null ? row : row + 1 })}
                </Text>
                <span>{message}</span>
              </li>
            ))}
          </ul>
          <SmallButton mt={8} loading={save.isPending} onClick={() => save.mutate()}>
            {t('saveRefused')}
          </SmallButton>
        </section>
      )}
      <Problem error={save.error ?? error} />
      <Group justify="flex-end">
        <Button variant={onUse === undefined ? 'filled' : 'default'} onClick={onDone}>
          {common('close')}
        </Button>
        {onUse !== undefined && (
          <Button
            disabled={data.status !== 'finished' || created + updated === 0}
            onClick={() => onUse(data)}
          >
            {t('use')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

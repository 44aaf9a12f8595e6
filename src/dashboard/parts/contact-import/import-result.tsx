import { Button, Group, Progress, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { ContactImport } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { contactsChanged, importQuery } from '../../queries/contacts/contacts.ts';
import { Note } from '../feedback/note.tsx';
import { Problem } from '../feedback/problem.tsx';
import { Waiting } from '../feedback/waiting.tsx';
import { saveFile } from '../values/save-file.ts';
import classes from './import.module.css';

const refusedShown = 8;

interface ImportResultProps {
  importId: string;
  onDone: () => void;
  /** Where something is to be done with the people of the file. */
  onUse?: ((imported: ContactImport) => void) | undefined;
}

/** How far an import is, what came of it, and which rows were not taken. */
export function ImportResult({ importId, onDone, onUse }: ImportResultProps) {
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
          <p className={classes.soft}>{t('runningLead')}</p>
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
          <div key={name}>
            <dd>{format.number(count)}</dd>
            <dt>{name}</dt>
          </div>
        ))}
      </dl>
      {refusedCount > 0 && (
        <section aria-label={t('refusedRows')}>
          <h3 className={classes.heading}>{t('refusedRows')}</h3>
          <ul className={classes.refused}>
            {refused.slice(0, refusedShown).map(({ row, error: { message } }) => (
              <li key={row}>
                <span className={classes.soft}>{t('row', { row })}</span>
                <span>{message}</span>
              </li>
            ))}
          </ul>
          <Button size="xs" variant="default" mt={8} loading={save.isPending} onClick={() => save.mutate()}>
            {t('saveRefused')}
          </Button>
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

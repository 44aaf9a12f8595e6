import { FileInput, Stack, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { importsQuery } from '../../queries/contacts/contacts.ts';
import { Moment } from '../values/moment.tsx';
import { type FileHead, readHead } from './columns.ts';
import classes from './import.module.css';

const bytesMax = 100 * 1024 * 1024;

interface ChooseFileProps {
  onChosen: (file: File, head: FileHead) => void;
  /** An import that was begun before. */
  onShow: (importId: string) => void;
}

export function ChooseFile({ onChosen, onShow }: ChooseFileProps) {
  const t = useTranslations('contacts.import');
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
        label={t('file')}
        description={t('fileHint')}
        placeholder={t('choose')}
        accept=".csv,.tsv,.txt,text/csv"
        error={problem}
        onChange={(file) => void choose(file)}
      />
      {imports.data !== undefined && imports.data.length > 0 && (
        <section aria-label={t('earlier')}>
          <h3 className={classes.heading}>{t('earlier')}</h3>
          <ul className={classes.earlier}>
            {imports.data.map(({ importId, fileName, status, created, updated, refusedCount, createdAt }) => (
              <li key={importId}>
                <UnstyledButton className={classes.one} onClick={() => onShow(importId)}>
                  <span className={classes.fileName}>{fileName ?? t('byApi')}</span>
                  <span className={classes.soft}>
                    {status === 'finished'
                      ? t('summary', { created, updated, refused: refusedCount })
                      : t(`states.${status}`)}
                  </span>
                  <span className={classes.soft}>
                    <Moment at={createdAt} />
                  </span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Stack>
  );
}

import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { passagesQuery } from '../../../queries/assistants.ts';
import classes from '../assistants.module.css';

const pauseMs = 250;

/** What the assistant finds for some words: the same search that it makes. */
export function KnowledgeSearch({ assistantId }: { assistantId: string }) {
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
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
        autoComplete="off"
        mb="sm"
      />
      <Problem error={found.error} />
      <div aria-live="polite">
        {!isAsked && <p className={classes.quiet}>{t('searchLead')}</p>}
        {isAsked && found.data?.length === 0 && <p className={classes.quiet}>{t('foundNothing')}</p>}
        {isAsked && found.data !== undefined && found.data.length > 0 && (
          <ol className={classes.passages}>
            {found.data.map(({ documentId, name, heading, text }) => (
              <li key={`${documentId} ${text}`}>
                <strong>{[name, heading].filter(Boolean).join(' › ')}</strong>
                {text}
              </li>
            ))}
          </ol>
        )}
      </div>
    </>
  );
}

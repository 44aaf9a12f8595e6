import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useFormatter, useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Note } from '../../../parts/feedback/note.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import classes from '../assistants.module.css';

/** Asks the model for one word, as it is saved. */
export function ProviderTest({ assistantId, isSaved }: { assistantId: string; isSaved: boolean }) {
  const t = useTranslations('assistants');
  const format = useFormatter();
  const test = useMutation({ mutationFn: () => gateway.assistants.testProvider(assistantId) });
  const seconds = format.number((test.data?.durationMs ?? 0) / 1000, { maximumFractionDigits: 1 });
  return (
    <>
      <div className={classes.row}>
        <Button variant="default" disabled={!isSaved} loading={test.isPending} onClick={() => test.mutate()}>
          {t('testProvider')}
        </Button>
        {!isSaved && <span className={classes.quiet}>{t('saveFirst')}</span>}
      </div>
      <Problem error={test.error} />
      <div aria-live="polite">
        {test.data?.ok === true && <Note tone="green">{t('providerAnswers', { seconds })}</Note>}
        {test.data?.ok === false && (
          <Note tone="red" title={t('providerFails')}>
            {test.data.error}
          </Note>
        )}
      </div>
    </>
  );
}

import { useTranslations } from 'use-intl';
import type { AssistantTrial } from '../../../../sdk/index.ts';
import { Note } from '../../../parts/feedback/note.tsx';
import { AnswerDetails } from '../answer-details.tsx';

/** What came of a trial, and why. */
export function TrialResult({ trial }: { trial: AssistantTrial }) {
  const t = useTranslations('assistants');
  return (
    <>
      {trial.outcome === 'hand_off' && (
        <Note tone="amber" title={t('try.handsOff')}>
          {trial.note !== null && <p>{trial.note}</p>}
          <p>{trial.text === null ? t('try.saysNothing') : t('try.says', { text: trial.text })}</p>
        </Note>
      )}
      {trial.outcome === 'failed' && (
        <Note tone="red" title={t('try.failed')}>
          <p>{trial.error}</p>
        </Note>
      )}
      <AnswerDetails details={trial} />
    </>
  );
}

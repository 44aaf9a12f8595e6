import { Button } from '@mantine/core';
import { useTranslations } from 'use-intl';
import type { AssistantRun } from '../../../../sdk/index.ts';
import { Status } from '../../../parts/feedback/status.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { AnswerDetails } from './answer-details.tsx';
import classes from './runs.module.css';

const tones = { answered: 'green', handed_off: 'amber', dropped: 'grey', running: 'blue' } as const;

interface Props {
  run: AssistantRun;
  onTeach: () => void;
  /** What it was told then is asked for. */
  onVersion: (version: string) => void;
}

/** One time that the assistant was asked something; how it came to its answer is seen when it is opened. */
export function RunRow({ run, onTeach, onVersion }: Props) {
  const t = useTranslations('assistants');
  const { outcome, reason, question, reply, at, error, instructionsVersion } = run;
  return (
    <li>
      <details className={classes.run}>
        <summary>
          <Status tone={tones[outcome]}>{t(`outcomes.${outcome}`)}</Status>
          <span className={classes.question}>{question}</span>
          <span className={classes.at}>
            <Moment at={at} ago />
          </span>
        </summary>
        <div className={classes.detail}>
          {reason !== null && <p>{t(`reason.${reason}`)}</p>}
          {error !== null && <p className={classes.caption}>{error}</p>}
          {reply !== null && <blockquote className={classes.reply}>{reply}</blockquote>}
          <AnswerDetails details={run} />
          <div className={classes.buttons}>
            <Button variant="default" size="xs" onClick={onTeach}>
              {t('teach')}
            </Button>
            {instructionsVersion !== null && (
              <Button variant="default" size="xs" onClick={() => onVersion(instructionsVersion)}>
                {t('versionOf', { version: instructionsVersion })}
              </Button>
            )}
          </div>
        </div>
      </details>
    </li>
  );
}

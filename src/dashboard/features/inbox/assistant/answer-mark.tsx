import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { AssistantRun } from '../../../../sdk/index.ts';
import { Icon } from '../../../parts/icon.tsx';
import { answerQuery } from '../../../queries/conversations/conversation-details.ts';
import classes from './assistant.module.css';

/** Says that an assistant has written it, and on demand what that was made of. */
export default function AnswerMark({ turnId }: { turnId: string }) {
  const t = useTranslations('inboxAssistant');
  const { conversationId = '' } = useParams({ strict: false });
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const answer = useQuery({ ...answerQuery(conversationId, turnId), enabled: isOpen });
  return (
    <div className={classes.mark}>
      <button
        type="button"
        className={classes.button}
        aria-expanded={isOpen}
        aria-controls={details}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="assistant" size={13} />
        {t('why')}
        <Icon name={isOpen ? 'down' : 'forward'} size={12} />
      </button>
      <div id={details} hidden={!isOpen} aria-live="polite">
        {isOpen && answer.isPending && <p className={classes.soft}>{t('loading')}</p>}
        {answer.error !== null && <p className={classes.soft}>{t('gone')}</p>}
        {answer.data !== undefined && <Details run={answer.data} />}
      </div>
    </div>
  );
}

function Details({ run }: { run: AssistantRun }) {
  const t = useTranslations('inboxAssistant');
  const common = useTranslations('common');
  const format = useFormatter();
  const { sources, toolCalls, tokens, cost, durationMs, model, outcome } = run;
  const figures = [
    t('tokens', { read: format.number(tokens.input), written: format.number(tokens.output) }),
    cost === null ? null : common('cost', { cost: format.number(cost, { maximumSignificantDigits: 3 }) }),
    durationMs === null
      ? null
      : t('seconds', { seconds: format.number(durationMs / 1000, { maximumFractionDigits: 1 }) }),
    model,
  ];
  const tools = [...new Set(toolCalls.map(({ name }) => name))];
  return (
    <div className={classes.details}>
      {outcome === 'handed_off' ? (
        <p>{t('handedOff')}</p>
      ) : sources.length === 0 ? (
        <p>{t('noSources')}</p>
      ) : (
        <Stack component="ul" gap={6} aria-label={t('sources')}>
          {sources.map(({ documentId, name, url, excerpt }) => (
            <li key={`${documentId} ${url}`}>
              {url === null ? (
                <strong>{name}</strong>
              ) : (
                <a href={url} target="_blank" rel="noreferrer noopener">
                  {name}
                </a>
              )}
              <q>{excerpt}</q>
            </li>
          ))}
        </Stack>
      )}
      {tools.length > 0 && <p className={classes.soft}>{t('tools', { names: tools.join(', ') })}</p>}
      <p className={classes.soft}>{figures.filter(Boolean).join(' · ')}</p>
    </div>
  );
}

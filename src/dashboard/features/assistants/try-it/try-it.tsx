import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Assistant, AssistantTrial } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note, Problem } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Hint } from '../../../parts/hint.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { AnswerDetails } from '../runs/answer-details.tsx';
import type { TrialMessage } from './past-conversations.tsx';
import classes from './try-it.module.css';

const PastConversations = lazy(() => import('./past-conversations.tsx'));

/** A conversation with the assistant that nobody hears. `instructions`: what is not saved yet; null: what is. */
export function TryIt({ assistant, instructions }: { assistant: Assistant; instructions: string | null }) {
  const t = useTranslations('assistants');
  const common = useTranslations('common');
  const [conversation, setConversation] = useState<TrialMessage[]>([]);
  const [written, setWritten] = useState('');
  const [isChoosing, setChoosing] = useState(false);
  const trial = useMutation({
    mutationFn: (messages: TrialMessage[]) =>
      gateway.assistants.try(assistant.assistantId, {
        messages,
        ...(instructions !== null && instructions.trim() !== '' && { instructions }),
      }),
    onSuccess: ({ outcome, text }, messages) => {
      if (outcome === 'answer' && text !== null) setConversation([...messages, { from: 'assistant', text }]);
    },
  });
  const ask = (messages: TrialMessage[]) => {
    setConversation(messages);
    trial.mutate(messages);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (written.trim() === '' || trial.isPending) return;
    ask([...conversation, { from: 'contact', text: written.trim() }]);
    setWritten('');
  };
  const restart = () => {
    setConversation([]);
    trial.reset();
  };
  return (
    <Stack gap="sm">
      <Hint>{instructions === null ? t('try.lead') : t('try.leadUnsaved')}</Hint>
      {conversation.length > 0 && (
        <ol className={classes.messages} aria-label={common('conversation')}>
          {conversation.map(({ from = 'contact', text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: it only grows, and begins anew as a whole
            <li key={index} className={classes.message} data-from={from}>
              <Hint span display="block">
                {t(`try.from.${from}`)}
              </Hint>
              {text}
            </li>
          ))}
        </ol>
      )}
      <Stack aria-live="polite" gap="sm">
        {trial.isPending && <Hint>{t('try.thinking')}</Hint>}
        {trial.data !== undefined && !trial.isPending && <TrialResult trial={trial.data} />}
      </Stack>
      <Problem error={trial.error} />
      <Stack component="form" onSubmit={submit} gap={8}>
        <Textarea
          aria-label={t('try.write')}
          placeholder={t('try.write')}
          minRows={2}
          maxRows={6}
          maxLength={4096}
          {...inputOf(written, setWritten)}
        />
        <Group gap={8} align="stretch">
          <Button type="submit" loading={trial.isPending} leftSection={<Icon name="send" size={16} />}>
            {t('try.ask')}
          </Button>
          {conversation.length > 0 && (
            <Button variant="default" onClick={restart}>
              {t('try.restart')}
            </Button>
          )}
          <Button variant="default" onClick={() => setChoosing(true)}>
            {t('try.past')}
          </Button>
        </Group>
      </Stack>
      <Suspense>
        {isChoosing && (
          <PastConversations
            onClose={() => setChoosing(false)}
            onChoose={(messages) => {
              setChoosing(false);
              ask(messages);
            }}
          />
        )}
      </Suspense>
    </Stack>
  );
}

/** What came of a trial, and why. */
function TrialResult({ trial }: { trial: AssistantTrial }) {
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
          {trial.error}
        </Note>
      )}
      <AnswerDetails details={trial} />
    </>
  );
}

import { Button, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { localTime } from '../../../../parts/fields/local-time.ts';
import { FormDialog } from '../../../../parts/frames/dialog-form.tsx';
import { snoozeTimes } from '../../chat/head/snooze-times.ts';

const daysMax = 30;

interface SendLaterProps {
  isReady: boolean;
  onSend: (at: string) => void;
  onClose: () => void;
}

/** When the draft is to leave. */
export default function SendLater({ isReady, onSend, onClose }: SendLaterProps) {
  const t = useTranslations('inbox');
  const format = useFormatter();
  const [opened] = useState(() => new Date());
  const [at, setAt] = useState('');
  const time = new Date(at);
  const isLater = time.getTime() > Date.now() && time.getTime() < opened.getTime() + daysMax * 24 * 3_600_000;
  return (
    <FormDialog
      title={t('sendLater')}
      action={t('schedule')}
      canSubmit={isReady && isLater}
      onSubmit={() => onSend(time.toISOString())}
      onClose={onClose}
    >
      {!isReady && <p>{t('writeFirst')}</p>}
      <SimpleGrid cols={2} spacing={8}>
        {snoozeTimes(opened)
          .filter(({ name }) => name !== 'week')
          .map(({ name, until }) => (
            <Button
              key={name}
              variant="default"
              disabled={!isReady}
              onClick={() => onSend(until.toISOString())}
              rightSection={
                <small>
                  {format.dateTime(until, { weekday: 'short', hour: 'numeric', minute: '2-digit' })}
                </small>
              }
            >
              {t(`snoozes.${name}`)}
            </Button>
          ))}
      </SimpleGrid>
      <TextInput
        type="datetime-local"
        label={t('sendAt')}
        description={t('sendAtHint')}
        value={at}
        min={localTime(opened)}
        onChange={(event) => setAt(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { dayMs } from '../../../../../contract/times.ts';
import { FormDialog } from '../../../../parts/frames/dialog-form.tsx';
import { jumpTo } from '../../inbox-search.ts';

/** Shows the chat as it was on a day. */
export default function JumpToDate({ onClose }: { onClose: () => void }) {
  const t = useTranslations('inbox');
  const navigate = useNavigate({ from: '/inbox/$conversationId' });
  const [day, setDay] = useState('');
  const submit = () => {
    // Its end: what was written on that day is above.
    const at = new Date(new Date(`${day}T00:00:00`).getTime() + dayMs).toISOString();
    void navigate({ to: '.', search: jumpTo({ at }) });
    onClose();
  };
  return (
    <FormDialog
      title={t('jumpToDate')}
      action={t('show')}
      canSubmit={!Number.isNaN(Date.parse(day))}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        type="date"
        label={t('day')}
        value={day}
        max={new Date().toISOString().slice(0, 10)}
        onChange={(event) => setDay(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { dayMs } from '../../../../../contract/times.ts';
import { Dialog } from '../../../../parts/frames/dialog.tsx';
import { jumpTo } from '../../inbox-search.ts';

/** Shows the chat as it was on a day. */
export default function JumpToDate({ onClose }: { onClose: () => void }) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const navigate = useNavigate({ from: '/inbox/$conversationId' });
  const [day, setDay] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // Its end: what was written on that day is above.
    const at = new Date(new Date(`${day}T00:00:00`).getTime() + dayMs).toISOString();
    void navigate({ to: '.', search: jumpTo({ at }) });
    onClose();
  };
  return (
    <Dialog title={t('jumpToDate')} onClose={onClose}>
      <Stack component="form" gap="md" onSubmit={submit}>
        <TextInput
          data-autofocus
          type="date"
          label={t('day')}
          value={day}
          max={new Date().toISOString().slice(0, 10)}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button type="submit" disabled={Number.isNaN(Date.parse(day))}>
            {t('show')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

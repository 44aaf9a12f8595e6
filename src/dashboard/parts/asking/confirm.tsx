import { Button, Group, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../feedback/problem.tsx';
import { Dialog } from '../frames/dialog.tsx';
import { needsStepUp, StepUp } from './step-up.tsx';

interface ConfirmProps {
  onClose: () => void;
  title: string;
  lead: string;
  /** The word of the button. */
  action: string;
  /** What has to be typed first, where one press is not enough. */
  word?: string;
  isBusy: boolean;
  error: unknown;
  onConfirm: () => void;
}

/** Asks before what cannot be taken back. */
export default function Confirm({ onClose, title, ...content }: ConfirmProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Content onClose={onClose} {...content} />
    </Dialog>
  );
}

function Content(props: Omit<ConfirmProps, 'title'>) {
  const { onClose, lead, action, word, isBusy, error, onConfirm } = props;
  const t = useTranslations('common');
  const [typed, setTyped] = useState('');
  const isReady = word === undefined || typed.trim() === word;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) onConfirm();
  };
  if (needsStepUp(error)) return <StepUp onConfirmed={onConfirm} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <p>{lead}</p>
        {word !== undefined && (
          <TextInput
            data-autofocus
            label={t('typeToConfirm', { word })}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
          />
        )}
        <Problem error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" color="danger" disabled={!isReady} loading={isBusy}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

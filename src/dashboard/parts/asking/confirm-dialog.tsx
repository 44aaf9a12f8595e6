import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Problem } from '../feedback.tsx';
import { Dialog } from '../frames/dialog.tsx';
import { needsStepUp, StepUp } from './step-up.tsx';

export interface ConfirmProps {
  onClose: () => void;
  title: string;
  lead: string;
  /** The word of the button. */
  action: string;
  /** What has to be typed first, where one press is not enough. */
  word?: string;
  /** What is done, until all that follows from it is shown. */
  onConfirm: () => Promise<unknown>;
  /** What comes then; by default it closes. */
  onConfirmed?: () => void;
}

export default function ConfirmDialog({ onClose, title, ...content }: ConfirmProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <Content onClose={onClose} {...content} />
    </Dialog>
  );
}

function Content(props: Omit<ConfirmProps, 'title'>) {
  const { onClose, lead, action, word, onConfirm, onConfirmed = onClose } = props;
  const t = useTranslations('common');
  const [typed, setTyped] = useState('');
  const { mutate, isPending, error } = useMutation({ mutationFn: onConfirm, onSuccess: onConfirmed });
  const isReady = word === undefined || typed.trim() === word;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) mutate();
  };
  if (needsStepUp(error)) return <StepUp onConfirmed={() => mutate()} />;
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
          <Button type="submit" color="danger" disabled={!isReady} loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ApiError } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { Problem } from '../feedback.tsx';
import { inputOf } from '../fields/input.ts';
import { SecretInput } from '../fields/secret-input.tsx';

/** Whether the gateway wants to know first that it is still the same person. */
export const needsStepUp = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'STEP_UP_REQUIRED';

/** Asks for the password once more; then what was refused can be repeated. Stands in the place of the error. */
export function StepUp({ onConfirmed }: { onConfirmed: () => void }) {
  const t = useTranslations('common');
  const [password, setPassword] = useState('');
  const confirm = useMutation({
    mutationFn: () => gateway.stepUp({ password }),
    onSuccess: onConfirmed,
  });
  const isWrong = confirm.error instanceof ApiError && confirm.error.status === 403;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // It may stand within another form.
    event.stopPropagation();
    if (password !== '') confirm.mutate();
  };
  return (
    <Stack gap="xs" component="form" onSubmit={submit} aria-label={t('stepUp')}>
      <p>{t('stepUp')}</p>
      <SecretInput
        label={t('yourPassword')}
        autoComplete="current-password"
        autoFocus
        {...inputOf(password, setPassword)}
        error={isWrong && t('wrongPassword')}
      />
      {!isWrong && <Problem error={confirm.error} />}
      <Button type="submit" loading={confirm.isPending}>
        {t('confirm')}
      </Button>
    </Stack>
  );
}

/** Why something came to nothing; where the password is asked for once more, that. */
export function ProblemOrStepUp({ error, onConfirmed }: { error: unknown; onConfirmed: () => void }) {
  return needsStepUp(error) ? <StepUp onConfirmed={onConfirmed} /> : <Problem error={error} />;
}

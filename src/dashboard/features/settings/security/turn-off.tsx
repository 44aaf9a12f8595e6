import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { peopleChanged } from '../../../queries/account.ts';
import { isWrongPassword } from '../refusals.ts';

/** Takes the password and a code: from then on the password is enough. */
export default function TurnOff({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings.twoFactor');
  const common = useTranslations('common');
  const form = useForm({ defaultValues: { password: '', code: '' } });
  const turnOff = useMutation({
    mutationFn: (body: { password: string; code: string }) =>
      gateway.request({ method: 'POST', path: '/v1/auth/two-factor/disable', body }),
    onSuccess: () => {
      onClose();
      void peopleChanged();
    },
  });
  const isWrong = isWrongPassword(turnOff.error);
  const submit = form.handleSubmit((fields) => turnOff.mutate(fields));
  return (
    <Dialog title={t('turnOff')} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <p>{t('turnOffLead')}</p>
          <PasswordInput
            data-autofocus
            label={common('yourPassword')}
            autoComplete="current-password"
            error={isWrong && common('wrongPassword')}
            {...form.register('password')}
          />
          <TextInput label={t('codeOrRecovery')} autoComplete="one-time-code" {...form.register('code')} />
          {!isWrong && <Problem error={turnOff.error} />}
          <Group justify="flex-end">
            <Button type="submit" color="danger" loading={turnOff.isPending}>
              {t('turnOff')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

import { Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { gateway } from '../../gateway/client.ts';
import { SaveButton } from '../../parts/asking/save-button.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { peopleChanged } from '../../queries/people.ts';
import { isWrongPassword } from './refusals.ts';
import { Section } from './section.tsx';

const nothing = { currentPassword: '', newPassword: '' };

/** Ends the person's other sessions too: whoever had the old password is out. */
export function PasswordForm() {
  const t = useTranslations('settings.password');
  const common = useTranslations('common');
  const form = useForm({ defaultValues: nothing });
  const change = useMutation({
    mutationFn: (body: typeof nothing) =>
      gateway.request({ method: 'POST', path: '/v1/auth/password/change', body }),
    onSuccess: () => {
      form.reset(nothing);
      void peopleChanged();
    },
  });
  const { errors, isDirty } = form.formState;
  const isWrong = isWrongPassword(change.error);
  const submit = form.handleSubmit((fields) => change.mutate(fields));
  return (
    <Section title={t('title')} lead={t('lead')}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            error={errors.currentPassword ? t('needed') : isWrong && common('wrongPassword')}
            {...form.register('currentPassword', { required: true })}
          />
          <PasswordInput
            label={t('new')}
            description={t('newHint')}
            autoComplete="new-password"
            error={errors.newPassword && t('needed')}
            {...form.register('newPassword', { required: true })}
          />
          {!isWrong && <Problem error={change.error} />}
          <Group gap="xs">
            <SaveButton isDirty={isDirty} isBusy={change.isPending} isSaved={change.isSuccess} />
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

import { Group, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { SaveButton } from '../../../parts/asking/save-button.tsx';
import { Problem } from '../../../parts/feedback/problem.tsx';
import { peopleChanged } from '../../../queries/account/people.ts';
import { isWrongPassword } from '../refusals.ts';
import { Section } from '../section.tsx';

const nothing = { currentPassword: '', newPassword: '' };

/** Ends the person's other sessions too: whoever had the old password is out. */
export function PasswordForm() {
  const t = useTranslations('settings.password');
  const common = useTranslations('common');
  const [typed, setTyped] = useState(nothing);
  const [wasTried, setWasTried] = useState(false);
  const change = useMutation({
    mutationFn: (body: typeof nothing) =>
      gateway.request({ method: 'POST', path: '/v1/auth/password/change', body }),
    onSuccess: () => {
      setTyped(nothing);
      setWasTried(false);
      void peopleChanged();
    },
  });
  const isDirty = typed.currentPassword !== '' || typed.newPassword !== '';
  const isWrong = isWrongPassword(change.error);
  const missing = (name: keyof typeof nothing) => wasTried && typed[name] === '' && t('needed');
  const field = (name: keyof typeof nothing) => ({
    name,
    value: typed[name],
    onChange: ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setWasTried(true);
    if (typed.currentPassword !== '' && typed.newPassword !== '') change.mutate(typed);
  };
  return (
    <Section title={t('title')} lead={t('lead')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <PasswordInput
            label={t('current')}
            autoComplete="current-password"
            error={missing('currentPassword') || (isWrong && common('wrongPassword'))}
            {...field('currentPassword')}
          />
          <PasswordInput
            label={t('new')}
            description={t('newHint')}
            autoComplete="new-password"
            error={missing('newPassword')}
            {...field('newPassword')}
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

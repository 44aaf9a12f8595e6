import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ForgotPasswordRequest } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function ForgotPage() {
  const t = useTranslations('signIn');
  const form = useForm<ForgotPasswordRequest>({ defaultValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (body: ForgotPasswordRequest) =>
      signedOutClient.request({ method: 'POST', path: '/v1/auth/password/forgot', body }),
  });
  const foot = <Link to="/sign-in">{t('toSignIn')}</Link>;
  if (ask.isSuccess) {
    const lead = t('forgotMailed', { email: form.getValues('email') });
    return <SignInFrame title={t('mailedTitle')} lead={lead} foot={foot} />;
  }
  const submit = form.handleSubmit((body) => ask.mutate(body));
  return (
    <SignInFrame title={t('forgotTitle')} lead={t('forgotLead')} foot={foot}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <TextInput
            label={t('email')}
            type="email"
            autoComplete="username"
            error={form.formState.errors.email && t('emailInvalid')}
            {...form.register('email', { required: true, pattern: /^\S+@\S+\.\S+$/ })}
          />
          <Problem error={ask.error} />
          <Button type="submit" loading={ask.isPending} fullWidth>
            {t('forgotSubmit')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}

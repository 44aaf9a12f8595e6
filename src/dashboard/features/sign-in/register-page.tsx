import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { AuthenticationError, type SignUpRequest } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The password is chosen with the link in the mail. */
export default function RegisterPage() {
  const t = useTranslations('signIn');
  const common = useTranslations('common');
  const form = useForm<SignUpRequest>({ defaultValues: { email: '', name: '', accountName: '' } });
  const signUp = useMutation({
    mutationFn: (body: SignUpRequest) =>
      signedOutClient.request({ method: 'POST', path: '/v1/auth/sign-up', body }),
  });
  const { errors } = form.formState;
  const foot = (
    <>
      {t('haveAccount')} <Link to="/sign-in">{t('title')}</Link>
    </>
  );
  if (signUp.isSuccess) {
    const lead = t('mailedLead', { email: form.getValues('email') });
    return <SignInFrame title={t('mailedTitle')} lead={lead} foot={foot} />;
  }
  const isClosed = signUp.error instanceof AuthenticationError;
  const submit = form.handleSubmit((body) => signUp.mutate(body));
  return (
    <SignInFrame
      title={t('registerTitle')}
      lead={isClosed ? t('registerClosed') : t('registerLead')}
      foot={foot}
    >
      {!isClosed && (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack gap="md">
            <TextInput
              label={t('name')}
              autoComplete="name"
              error={errors.name && common('needed')}
              {...form.register('name', { required: true, maxLength: 100 })}
            />
            <TextInput
              label={common('accountName')}
              autoComplete="organization"
              error={errors.accountName && common('needed')}
              {...form.register('accountName', { required: true, maxLength: 100 })}
            />
            <TextInput
              label={common('email')}
              type="email"
              autoComplete="email"
              error={errors.email && t('emailInvalid')}
              {...form.register('email', { required: true, pattern: /^\S+@\S+\.\S+$/ })}
            />
            <Problem error={signUp.error} />
            <Button type="submit" loading={signUp.isPending} fullWidth>
              {t('registerSubmit')}
            </Button>
          </Stack>
        </form>
      )}
    </SignInFrame>
  );
}

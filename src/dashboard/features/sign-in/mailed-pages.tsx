import { Button, PasswordInput, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { AuthenticationError, InvalidRequestError } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { mailedToken, SignInFrame } from './sign-in-frame.tsx';

interface ChoosePasswordProps {
  title: string;
  lead?: string;
  submit: string;
  done: string;
  doneLead: string;
  path: '/v1/auth/sign-up/verify' | '/v1/auth/password/reset';
}

/** Whoever has the link in the mail chooses a password. */
function ChoosePassword(props: ChoosePasswordProps) {
  const t = useTranslations('signIn');
  const [token] = useState(mailedToken);
  const form = useForm({ defaultValues: { password: '' } });
  const choose = useMutation({
    mutationFn: (fields: { password: string }) =>
      signedOutClient.request({ method: 'POST', path: props.path, body: { token, ...fields } }),
  });
  const foot = <Link to="/sign-in">{t('toSignIn')}</Link>;
  if (token === null) return <SignInFrame title={t('linkTitle')} lead={t('linkLead')} foot={foot} />;
  if (choose.isSuccess) return <SignInFrame title={props.done} lead={props.doneLead} foot={foot} />;
  const isOver = choose.error instanceof AuthenticationError;
  const refused = choose.error instanceof InvalidRequestError ? choose.error.details[0] : undefined;
  const submit = form.handleSubmit((fields) => choose.mutate(fields));
  const error = form.formState.errors.password
    ? t('passwordShort')
    : isOver
      ? t('linkOver')
      : refused !== undefined && 'path' in refused && refused.message;
  return (
    <SignInFrame title={props.title} {...(props.lead !== undefined && { lead: props.lead })} foot={foot}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <PasswordInput
            label={t('password')}
            description={t('passwordHint')}
            autoComplete="new-password"
            error={error}
            {...form.register('password', { required: true, minLength: 8, maxLength: 128 })}
          />
          {!error && <Problem error={choose.error} />}
          <Button type="submit" loading={choose.isPending} fullWidth>
            {props.submit}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}

export function ResetPage() {
  const t = useTranslations('signIn');
  return (
    <ChoosePassword
      title={t('resetTitle')}
      submit={t('resetSubmit')}
      done={t('resetDone')}
      doneLead={t('resetDoneLead')}
      path="/v1/auth/password/reset"
    />
  );
}

export function VerifyPage() {
  const t = useTranslations('signIn');
  return (
    <ChoosePassword
      title={t('verifyTitle')}
      lead={t('verifyLead')}
      submit={t('verifySubmit')}
      done={t('verifyDone')}
      doneLead={t('verifyDoneLead')}
      path="/v1/auth/sign-up/verify"
    />
  );
}

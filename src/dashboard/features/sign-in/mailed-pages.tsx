import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { AuthenticationError, type ForgotPasswordRequest, InvalidRequestError } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { SecretInput } from '../../parts/fields/secret-input.tsx';
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
  const common = useTranslations('common');
  const [token] = useState(mailedToken);
  const form = useForm({ defaultValues: { password: '' } });
  const choose = useMutation({
    mutationFn: (fields: { password: string }) =>
      signedOutClient.request({ method: 'POST', path: props.path, body: { token, ...fields } }),
  });
  const foot = <Link to="/sign-in">{t('toSignIn')}</Link>;
  if (token === null)
    return <SignInFrame title={common('linkIncomplete')} lead={t('linkLead')} foot={foot} />;
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
          <SecretInput
            label={common('password')}
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

export function ForgotPage() {
  const t = useTranslations('signIn');
  const common = useTranslations('common');
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
            label={common('email')}
            type="email"
            autoComplete="username"
            error={form.formState.errors.email && t('emailInvalid')}
            {...form.register('email', { required: true, pattern: /^\S+@\S+\.\S+$/ })}
          />
          <Problem error={ask.error} />
          <Button type="submit" loading={ask.isPending} fullWidth>
            {t('registerSubmit')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}

/** Whoever has the link in the mail says whether they want alerts. Opening it alone says nothing: machines open links. */
export function AlertAddressPage() {
  const t = useTranslations('alerts.confirm');
  const common = useTranslations('common');
  const [token] = useState(mailedToken);
  const confirm = useMutation({
    mutationFn: () =>
      signedOutClient.request<{ email: string }>({
        method: 'POST',
        path: '/v1/alert-channels/confirm',
        body: { token },
      }),
  });
  if (token === null) return <SignInFrame title={common('linkIncomplete')} lead={t('cutLead')} />;
  if (confirm.data !== undefined) {
    return <SignInFrame title={t('done')} lead={t('doneLead', { email: confirm.data.email })} />;
  }
  const isOver = confirm.error instanceof AuthenticationError;
  return (
    <SignInFrame title={t('title')} lead={isOver ? t('over') : t('lead')}>
      {!isOver && <Problem error={confirm.error} />}
      {!isOver && (
        <Button fullWidth loading={confirm.isPending} onClick={() => confirm.mutate()}>
          {t('submit')}
        </Button>
      )}
    </SignInFrame>
  );
}

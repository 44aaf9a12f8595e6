import { Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { AuthenticationError, type LoginRequest } from '../../../sdk/index.ts';
import { session } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback/problem.tsx';
import { DoorFrame } from './door-frame.tsx';

/** What the gateway says of the second factor of whoever has the right password. */
function secondFactor(error: unknown): 'required' | 'wrong' | null {
  if (!(error instanceof AuthenticationError)) return null;
  for (const detail of error.details) {
    if (!('code' in detail)) continue;
    if (detail.code === 'SECOND_FACTOR_REQUIRED') return 'required';
    if (detail.code === 'SECOND_FACTOR_WRONG') return 'wrong';
  }
  return null;
}

/** Once somebody is signed in the router goes on to the page that was asked for. */
export function SignInPage() {
  const t = useTranslations('signIn');
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm<LoginRequest>({ defaultValues: { email: '', password: '' }, shouldUnregister: false });
  const login = useMutation({
    mutationFn: ({ code, ...request }: LoginRequest) =>
      session.login(code === undefined || code === '' ? request : { ...request, code }),
    onError: (error) => {
      if (secondFactor(error) === null) return;
      setNeedsCode(true);
      form.resetField('code');
    },
  });
  const { errors } = form.formState;
  const factor = secondFactor(login.error);
  const isWrong = login.error instanceof AuthenticationError && factor === null;
  const submit = form.handleSubmit((request) => login.mutate(request));
  return (
    <DoorFrame
      title={needsCode ? t('codeTitle') : t('title')}
      lead={needsCode ? t('codeLead') : t('lead')}
      foot={
        <>
          {t('noAccount')} <Link to="/register">{t('register')}</Link>
        </>
      }
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {needsCode ? (
            <TextInput
              key="code"
              label={t('code')}
              autoFocus
              autoComplete="one-time-code"
              inputMode="text"
              error={factor === 'wrong' ? t('codeWrong') : errors.code && t('required')}
              {...form.register('code', { required: true })}
            />
          ) : (
            <>
              <TextInput
                label={t('email')}
                type="email"
                autoComplete="username"
                error={errors.email && t('required')}
                {...form.register('email', { required: true })}
              />
              <PasswordInput
                label={t('password')}
                autoComplete="current-password"
                error={errors.password ? t('required') : isWrong && t('wrong')}
                {...form.register('password', { required: true })}
              />
            </>
          )}
          {!isWrong && factor === null && <Problem error={login.error} />}
          <Button type="submit" loading={login.isPending} fullWidth>
            {needsCode ? t('codeSubmit') : t('submit')}
          </Button>
          {!needsCode && (
            <Anchor component={Link} to="/password/forgot" size="sm" ta="center">
              {t('forgot')}
            </Anchor>
          )}
        </Stack>
      </form>
    </DoorFrame>
  );
}

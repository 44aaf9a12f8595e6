import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AuthenticationError, type LoginRequest } from '../../../sdk/index.ts';
import { session } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { SecretInput } from '../../parts/fields/secret-input.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

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

/** The first page of all: its form needs no library. Once somebody is signed in the router goes on to the page asked for. */
export default function SignInPage() {
  const t = useTranslations('signIn');
  const common = useTranslations('common');
  const [needsCode, setNeedsCode] = useState(false);
  const [typed, setTyped] = useState({ email: '', password: '', code: '' });
  const [wasTried, setWasTried] = useState(false);
  const login = useMutation({
    mutationFn: (request: LoginRequest) => session.login(request),
    onError: (error) => {
      if (secondFactor(error) === null) return;
      setNeedsCode(true);
      setWasTried(false);
      setTyped((before) => ({ ...before, code: '' }));
    },
  });
  const factor = secondFactor(login.error);
  const isWrong = login.error instanceof AuthenticationError && factor === null;
  const missing = (name: keyof typeof typed) => wasTried && typed[name] === '' && common('needed');
  const field = (name: keyof typeof typed) => ({
    name,
    value: typed[name],
    onChange: ({ currentTarget: { value } }: FormEvent<HTMLInputElement>) =>
      setTyped((before) => ({ ...before, [name]: value })),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setWasTried(true);
    const needed = needsCode ? (['code'] as const) : (['email', 'password'] as const);
    const first = needed.find((name) => typed[name] === '');
    if (first !== undefined) {
      event.currentTarget.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
      return;
    }
    const { code, ...request } = typed;
    login.mutate(needsCode ? { ...request, code } : request);
  };
  return (
    <SignInFrame
      title={needsCode ? common('twoFactor') : t('title')}
      lead={needsCode ? t('codeLead') : t('lead')}
      foot={
        <>
          {t('noAccount')} <Link to="/register">{t('register')}</Link>
        </>
      }
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {needsCode ? (
            <TextInput
              key="code"
              label={t('code')}
              autoFocus
              autoComplete="one-time-code"
              inputMode="text"
              error={missing('code') || (factor === 'wrong' && t('codeWrong'))}
              {...field('code')}
            />
          ) : (
            <>
              <TextInput
                label={common('email')}
                type="email"
                autoComplete="username"
                error={missing('email')}
                {...field('email')}
              />
              <SecretInput
                label={common('password')}
                autoComplete="current-password"
                error={missing('password') || (isWrong && t('wrong'))}
                {...field('password')}
              />
            </>
          )}
          {!isWrong && factor === null && <Problem error={login.error} />}
          <Button type="submit" loading={login.isPending} fullWidth>
            {needsCode ? common('continue') : t('title')}
          </Button>
          {!needsCode && (
            <Anchor component={Link} to="/password/forgot" size="sm" ta="center">
              {t('forgot')}
            </Anchor>
          )}
        </Stack>
      </form>
    </SignInFrame>
  );
}

import { Button, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { AuthenticationError, InvalidRequestError } from '../../../sdk/index.ts';
import { signedOutClient } from '../../gateway/session.ts';
import { Problem } from '../../parts/feedback.tsx';
import { SecretInput } from '../../parts/fields/secret-input.tsx';
import { mailedToken, SignInFrame } from './sign-in-frame.tsx';

interface Newcomer {
  name: string;
  password: string;
}

const isAbout = (error: unknown, ...fields: string[]) =>
  error instanceof InvalidRequestError &&
  error.details.some((detail) => 'path' in detail && fields.includes(String(detail.path)));

/** Whoever has a user joins with the link alone; the gateway says when there is none, and then a name and a password are asked for. */
export default function InvitationPage() {
  const t = useTranslations('signIn');
  const common = useTranslations('common');
  const [token] = useState(mailedToken);
  const [isNew, setIsNew] = useState(false);
  const form = useForm<Newcomer>({ defaultValues: { name: '', password: '' } });
  const accept = useMutation({
    mutationFn: (fields: Newcomer) =>
      signedOutClient.request({
        method: 'POST',
        path: '/v1/auth/invitations/accept',
        body: isNew ? { token, ...fields } : { token },
      }),
    onError: (error) => {
      if (isAbout(error, 'name', 'password')) setIsNew(true);
    },
  });
  const foot = <Link to="/sign-in">{t('toSignIn')}</Link>;
  if (token === null)
    return <SignInFrame title={common('linkIncomplete')} lead={t('linkLead')} foot={foot} />;
  if (accept.isSuccess) {
    return <SignInFrame title={t('invitationDone')} lead={t('invitationDoneLead')} foot={foot} />;
  }
  if (accept.error instanceof AuthenticationError) {
    return <SignInFrame title={t('invitationTitle')} lead={t('linkOver')} foot={foot} />;
  }
  const { errors } = form.formState;
  // The first answer has only said that this person is new.
  const isTold =
    isAbout(accept.error, 'name') || (isAbout(accept.error, 'password') && !form.formState.isDirty);
  const submit = form.handleSubmit((fields) => accept.mutate(fields));
  return (
    <SignInFrame
      title={t('invitationTitle')}
      lead={isNew ? t('invitationNew') : t('invitationLead')}
      foot={foot}
    >
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          {isNew && (
            <>
              <TextInput
                label={t('name')}
                autoComplete="name"
                autoFocus
                error={errors.name && common('needed')}
                {...form.register('name', { required: isNew, maxLength: 100 })}
              />
              <SecretInput
                label={common('password')}
                description={t('passwordHint')}
                autoComplete="new-password"
                error={errors.password && t('passwordShort')}
                {...form.register('password', { required: isNew, minLength: 8, maxLength: 128 })}
              />
            </>
          )}
          {!isTold && <Problem error={accept.error} />}
          <Button type="submit" loading={accept.isPending} fullWidth>
            {t('invitationSubmit')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}

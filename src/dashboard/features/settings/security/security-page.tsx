import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { Problem, QueryState, Status } from '../../../parts/feedback.tsx';
import { SecretInput } from '../../../parts/fields/secret-input.tsx';
import { SaveButton } from '../../../parts/frames/page-form.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { peopleChanged, sessionsQuery, twoFactorQuery } from '../../../queries/account.ts';
import { isWrongPassword } from '../refusals.ts';
import { Section } from '../section.tsx';

/** How you prove who you are, and where you are signed in. */
export default function SecurityPage() {
  return (
    <Stack gap="xl" maw={720}>
      <PasswordForm />
      <TwoFactorSection />
      <Sessions />
    </Stack>
  );
}

const nothing = { currentPassword: '', newPassword: '' };

/** Ends the person's other sessions too: whoever had the old password is out. */
function PasswordForm() {
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
  const missing = (name: keyof typeof nothing) => wasTried && typed[name] === '' && common('needed');
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
    <Section title={common('password')} lead={t('lead')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <SecretInput
            label={t('current')}
            autoComplete="current-password"
            error={missing('currentPassword') || (isWrong && common('wrongPassword'))}
            {...field('currentPassword')}
          />
          <SecretInput
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

const TwoFactorDialog = lazy(() => import('./two-factor-dialog.tsx'));

/** Whether signing in takes a code too, and the way there and back. */
function TwoFactorSection() {
  const t = useTranslations('settings.twoFactor');
  const common = useTranslations('common');
  const [isOpen, dialog] = useDisclosure();
  const query = useQuery(twoFactorQuery);
  const data = query.data;
  return (
    <Section title={common('twoFactor')} lead={t('lead')}>
      <QueryState query={query} rows={1} />
      {data !== undefined && (
        <Group gap="md">
          <Status tone={data.enabled ? 'green' : 'grey'}>{data.enabled ? t('on') : t('off')}</Status>
          {data.enabled && <span>{t('codesLeft', { count: data.recoveryCodesLeft })}</span>}
          <Button variant="default" onClick={dialog.open}>
            {data.enabled ? t('turnOff') : t('turnOn')}
          </Button>
        </Group>
      )}
      <Suspense>
        {isOpen && data !== undefined && <TwoFactorDialog isOn={data.enabled} onClose={dialog.close} />}
      </Suspense>
    </Section>
  );
}

/** Where the person is signed in; each can be ended from here. */
function Sessions() {
  const t = useTranslations('settings.sessions');
  const common = useTranslations('common');
  const query = useQuery(sessionsQuery);
  const data = query.data;
  const end = useMutation({
    mutationFn: (id: string | null) =>
      gateway.request({
        method: 'DELETE',
        path: id === null ? '/v1/auth/sessions' : `/v1/auth/sessions/${id}`,
      }),
    onSuccess: () => peopleChanged(),
  });
  const others = data?.filter(({ current }) => !current).length ?? 0;
  return (
    <Section title={t('title')} lead={t('lead')}>
      <QueryState query={query} />
      {data !== undefined && (
        <DataTable
          rows={data}
          keyOf={({ id }) => id}
          columns={[
            {
              head: t('device'),
              cell: ({ userAgent, address }) => (
                <>
                  {readableAgent(userAgent) ?? t('unknown')}
                  <small>{address}</small>
                </>
              ),
            },
            { head: common('lastUsed'), cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} ago /> },
            {
              head: t('end'),
              cell: ({ id, current }) =>
                current ? (
                  <Status tone="green">{t('current')}</Status>
                ) : (
                  <SmallButton onClick={() => end.mutate(id)}>{t('end')}</SmallButton>
                ),
            },
          ]}
        />
      )}
      <Problem error={end.error} />
      {others > 0 && (
        <Group>
          <Button variant="default" loading={end.isPending} onClick={() => end.mutate(null)}>
            {t('endOthers')}
          </Button>
        </Group>
      )}
    </Section>
  );
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A browser as a person knows it; what is none is told as it names itself. Null: it did not say. */
function readableAgent(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const find = (known: readonly (readonly [string, string])[]) =>
    known.find(([mark]) => userAgent.includes(mark))?.[1];
  const parts = [find(browsers), find(systems)].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent.slice(0, 60) : parts.join(' · ');
}

import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { CreatedInvitation } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { DialogForm } from '../../../parts/frames/dialog-form.tsx';
import { CodeBlock } from '../../../parts/values/copyable.tsx';
import { accountQuery, peopleChanged } from '../../../queries/account.ts';

const roles = ['admin', 'agent', 'owner'] as const;
interface Fields {
  email: string;
  role: (typeof roles)[number];
}

/** An address and a role; where the gateway sends no e-mail, the link to hand on. Says where nobody new can come in. */
export default function Invite({ onClose }: { onClose: () => void }) {
  const t = useTranslations('settings.members');
  return (
    <Dialog title={t('invite')} onClose={onClose}>
      <InviteForm onDone={onClose} />
    </Dialog>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const t = useTranslations('settings.members');
  const common = useTranslations('common');
  const shell = useTranslations('shell');
  const { data: account } = useQuery(accountQuery);
  const form = useForm<Fields>({ defaultValues: { email: '', role: 'admin' } });
  const invite = useMutation({
    mutationFn: (body: Fields) =>
      gateway.request<CreatedInvitation>({ method: 'POST', path: '/v1/auth/invitations', body }),
    onSuccess: () => peopleChanged(),
  });
  const send = form.handleSubmit((fields) => invite.mutate(fields));
  if (invite.data !== undefined) return <Invited invitation={invite.data} onDone={onDone} />;
  return (
    <DialogForm
      step={invite}
      action={t('send')}
      isDirty={form.formState.isDirty}
      noValidate
      onSubmit={send}
      onClose={onDone}
    >
      {account?.openToNewUsers === false && <Note tone="amber">{t('usersOnly')}</Note>}
      <TextInput
        data-autofocus
        type="email"
        label={common('email')}
        autoComplete="off"
        error={form.formState.errors.email && t('emailNeeded')}
        {...form.register('email', { pattern: /^\s*\S+@\S+\s*$/, required: true })}
      />
      <NativeSelect
        label={t('role')}
        data={roles.map((role) => ({ value: role, label: shell(role) }))}
        {...form.register('role')}
      />
    </DialogForm>
  );
}

function Invited({ invitation, onDone }: { invitation: CreatedInvitation; onDone: () => void }) {
  const t = useTranslations('settings.members');
  const common = useTranslations('common');
  const { email, mail, link, openToNewUsers } = invitation;
  return (
    <Stack gap="md">
      <p>
        {mail === 'sent' ? t('sent', { email }) : link === undefined ? t('notSent') : t('handOn', { email })}
      </p>
      {link !== undefined && <CodeBlock text={link} name={t('link')} isFolded />}
      {!openToNewUsers && <Note tone="amber">{t('usersOnly')}</Note>}
      <Group justify="flex-end">
        <Button onClick={onDone}>{common('close')}</Button>
      </Group>
    </Stack>
  );
}

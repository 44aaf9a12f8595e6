import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Invitation, Member } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { session } from '../../../gateway/session.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { ProblemOrStepUp } from '../../../parts/asking/step-up.tsx';
import { Problem, QueryState } from '../../../parts/feedback.tsx';
import { DataTable } from '../../../parts/lists/data-table.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { Moment } from '../../../parts/values/moment.tsx';
import { invitationsQuery, membersQuery, peopleChanged } from '../../../queries/account.ts';
import { Section } from '../section.tsx';

const Invite = lazy(() => import('./invite.tsx'));

const roles = ['owner', 'admin', 'agent'] as const;
type Role = (typeof roles)[number];

/** Who belongs to the account, with which role, and who is invited. */
export default function MembersPage() {
  const t = useTranslations('settings.members');
  const common = useTranslations('common');
  const [isInviting, inviting] = useDisclosure();
  const members = useQuery(membersQuery);
  const invitations = useQuery(invitationsQuery);
  return (
    <Stack gap="xl" maw={720}>
      <Section title={common('members')} lead={t('lead')}>
        <QueryState query={members} />
        {members.data !== undefined && <MembersTable members={members.data} />}
        <Group>
          <Button onClick={inviting.open}>{t('invite')}</Button>
        </Group>
      </Section>
      <Problem error={invitations.error} />
      {invitations.data !== undefined && invitations.data.length > 0 && (
        <Section title={t('invitations')}>
          <InvitationsTable invitations={invitations.data} />
        </Section>
      )}
      <Suspense>{isInviting && <Invite onClose={inviting.close} />}</Suspense>
    </Stack>
  );
}

function MembersTable({ members }: { members: readonly Member[] }) {
  const t = useTranslations('settings.members');
  const common = useTranslations('common');
  const shell = useTranslations('shell');
  const [removed, setRemoved] = useState<Member | null>(null);
  const change = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      gateway.request({ method: 'PATCH', path: `/v1/auth/members/${userId}`, body: { role } }),
    onSettled: () => peopleChanged(),
  });
  const own = session.current.value?.user.id;
  const again = change.variables;
  return (
    <>
      <DataTable
        rows={members}
        keyOf={(member) => member.userId}
        columns={[
          {
            head: t('person'),
            isLongWord: true,
            cell: (member) => (
              <>
                {member.name}
                <small>{member.email}</small>
              </>
            ),
          },
          {
            head: t('role'),
            cell: (member) => (
              <NativeSelect
                size="xs"
                aria-label={t('roleOf', { name: member.name })}
                value={member.role}
                data={roles.map((role) => ({ value: role, label: shell(role) }))}
                onChange={({ currentTarget: { value } }) => {
                  const role = roles.find((name) => name === value);
                  if (role !== undefined) change.mutate({ userId: member.userId, role });
                }}
              />
            ),
          },
          {
            head: common('remove'),
            cell: (member) => (
              <SmallButton color="danger" onClick={() => setRemoved(member)}>
                {member.userId === own ? t('leave') : common('remove')}
              </SmallButton>
            ),
          },
        ]}
      />
      <ProblemOrStepUp error={change.error} onConfirmed={() => again && change.mutate(again)} />
      {removed !== null && (
        <Confirm
          onClose={() => setRemoved(null)}
          title={t('removeTitle', { name: removed.name })}
          lead={t('removeLead')}
          action={common('remove')}
          onConfirm={async () => {
            await gateway.request({ method: 'DELETE', path: `/v1/auth/members/${removed.userId}` });
            void peopleChanged();
          }}
        />
      )}
    </>
  );
}

function InvitationsTable({ invitations }: { invitations: readonly Invitation[] }) {
  const t = useTranslations('settings.members');
  const shell = useTranslations('shell');
  const withdraw = useMutation({
    mutationFn: (id: string) => gateway.request({ method: 'DELETE', path: `/v1/auth/invitations/${id}` }),
    onSuccess: () => peopleChanged(),
  });
  return (
    <>
      <DataTable
        rows={invitations}
        keyOf={({ id }) => id}
        columns={[
          { head: t('person'), isLongWord: true, cell: ({ email }) => email },
          { head: t('role'), cell: ({ role }) => shell(role) },
          { head: t('expires'), isWide: true, cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
          {
            head: t('withdraw'),
            cell: ({ id }) => <SmallButton onClick={() => withdraw.mutate(id)}>{t('withdraw')}</SmallButton>,
          },
        ]}
      />
      <Problem error={withdraw.error} />
    </>
  );
}

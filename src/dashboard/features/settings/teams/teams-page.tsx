import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslations } from 'use-intl';
import { gateway } from '../../../gateway/client.ts';
import { membersQuery } from '../../../queries/account.ts';
import { inboxSettingsChanged, teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import { numbersQuery } from '../../../queries/numbers.ts';
import { Definitions } from '../definitions.tsx';

const TeamDialog = lazy(() => import('./team-dialog.tsx'));

/** Who answers together, and how their conversations are given out. */
export default function TeamsPage() {
  const t = useTranslations('teams.teams');
  const common = useTranslations('common');
  const teams = useQuery(teamsQuery);
  const { data: members = [] } = useQuery(membersQuery);
  const { data: numbers = [] } = useQuery(numbersQuery);
  const namesOf = (ids: readonly string[]) =>
    members
      .filter(({ userId }) => ids.includes(userId))
      .map(({ name }) => name)
      .join(', ');
  const numbersOf = (teamId: string) =>
    numbers
      .filter(({ teamIds }) => teamIds?.includes(teamId))
      .map(({ label }) => label)
      .join(', ');
  return (
    <Stack gap="xl" maw={860}>
      <Definitions
        of="teams.teams"
        icon="contacts"
        found={teams}
        idOf={({ teamId }) => teamId}
        nameOf={({ name }) => name}
        remove={(teamId) => gateway.teams.delete(teamId).then(inboxSettingsChanged)}
        columns={[
          {
            head: common('name'),
            isLongWord: true,
            cell: ({ teamId, name, description }) => (
              <>
                <span dir="auto">{name}</span>
                <small dir="auto">
                  {[description, numbersOf(teamId)].filter((part) => part).join(' · ')}
                </small>
              </>
            ),
          },
          {
            head: common('members'),
            cell: ({ memberIds }) =>
              memberIds.length === 0 ? (
                <small>{t('noMembers')}</small>
              ) : (
                <span dir="auto">{namesOf(memberIds)}</span>
              ),
          },
          {
            head: t('given'),
            isWide: true,
            cell: ({ autoAssign, capPerAgent }) => {
              if (!autoAssign) return t('byHand');
              return capPerAgent === null ? t('inTurn') : t('inTurnTo', { cap: capPerAgent });
            },
          },
        ]}
        dialog={(team, onClose) => <TeamDialog team={team} onClose={onClose} />}
      />
    </Stack>
  );
}

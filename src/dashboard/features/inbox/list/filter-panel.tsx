import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { labelsQuery, teamsQuery } from '../../../queries/conversations/conversation-details.ts';
import type { InboxSearch } from '../inbox-search.ts';
import { useNames } from '../people/names.ts';
import classes from './conversation-list.module.css';

/** What else narrows the list down. */
export default function FilterPanel(props: {
  search: InboxSearch;
  onChange: (changes: InboxSearch) => void;
}) {
  const t = useTranslations('inbox');
  const common = useTranslations('common');
  const { search, onChange } = props;
  const names = useNames();
  const { data: teams = [] } = useQuery(teamsQuery);
  const { data: labels = [] } = useQuery(labelsQuery);
  const choice = (value: string) => (value === '' ? undefined : value);
  return (
    <div className={classes.filters}>
      <NativeSelect
        size="xs"
        label={common('number')}
        value={search.number ?? ''}
        onChange={(event) => onChange({ number: choice(event.currentTarget.value) })}
        data={[
          { value: '', label: t('any') },
          ...names.numbers.map(({ numberId, label }) => ({ value: numberId, label })),
        ]}
      />
      <NativeSelect
        size="xs"
        label={t('assignee')}
        value={search.person ?? ''}
        onChange={(event) => onChange({ person: choice(event.currentTarget.value), view: undefined })}
        data={[
          { value: '', label: t('any') },
          ...names.people.map(({ userId, name }) => ({ value: userId, label: name })),
        ]}
      />
      <NativeSelect
        size="xs"
        label={common('team')}
        value={search.team ?? ''}
        onChange={(event) => onChange({ team: choice(event.currentTarget.value) })}
        data={[
          { value: '', label: t('any') },
          { value: 'none', label: t('noTeam') },
          ...teams.map(({ teamId, name }) => ({ value: teamId, label: name })),
        ]}
      />
      <NativeSelect
        size="xs"
        label={t('label')}
        value={search.label ?? ''}
        onChange={(event) => onChange({ label: choice(event.currentTarget.value) })}
        data={[{ value: '', label: t('any') }, ...labels.map(({ name }) => ({ value: name, label: name }))]}
      />
      {search.campaign !== undefined && (
        <Checkbox
          size="xs"
          label={t('onlyCampaign')}
          checked
          onChange={() => onChange({ campaign: undefined })}
        />
      )}
      <Checkbox
        size="xs"
        label={t('onlyWaiting')}
        checked={search.waiting === true}
        onChange={(event) => onChange({ waiting: event.currentTarget.checked ? true : undefined })}
      />
      <Button
        variant="subtle"
        size="compact-xs"
        onClick={() =>
          onChange({
            number: undefined,
            person: undefined,
            team: undefined,
            label: undefined,
            campaign: undefined,
            waiting: undefined,
          })
        }
      >
        {common('clearFilters')}
      </Button>
    </div>
  );
}

import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { Filter } from '../../../parts/fields/filters.tsx';
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
  return (
    <div className={classes.filters}>
      <Filter
        size="xs"
        label={common('number')}
        any={common('any')}
        choices={names.numbers.map(({ numberId, label }) => ({ value: numberId, label }))}
        value={search.number}
        onChange={(number) => onChange({ number })}
      />
      <Filter
        size="xs"
        label={t('assignee')}
        any={common('any')}
        choices={names.people.map(({ userId, name }) => ({ value: userId, label: name }))}
        value={search.person}
        onChange={(person) => onChange({ person, view: undefined })}
      />
      <Filter
        size="xs"
        label={common('team')}
        any={common('any')}
        choices={[
          { value: 'none', label: t('noTeam') },
          ...teams.map(({ teamId, name }) => ({ value: teamId, label: name })),
        ]}
        value={search.team}
        onChange={(team) => onChange({ team })}
      />
      <Filter
        size="xs"
        label={t('label')}
        any={common('any')}
        choices={labels.map(({ name }) => name)}
        value={search.label}
        onChange={(label) => onChange({ label })}
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

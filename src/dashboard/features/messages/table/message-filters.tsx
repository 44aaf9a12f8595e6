import { NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Icon } from '../../../parts/icon.tsx';
import { numbersQuery } from '../../../queries/numbers/numbers.ts';
import { directions, type MessageSearch, statuses } from './message-filter.ts';
import classes from './message-filters.module.css';

const typedForMs = 300;

interface MessageFiltersProps {
  search: MessageSearch;
  onChange: (changes: MessageSearch) => void;
}

export function MessageFilters({ search, onChange }: MessageFiltersProps) {
  const t = useTranslations('messages');
  const status = useTranslations('common.status');
  const numbers = useQuery(numbersQuery);
  const one = <Name extends string>(names: readonly Name[], value: string) =>
    names.find((name) => name === value);
  return (
    <search className={classes.filters}>
      <Typed
        label={t('search')}
        value={search.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q } as MessageSearch)}
      />
      <NativeSelect
        aria-label={t('status')}
        value={search.status ?? ''}
        onChange={(event) => onChange({ status: one(statuses, event.currentTarget.value) } as MessageSearch)}
        data={[
          { value: '', label: t('anyStatus') },
          ...statuses.map((value) => ({ value, label: status(value) })),
        ]}
      />
      <NativeSelect
        aria-label={t('direction')}
        value={search.direction ?? ''}
        onChange={(event) =>
          onChange({ direction: one(directions, event.currentTarget.value) } as MessageSearch)
        }
        data={[
          { value: '', label: t('anyDirection') },
          ...directions.map((value) => ({ value, label: t(`directions.${value}`) })),
        ]}
      />
      <NativeSelect
        aria-label={t('number')}
        value={search.numberId ?? ''}
        onChange={(event) => onChange({ numberId: event.currentTarget.value || undefined } as MessageSearch)}
        data={[
          { value: '', label: t('anyNumber') },
          ...(numbers.data ?? []).map(({ numberId, label }) => ({ value: numberId, label })),
        ]}
      />
    </search>
  );
}

/** Tells what was typed once nothing more is typed for a moment. */
function Typed(props: { label: string; value: string; onChange: (value: string) => void }) {
  const [typed, setTyped] = useState(props.value);
  const tell = useDebouncedCallback(props.onChange, typedForMs);
  useEffect(() => setTyped(props.value), [props.value]);
  return (
    <TextInput
      type="search"
      aria-label={props.label}
      placeholder={props.label}
      leftSection={<Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}

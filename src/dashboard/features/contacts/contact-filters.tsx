import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { Icon } from '../../parts/icon.tsx';
import { countryChoices } from '../../parts/values/phone-numbers.ts';
import { contactAttributesQuery, contactLabelsQuery, segmentsQuery } from '../../queries/contacts.ts';
import { type ContactSearch, needsValue, operators, seenChoices, segmentFilterOf } from './contact-search.ts';
import classes from './contacts.module.css';

const SegmentDialog = lazy(() => import('./segment-dialog.tsx'));

const typedForMs = 300;

type Changes = { [Name in keyof ContactSearch]?: ContactSearch[Name] | undefined };

interface ContactFiltersProps {
  search: ContactSearch;
  onChange: (changes: Changes) => void;
}

export default function ContactFilters({ search, onChange }: ContactFiltersProps) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const locale = useLocale();
  const countries = useMemo(() => countryChoices(locale), [locale]);
  const segments = useQuery(segmentsQuery);
  const labels = useQuery(contactLabelsQuery);
  const [dialog, setDialog] = useState<'save' | 'edit' | null>(null);
  const canSave = search.segmentId === undefined && Object.keys(segmentFilterOf(search)).length > 0;
  const segment = segments.data?.find(({ segmentId }) => segmentId === search.segmentId);
  return (
    <search className={classes.area}>
      <div className={classes.filters}>
        <Typed
          isSearch
          label={t('search')}
          value={search.q ?? ''}
          onChange={(q) => onChange({ q: q || undefined })}
        />
        <NativeSelect
          aria-label={t('segment')}
          value={search.segmentId ?? ''}
          onChange={(event) => onChange({ segmentId: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('anySegment') },
            ...(segments.data ?? []).map(({ segmentId, name }) => ({ value: segmentId, label: name })),
          ]}
        />
        <NativeSelect
          aria-label={common('lastMessage')}
          value={search.seen ?? ''}
          onChange={(event) =>
            onChange({ seen: seenChoices.find((choice) => choice === event.currentTarget.value) })
          }
          data={[
            { value: '', label: t('anySeen') },
            ...seenChoices.map((value) => ({ value, label: t(`seenChoices.${value}`) })),
          ]}
        />
        <NativeSelect
          aria-label={t('country')}
          value={search.country ?? ''}
          onChange={(event) => onChange({ country: event.currentTarget.value || undefined })}
          data={[{ value: '', label: t('anyCountry') }, ...countries]}
        />
        <NativeSelect
          aria-label={t('optOut')}
          value={search.optedOut ?? ''}
          onChange={(event) =>
            onChange({
              optedOut: (['yes', 'no'] as const).find((choice) => choice === event.currentTarget.value),
            })
          }
          data={[
            { value: '', label: t('anyOptOut') },
            { value: 'no', label: t('mayBeWritten') },
            { value: 'yes', label: t('optedOut') },
          ]}
        />
      </div>
      <div className={classes.filters} data-second="true">
        <NativeSelect
          aria-label={t('labelFilter')}
          value={search.label ?? ''}
          onChange={(event) => onChange({ label: event.currentTarget.value || undefined })}
          data={[
            { value: '', label: t('anyLabel') },
            ...new Set([...(labels.data ?? []), ...(search.label ? [search.label] : [])]),
          ]}
        />
        <AttributeFilter search={search} onChange={onChange} />
      </div>
      <Group gap="xs">
        {Object.keys(search).length > 0 && (
          <Button
            size="xs"
            variant="subtle"
            onClick={() =>
              onChange(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])) as Changes)
            }
          >
            {common('clearFilters')}
          </Button>
        )}
        {canSave && (
          <Button size="xs" variant="default" onClick={() => setDialog('save')}>
            {t('saveSegment')}
          </Button>
        )}
        {segment !== undefined && (
          <Button size="xs" variant="default" onClick={() => setDialog('edit')}>
            {t('editSegment')}
          </Button>
        )}
      </Group>
      <Suspense>
        {dialog === 'save' && (
          <SegmentDialog
            segment={null}
            filter={segmentFilterOf(search)}
            onClose={() => setDialog(null)}
            onDone={(segmentId) =>
              onChange({
                ...(Object.fromEntries(Object.keys(search).map((name) => [name, undefined])) as Changes),
                optedOut: search.optedOut,
                segmentId,
              })
            }
          />
        )}
        {dialog === 'edit' && segment !== undefined && (
          <SegmentDialog
            segment={segment}
            filter={segment.filter}
            onClose={() => setDialog(null)}
            onDone={(segmentId) => onChange({ segmentId })}
          />
        )}
      </Suspense>
    </search>
  );
}

/** What must hold of one attribute; several are a segment's. */
function AttributeFilter({ search, onChange }: ContactFiltersProps) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const attributes = useQuery(contactAttributesQuery);
  const names = (attributes.data ?? []).map(({ name }) => name);
  if (names.length === 0 && search.attribute === undefined) return null;
  const operator = search.operator ?? 'equals';
  return (
    <>
      <NativeSelect
        aria-label={t('attribute')}
        value={search.attribute ?? ''}
        onChange={(event) =>
          onChange({
            attribute: event.currentTarget.value || undefined,
            operator: undefined,
            value: undefined,
          })
        }
        data={[
          { value: '', label: t('anyAttribute') },
          ...[...new Set([...names, ...(search.attribute ? [search.attribute] : [])])],
        ]}
      />
      {search.attribute !== undefined && (
        <NativeSelect
          aria-label={t('operator')}
          value={operator}
          onChange={(event) =>
            onChange({ operator: operators.find((name) => name === event.currentTarget.value) })
          }
          data={operators.map((value) => ({ value, label: t(`operators.${value}`) }))}
        />
      )}
      {search.attribute !== undefined && needsValue(operator) && (
        <Typed
          label={common('value')}
          value={search.value ?? ''}
          onChange={(value) => onChange({ value: value || undefined })}
        />
      )}
    </>
  );
}

interface TypedProps {
  label: string;
  value: string;
  isSearch?: boolean;
  onChange: (value: string) => void;
}

/** Tells what was typed once nothing more is typed for a moment. */
function Typed({ label, value, isSearch = false, onChange }: TypedProps) {
  const [typed, setTyped] = useState(value);
  const tell = useDebouncedCallback(onChange, typedForMs);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type={isSearch ? 'search' : 'text'}
      aria-label={label}
      placeholder={label}
      leftSection={isSearch && <Icon name="search" size={16} />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}

import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { attributeOperators, takesValue } from '../../../contract/contacts/attribute-operators.ts';
import { Filter, TypedFilter } from '../../parts/fields/filters.tsx';
import { SmallButton } from '../../parts/small-button.tsx';
import { countryChoices } from '../../parts/values/phone-numbers.ts';
import { contactAttributesQuery, contactLabelsQuery, segmentsQuery } from '../../queries/contacts.ts';
import { type ContactSearch, seenChoices, segmentFilterOf } from './contact-search.ts';
import classes from './contacts.module.css';

const SegmentDialog = lazy(() => import('./segment-dialog.tsx'));

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
  const nothing: Changes = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]));
  const segment = segments.data?.find(({ segmentId }) => segmentId === search.segmentId);
  return (
    <Stack component="search" gap={8}>
      <div className={classes.filters}>
        <TypedFilter isSearch label={t('search')} value={search.q} onChange={(q) => onChange({ q })} />
        <Filter
          aria-label={t('segment')}
          any={t('anySegment')}
          choices={(segments.data ?? []).map(({ segmentId, name }) => ({ value: segmentId, label: name }))}
          value={search.segmentId}
          onChange={(segmentId) => onChange({ segmentId })}
        />
        <Filter
          aria-label={common('lastMessage')}
          any={t('anySeen')}
          choices={seenChoices.map((value) => ({ value, label: t(`seenChoices.${value}`) }))}
          value={search.seen}
          onChange={(seen) => onChange({ seen })}
        />
        <Filter
          aria-label={t('country')}
          any={t('anyCountry')}
          choices={countries}
          value={search.country}
          onChange={(country) => onChange({ country })}
        />
        <Filter
          aria-label={t('optOut')}
          any={t('anyOptOut')}
          choices={[
            { value: 'no', label: t('mayBeWritten') },
            { value: 'yes', label: t('optedOut') },
          ]}
          value={search.optedOut}
          onChange={(optedOut) => onChange({ optedOut })}
        />
      </div>
      <div className={classes.filters} data-second="true">
        <Filter
          aria-label={t('labelFilter')}
          any={t('anyLabel')}
          choices={[...new Set([...(labels.data ?? []), ...(search.label ? [search.label] : [])])]}
          value={search.label}
          onChange={(label) => onChange({ label })}
        />
        <AttributeFilter search={search} onChange={onChange} />
      </div>
      <Group gap="xs">
        {Object.keys(search).length > 0 && (
          <Button size="xs" variant="subtle" onClick={() => onChange(nothing)}>
            {common('clearFilters')}
          </Button>
        )}
        {canSave && <SmallButton onClick={() => setDialog('save')}>{t('saveSegment')}</SmallButton>}
        {segment !== undefined && (
          <SmallButton onClick={() => setDialog('edit')}>{t('editSegment')}</SmallButton>
        )}
      </Group>
      <Suspense>
        {dialog === 'save' && (
          <SegmentDialog
            segment={null}
            filter={segmentFilterOf(search)}
            onClose={() => setDialog(null)}
            onDone={(segmentId) => onChange({ ...nothing, optedOut: search.optedOut, segmentId })}
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
    </Stack>
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
      <Filter
        aria-label={t('attribute')}
        any={t('anyAttribute')}
        choices={[...new Set([...names, ...(search.attribute ? [search.attribute] : [])])]}
        value={search.attribute}
        onChange={(attribute) => onChange({ attribute, operator: undefined, value: undefined })}
      />
      {search.attribute !== undefined && (
        <NativeSelect
          aria-label={t('operator')}
          value={operator}
          onChange={(event) =>
            onChange({ operator: attributeOperators.find((name) => name === event.currentTarget.value) })
          }
          data={attributeOperators.map((value) => ({ value, label: t(`operators.${value}`) }))}
        />
      )}
      {search.attribute !== undefined && takesValue(operator) && (
        <TypedFilter label={common('value')} value={search.value} onChange={(value) => onChange({ value })} />
      )}
    </>
  );
}

import { Button, Group, NativeSelect, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import { contactAttributesQuery } from '../../queries/contacts.ts';
import { Problem, Waiting } from '../feedback.tsx';
import { inputOf } from '../fields/input.ts';
import { DialogChanges } from '../frames/dialog.tsx';
import { countryChoices } from '../values/phone-numbers.ts';
import {
  attributeTargets,
  type FileHead,
  firstTargets,
  mappingOf,
  mappingProblem,
  nowhere,
  type Target,
} from './columns.ts';
import classes from './import.module.css';

const fields = ['phoneNumber', 'name', 'labels', 'timeZone'] as const;

export interface ImportChoices {
  mapping: Record<string, string>;
  consentSource: string;
  labels: string[];
  defaultCountry?: string;
}

interface MapColumnsProps {
  fileName: string;
  head: FileHead;
  isBusy: boolean;
  error: unknown;
  onBack: () => void;
  onImport: (choices: ImportChoices) => void;
}

/** What each column is, beside the first rows of it, and what goes for everybody in the file. */
export function MapColumns({ head, ...props }: MapColumnsProps) {
  const attributes = useQuery(contactAttributesQuery);
  if (attributes.data === undefined) return <Waiting rows={4} />;
  return <Form head={head} first={firstTargets(head, attributes.data)} {...props} />;
}

function Form({
  fileName,
  head,
  first,
  isBusy,
  error,
  onBack,
  onImport,
}: MapColumnsProps & { first: Target[] }) {
  const t = useTranslations('contacts.import');
  const common = useTranslations('common');
  const contacts = useTranslations('contacts');
  const locale = useLocale();
  const countries = useMemo(() => countryChoices(locale), [locale]);
  const [targets, setTargets] = useState(first);
  const [consentSource, setConsentSource] = useState('');
  const [labels, setLabels] = useState<string[]>([]);
  const [country, setCountry] = useState('');
  const [isTried, setTried] = useState(false);
  const problem = mappingProblem(targets);
  const isWhole = problem === null && consentSource.trim() !== '';
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!isWhole) return;
        onImport({
          mapping: mappingOf(head.columns, targets),
          consentSource: consentSource.trim(),
          labels,
          ...(country !== '' && { defaultCountry: country }),
        });
      }}
      noValidate
    >
      <DialogChanges isDirty={!isBusy} />
      <Stack gap="md">
        <p>{t('columnsLead', { fileName })}</p>
        {/* A region that scrolls is reached by the keyboard. */}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be scrolled */}
        <section className={classes.columns} aria-label={t('columns')} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">{t('column')}</th>
                <th scope="col">{t('examples')}</th>
                <th scope="col">{t('target')}</th>
              </tr>
            </thead>
            <tbody>
              {head.columns.map((column, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name.
                <tr key={index}>
                  <th scope="row">{column || t('columnNumber', { number: index + 1 })}</th>
                  <td className={classes.examples}>
                    {head.rows
                      .map((row) => row[index] ?? '')
                      .filter((cell) => cell !== '')
                      .slice(0, 3)
                      .join(' · ')}
                  </td>
                  <td>
                    <TargetSelect
                      column={column}
                      value={targets[index] ?? nowhere}
                      onChange={(target) =>
                        setTargets((all) => all.map((one, place) => (place === index ? target : one)))
                      }
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
        {problem !== null && isTried && (
          <Text c="var(--red)" role="alert">
            {t(problem)}
          </Text>
        )}
        <TextInput
          label={contacts('consent')}
          description={t('consentHint')}
          placeholder={contacts('consentExample')}
          autoComplete="off"
          maxLength={200}
          error={isTried && consentSource.trim() === '' && t('consentNeeded')}
          {...inputOf(consentSource, setConsentSource)}
        />
        <Group grow align="flex-start">
          <NativeSelect
            label={t('country')}
            description={t('countryHint')}
            {...inputOf(country, setCountry)}
            data={[{ value: '', label: t('noCountry') }, ...countries]}
          />
          <TagsInput
            label={t('labels')}
            description={contacts('labelsHint')}
            value={labels}
            onChange={setLabels}
            acceptValueOnBlur
          />
        </Group>
        <Text c="dimmed">{t('optOutsStay')}</Text>
        <Problem error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onBack} disabled={isBusy}>
            {common('anotherFile')}
          </Button>
          <Button type="submit" loading={isBusy}>
            {t('submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function TargetSelect(props: { column: string; value: Target; onChange: (target: Target) => void }) {
  const { column, value, onChange } = props;
  const t = useTranslations('contacts.import');
  const contacts = useTranslations('contacts');
  const attributes = useQuery(contactAttributesQuery);
  const { known, fresh } = attributeTargets(column, attributes.data ?? []);
  return (
    <NativeSelect
      aria-label={t('targetOf', { column })}
      {...inputOf(value, onChange)}
      data={[
        { value: nowhere, label: t('leaveOut') },
        ...fields.map((field) => ({ value: field, label: t(`fields.${field}`) })),
        ...(known.length === 0
          ? []
          : [
              {
                group: contacts('attributes'),
                items: known.map((target) => ({ value: target.value, label: target.name })),
              },
            ]),
        ...(fresh.length === 0
          ? []
          : [
              {
                group: t('newAttribute'),
                items: fresh.map((target) => ({
                  value: target.value,
                  label: `${target.name} (${contacts(`types.${target.type}`)})`,
                })),
              },
            ]),
      ]}
    />
  );
}

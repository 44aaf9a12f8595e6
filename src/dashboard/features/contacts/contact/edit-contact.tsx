import { Group, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact, ContactAttribute } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { timeZones } from '../../../parts/fields/allowed-values.ts';
import { changedFields } from '../../../parts/fields/changed-fields.ts';
import { inputOf } from '../../../parts/fields/input.ts';
import { useIsChanged } from '../../../parts/fields/is-changed.ts';
import { FormDialog } from '../../../parts/frames/dialog-form.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { IconButton } from '../../../parts/icon-button.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { contactAttributesQuery, showContact } from '../../../queries/contacts.ts';
import classes from './contact.module.css';

interface Attribute {
  /** Tells the rows apart while their names are typed. */
  row: number;
  name: string;
  value: string;
}

const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;

/** The value as the attribute's type has it; one that does not fit goes as it is, and is refused with a sentence. */
function asTyped(text: string, type: ContactAttribute['type'] | undefined): string | number | boolean {
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return text;
}

/** Somebody who is new, or what is known of somebody. */
export default function EditContact({ contact, onClose }: { contact: Contact | null; onClose: () => void }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const navigate = useNavigate();
  const definitions = useQuery(contactAttributesQuery);
  const [phoneNumber, setPhoneNumber] = useState('');
  const [name, setName] = useState(contact?.name ?? '');
  const [labels, setLabels] = useState(contact?.labels ?? []);
  const [timeZone, setTimeZone] = useState(contact?.timeZone ?? '');
  const [consent, setConsent] = useState(contact?.consent?.source ?? '');
  const [attributes, setAttributes] = useState<Attribute[]>(() =>
    Object.entries(contact?.attributes ?? {}).map(([key, value], row) => ({
      row,
      name: key,
      value: String(value),
    })),
  );
  const isDirty = useIsChanged([phoneNumber, name, labels, timeZone, consent, attributes]);
  const [first] = useState({
    name: contact?.name ?? null,
    labels: contact?.labels ?? [],
    attributes: contact?.attributes ?? {},
    timeZone: contact?.timeZone ?? null,
    consentSource: contact?.consent?.source ?? null,
  });
  const [isTried, setTried] = useState(false);
  const change = (row: number, changes: Partial<Attribute>) =>
    setAttributes((all) => all.map((one) => (one.row === row ? { ...one, ...changes } : one)));
  const typeOf = (attribute: string) => definitions.data?.find((one) => one.name === attribute)?.type;
  const isWhole =
    (contact !== null || phoneNumber.trim() !== '') && attributes.every((one) => namePattern.test(one.name));
  const save = useMutation({
    mutationFn: () => {
      const typed = attributes.map((one) => [one.name, asTyped(one.value, typeOf(one.name))]);
      const fields = {
        name: name.trim() || null,
        labels,
        attributes: Object.fromEntries(typed) as Contact['attributes'],
        timeZone: timeZone || null,
        consentSource: consent.trim() || null,
      };
      const changes = changedFields(fields, first);
      return contact === null
        ? gateway.contacts.create({ phoneNumber, ...changes })
        : gateway.contacts.update(contact.contactId, changes);
    },
    onSuccess: (saved) => {
      showContact(saved);
      onClose();
      if (contact === null) {
        void navigate({ to: '/contacts/$contactId', params: { contactId: saved.contactId } });
      }
    },
  });
  const submit = () => {
    setTried(true);
    if (isWhole) save.mutate();
  };
  return (
    <FormDialog
      title={contact === null ? t('add') : common('edit')}
      isLarge
      step={save}
      isDirty={isDirty}
      noValidate
      onSubmit={submit}
      onClose={onClose}
    >
      {contact === null && (
        <TextInput
          data-autofocus
          label={common('phoneNumber')}
          description={common('withCountryCode')}
          inputMode="tel"
          autoComplete="off"
          error={isTried && phoneNumber.trim() === '' && t('phoneNumberNeeded')}
          {...inputOf(phoneNumber, setPhoneNumber)}
        />
      )}
      <TextInput label={common('name')} autoComplete="off" {...inputOf(name, setName)} />
      <TagsInput
        label={t('labels')}
        description={t('labelsHint')}
        value={labels}
        onChange={setLabels}
        acceptValueOnBlur
      />
      <Group grow align="flex-start">
        <NativeSelect
          label={common('timeZone')}
          {...inputOf(timeZone, setTimeZone)}
          data={['', ...timeZones].map((zone) => ({
            value: zone,
            label: zone || t('timeZoneOfCountry'),
          }))}
        />
        <TextInput
          label={t('consent')}
          placeholder={t('consentExample')}
          autoComplete="off"
          {...inputOf(consent, setConsent)}
        />
      </Group>
      <fieldset className={classes.attributes}>
        <legend>{t('attributes')}</legend>
        {attributes.map(({ row, name: attribute, value }) => (
          <div key={row} className={classes.attribute}>
            <TextInput
              aria-label={common('attributeName')}
              placeholder={common('attributeName')}
              error={isTried && !namePattern.test(attribute) && t('attributeNameNeeded')}
              {...inputOf(attribute, (name) => change(row, { name }))}
            />
            <TextInput
              aria-label={common('valueOf', { name: attribute })}
              placeholder={t(`types.${typeOf(attribute) ?? 'text'}`)}
              {...inputOf(value, (value) => change(row, { value }))}
            />
            <IconButton
              icon="trash"
              iconSize={16}
              name={common('removeNamed', { name: attribute })}
              size="lg"
              onClick={() => setAttributes((all) => all.filter((one) => one.row !== row))}
            />
          </div>
        ))}
        <SmallButton
          leftSection={<Icon name="plus" size={14} />}
          onClick={() =>
            setAttributes((all) => [
              ...all,
              { row: Math.max(-1, ...all.map((one) => one.row)) + 1, name: '', value: '' },
            ])
          }
        >
          {t('addAttribute')}
        </SmallButton>
      </fieldset>
    </FormDialog>
  );
}

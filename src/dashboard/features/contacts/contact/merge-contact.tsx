import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Note, Problem, Waiting } from '../../../parts/feedback.tsx';
import { inputOf } from '../../../parts/fields/input.ts';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { readable } from '../../../parts/values/phone-numbers.ts';
import { contactsChanged, mergeCandidatesQuery, mergesOutdated } from '../../../queries/contacts.ts';
import { nameOf } from '../contacts-page.tsx';
import classes from './contact.module.css';

const typedForMs = 300;

interface MergeContactProps {
  contact: Contact;
  onClose: () => void;
  /** The contact that is left is this one. */
  onMerged: (contactId: string) => void;
}

/** Somebody who is there twice, once by the phone number and once by the alias, becomes one contact. */
export default function MergeContact({ contact, onClose, onMerged }: MergeContactProps) {
  const t = useTranslations('contacts.merge');
  const contacts = useTranslations('contacts');
  const common = useTranslations('common');
  const [kept, setKept] = useState<Contact | null>(null);
  const merge = useMutation({
    mutationFn: (other: Contact) => {
      // The one with the phone number is the one that people know.
      const [first, second] = contact.phoneNumber === null ? [other, contact] : [contact, other];
      return gateway.contacts.merge(first.contactId, second.contactId);
    },
    onSuccess: ({ contact: left }) => setKept(left),
  });
  const undo = useMutation({
    mutationFn: (mergeId: string) => gateway.contacts.unmerge(mergeId),
    onSuccess: async () => {
      await Promise.all([contactsChanged(), mergesOutdated()]);
      onClose();
    },
  });
  const done = () => {
    if (kept !== null) {
      onMerged(kept.contactId);
      void contactsChanged();
      void mergesOutdated();
    }
    onClose();
  };
  return (
    <Dialog title={t('title')} onClose={done}>
      {kept === null ? (
        <Stack gap="md">
          <p>{t('lead')}</p>
          <Candidates contact={contact} isBusy={merge.isPending} onChosen={(other) => merge.mutate(other)} />
          <Problem error={merge.error} />
        </Stack>
      ) : (
        <Stack gap="md" aria-live="polite">
          <Note tone="green">{t('done', { name: shownName(kept, contacts('nameless')) })}</Note>
          <Problem error={undo.error} />
          <Group justify="flex-end" gap="xs">
            <Button
              variant="default"
              loading={undo.isPending}
              onClick={() => merge.data !== undefined && undo.mutate(merge.data.mergeId)}
            >
              {common('undo')}
            </Button>
            <Button onClick={done}>{common('close')}</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

interface CandidatesProps {
  contact: Contact;
  isBusy: boolean;
  onChosen: (other: Contact) => void;
}

/** Contacts that may be the same person: none has what this one has already. */
function Candidates({ contact, isBusy, onChosen }: CandidatesProps) {
  const t = useTranslations('contacts.merge');
  const contacts = useTranslations('contacts');
  const common = useTranslations('common');
  const [typed, setTyped] = useState(nameOf(contact) ?? '');
  const [q] = useDebouncedValue(typed.trim(), typedForMs);
  const found = useQuery(mergeCandidatesQuery(contact, q));
  return (
    <Stack gap="xs">
      <TextInput type="search" label={contacts('search')} {...inputOf(typed, setTyped)} />
      <Problem error={found.error} />
      {found.isPending && <Waiting rows={2} />}
      {found.data?.length === 0 && <Hint>{t('none')}</Hint>}
      {found.data !== undefined && found.data.length > 0 && (
        <ul className={classes.candidates} aria-label={t('candidates')}>
          {found.data.map((other) => (
            <li key={other.contactId}>
              <Stack component="span" gap={0} miw={0} className={classes.who}>
                <span>{shownName(other, contacts('nameless'))}</span>
                <Hint span>
                  {other.phoneNumber === null ? common('hiddenNumber') : readable(other.phoneNumber)}
                </Hint>
              </Stack>
              <SmallButton
                disabled={isBusy}
                aria-label={t('mergeWith', { name: shownName(other, contacts('nameless')) })}
                onClick={() => onChosen(other)}
              >
                {t('submit')}
              </SmallButton>
            </li>
          ))}
        </ul>
      )}
    </Stack>
  );
}

const shownName = (contact: Contact, otherwise: string) => nameOf(contact) ?? otherwise;

import { Button, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact, ContactErasure } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { Confirm } from '../../../parts/asking/confirm.tsx';
import { Problem, Waiting } from '../../../parts/feedback.tsx';
import { Dialog } from '../../../parts/frames/dialog.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { contactsChanged, erasureQuery } from '../../../queries/contacts.ts';

interface EraseContactProps {
  contact: Contact;
  onClose: () => void;
  onGone: () => void;
}

/** Asks for the phone number to be typed, erases them everywhere, and says what was erased and what is left. */
export default function EraseContact({ contact, onClose, onGone }: EraseContactProps) {
  const t = useTranslations('contacts.erase');
  const [begun, setBegun] = useState<ContactErasure | null>(null);
  if (begun !== null) {
    return (
      <Dialog isKept title={t('doneTitle')} onClose={() => undefined}>
        <Outcome
          begun={begun}
          onDone={() => {
            onClose();
            onGone();
            void contactsChanged();
          }}
        />
      </Dialog>
    );
  }
  return (
    <Confirm
      onClose={onClose}
      // What was erased comes in its place.
      onConfirmed={() => undefined}
      title={t('title')}
      lead={t('lead')}
      word={contact.phoneNumber ?? contact.lid ?? contact.contactId}
      action={t('submit')}
      onConfirm={async () => setBegun(await gateway.contacts.erase(contact.contactId))}
    />
  );
}

function Outcome({ begun, onDone }: { begun: ContactErasure; onDone: () => void }) {
  const t = useTranslations('contacts.erase');
  const common = useTranslations('common');
  const { data = begun, error } = useQuery(erasureQuery(begun.erasureId));
  const { erased, status } = data;
  const counts = [
    ['messages', erased.messages],
    ['archived', erased.archived],
    ['events', erased.events],
    ['files', erased.files],
    ['conversations', erased.conversations],
    ['notes', erased.notes],
    ['campaignRecipients', erased.campaignRecipients],
  ] as const;
  return (
    <Stack gap="md" aria-live="polite">
      {status === 'running' ? (
        <>
          <p>{t('running')}</p>
          <Waiting rows={1} />
        </>
      ) : (
        <p>{t('done')}</p>
      )}
      <Facts facts={counts.map(([name, count]) => [t(`counts.${name}`), String(count)] as const)} />
      <p>{t('remains')}</p>
      <Problem error={error} />
      <Group justify="flex-end">
        <Button onClick={onDone}>{common('close')}</Button>
      </Group>
    </Stack>
  );
}

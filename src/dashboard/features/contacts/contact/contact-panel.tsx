import { Box, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Contact } from '../../../../sdk/index.ts';
import { gateway } from '../../../gateway/client.ts';
import { ConfirmButton, DialogButton } from '../../../parts/asking/dialog-button.tsx';
import { Note, Problem, Waiting } from '../../../parts/feedback.tsx';
import { SidePanel } from '../../../parts/frames/side-panel.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { SmallButton } from '../../../parts/small-button.tsx';
import { ShortId } from '../../../parts/values/copyable.tsx';
import { Facts } from '../../../parts/values/facts.tsx';
import { useMessageText } from '../../../parts/values/message-text.ts';
import { Moment } from '../../../parts/values/moment.tsx';
import { countryName, readable } from '../../../parts/values/phone-numbers.ts';
import { contactMessagesQuery, contactQuery, contactsChanged } from '../../../queries/contacts.ts';
import { nameOf } from '../contacts-page.tsx';
import classes from './contact.module.css';

const EditContact = lazy(() => import('./edit-contact.tsx'));
const EraseContact = lazy(() => import('./erase-contact.tsx'));
const LastMerge = lazy(() => import('./last-merge.tsx'));
const MergeContact = lazy(() => import('./merge-contact.tsx'));

/** One contact: who it is, what they agree to, and what was written. */
export default function ContactPanel() {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const { contactId } = useParams({ from: '/signed-in/contacts/$contactId' });
  const search = useSearch({ from: '/signed-in/contacts' });
  const navigate = useNavigate();
  const close = () => void navigate({ to: '/contacts', search });
  const query = useQuery(contactQuery(contactId));
  const contact = query.data;
  const locale = useLocale();
  const { phoneNumber = null, country = null } = contact ?? {};
  const number = phoneNumber === null ? null : readable(phoneNumber);
  // It became a part of another contact.
  if (contact && contact.contactId !== contactId) {
    return (
      <Navigate replace to="/contacts/$contactId" params={{ contactId: contact.contactId }} search={search} />
    );
  }
  return (
    <SidePanel
      key={contactId}
      title={contact === undefined ? common('contact') : (nameOf(contact) ?? number ?? t('nameless'))}
      subtitle={
        contact &&
        [number ?? common('hiddenNumber'), number && country && countryName(country, locale)]
          .filter(Boolean)
          .join(' · ')
      }
      name={common('contact')}
      query={query}
      onClose={close}
    >
      {contact && (
        <>
          {contact.optedOutAt !== null && <OptedOut contact={contact} />}
          <Actions
            contact={contact}
            onGone={close}
            onMerged={(id) =>
              void navigate({ to: '/contacts/$contactId', params: { contactId: id }, search })
            }
          />
          {contact.labels.length > 0 && (
            <Group component="ul" gap={6} aria-label={t('labels')}>
              {contact.labels.map((label) => (
                <Box component="li" p="2px 10px" bg="var(--sunken)" bdrs="md" fz="xs" key={label}>
                  {label}
                </Box>
              ))}
            </Group>
          )}
          <Suspense>
            <LastMerge contactId={contactId} />
          </Suspense>
          <ContactFacts contact={contact} />
          <ContactHistory contact={contact} />
        </>
      )}
    </SidePanel>
  );
}

function OptedOut({ contact }: { contact: Contact }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const { contactId, optedOutAt } = contact;
  const allow = useMutation({
    mutationFn: () => gateway.optOuts.remove(contactId),
    onSuccess: () => contactsChanged(),
  });
  return (
    <Note tone="red" title={t('optedOut')}>
      <p>
        {t('optedOutLead')} <Moment at={optedOutAt} />
      </p>
      <SmallButton mt={8} loading={allow.isPending} onClick={() => allow.mutate()}>
        {common('optIn')}
      </SmallButton>
      <Problem error={allow.error} />
    </Note>
  );
}

interface ActionsProps {
  contact: Contact;
  onGone: () => void;
  onMerged: (contactId: string) => void;
}

function Actions({ contact, onGone, onMerged }: ActionsProps) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const { contactId, phoneNumber, lid, optedOutAt } = contact;
  const optOut = useMutation({
    mutationFn: () => gateway.optOuts.add({ contactId }),
    onSuccess: () => contactsChanged(),
  });
  return (
    <Group gap="xs">
      <DialogButton
        action={common('edit')}
        dialog={(close) => <EditContact contact={contact} onClose={close} />}
      />
      {phoneNumber !== null && optedOutAt === null && (
        <SmallButton component={Link} to="/messages/send" search={{ to: phoneNumber } as never}>
          {t('write')}
        </SmallButton>
      )}
      <DialogButton
        action={t('merge.open')}
        isOffered={phoneNumber === null || lid === null}
        dialog={(close) => <MergeContact contact={contact} onClose={close} onMerged={onMerged} />}
      />
      {optedOutAt === null && (
        <SmallButton loading={optOut.isPending} onClick={() => optOut.mutate()}>
          {common('optOut')}
        </SmallButton>
      )}
      <ConfirmButton
        isGrave
        title={t('deleteTitle')}
        lead={t('deleteLead')}
        action={common('delete')}
        onConfirm={async () => {
          await gateway.contacts.delete(contactId);
          onGone();
          void contactsChanged(contactId);
        }}
      />
      <DialogButton
        isGrave
        action={t('erase.open')}
        dialog={(close) => <EraseContact contact={contact} onClose={close} onGone={onGone} />}
      />
      <Problem error={optOut.error} />
    </Group>
  );
}

function ContactFacts({ contact }: { contact: Contact }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const { contactId, name, pushName, lid, timeZone, consent, attributes } = contact;
  return (
    <Facts
      facts={[
        [
          t('consent'),
          consent === null ? (
            t('consentUnknown')
          ) : (
            <span key="consent" className={classes.consent}>
              <span>{consent.source}</span>
              <Moment at={consent.at} />
            </span>
          ),
        ],
        pushName !== null && pushName !== name && [t('pushName'), pushName],
        ...Object.entries(attributes).map(([attribute, value]) => [attribute, String(value)] as const),
        timeZone !== null && [common('timeZone'), timeZone],
        [common('lastMessage'), <Moment key="last" at={contact.lastInboundAt} />],
        [common('firstSeen'), <Moment key="first" at={contact.firstSeenAt} />],
        lid !== null && [t('alias'), <ShortId key="lid" id={lid} />],
        [common('id'), <ShortId key="id" id={contactId} />],
      ]}
    />
  );
}

/** The last messages with somebody, each with a way to all that is known of it. */
function ContactHistory({ contact }: { contact: Contact }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const textOf = useMessageText();
  const { data: messages, error, isPending } = useQuery(contactMessagesQuery(contact));
  return (
    <section aria-label={t('history')}>
      <Box component="h3" mb={8} fw={550}>
        {t('history')}
      </Box>
      {isPending && <Waiting rows={3} />}
      <Problem error={error} />
      {messages?.length === 0 && <p>{common('noMessages')}</p>}
      <ul>
        {messages?.map(({ messageId, direction, text, messageType, queuedAt, receivedAt }) => (
          <li key={messageId}>
            <Link to="/messages/$messageId" params={{ messageId }} className={classes.message}>
              <Icon name={direction} size={14} />
              <Text span truncate>
                {textOf({ text, messageType })}
              </Text>
              <span className={classes.time}>
                <Moment at={queuedAt ?? receivedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

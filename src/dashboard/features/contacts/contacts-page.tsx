import { Button, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Contact, ContactFilter } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { ProblemOrStepUp } from '../../parts/asking/step-up.tsx';
import { Empty, nextPage, Problem, Status, Waiting } from '../../parts/feedback.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListWithPanel } from '../../parts/lists/list-page.tsx';
import { LongTable, rowClass, useLongTable } from '../../parts/lists/long-table.tsx';
import { Moment } from '../../parts/values/moment.tsx';
import { readable } from '../../parts/values/phone-numbers.ts';
import { saveFile } from '../../parts/values/save-file.ts';
import { contactsQuery } from '../../queries/contacts.ts';
import { withWords } from '../../words/language.ts';
import { type ContactSearch, filterOf } from './contact-search.ts';
import classes from './contacts.module.css';

const ContactFilters = lazy(() => import('./contact-filters.tsx'));
const EditContact = lazy(() => import('./contact/edit-contact.tsx'));
const ImportContacts = lazy(
  withWords(['contacts'], () => import('../../parts/contact-import/import-contacts.tsx')),
);

/** Whom the account knows; the filters stand in the address. */
export default function ContactsPage() {
  const t = useTranslations('contacts');
  const search = useSearch({ from: '/signed-in/contacts' });
  const navigate = useNavigate({ from: '/contacts' });
  const [open, setOpen] = useState<'add' | 'import' | null>(null);
  const change = useCallback(
    (changes: { [Name in keyof ContactSearch]?: ContactSearch[Name] | undefined }) =>
      void navigate({
        to: '.',
        search: (before) => ({ ...before, ...changes }) as ContactSearch,
        replace: true,
      }),
    [navigate],
  );
  const filter = filterOf(search);
  const query = useInfiniteQuery(contactsQuery(filter));
  const download = useMutation({ mutationFn: () => exportContacts(filter) });
  const contacts = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  const isFiltered = Object.keys(search).length > 0;
  const actions = (
    <>
      <Button variant="default" onClick={() => setOpen('import')}>
        {t('import.title')}
      </Button>
      <Button variant="default" onClick={() => download.mutate()} loading={download.isPending}>
        {isFiltered ? t('exportShown') : t('exportAll')}
      </Button>
      <Button onClick={() => setOpen('add')} leftSection={<Icon name="plus" size={16} />}>
        {t('add')}
      </Button>
    </>
  );
  const list = (
    <Page title={t('title')} lead={t('lead')} actions={actions}>
      <Suspense fallback={<Waiting rows={1} />}>
        <ContactFilters search={search} onChange={change} />
      </Suspense>
      {query.isPending && <Waiting rows={8} />}
      <ProblemOrStepUp error={download.error} onConfirmed={() => download.mutate()} />
      <Problem error={query.error} onRetry={() => void query.refetch()} />
      {contacts?.length === 0 && !query.hasNextPage && (
        <Empty
          icon="contacts"
          title={isFiltered ? t('noneFound') : t('emptyTitle')}
          lead={isFiltered ? t('noneFoundLead') : t('emptyLead')}
        />
      )}
      {contacts !== undefined && (contacts.length > 0 || query.hasNextPage) && (
        <ContactTable contacts={contacts} onEnd={nextPage(query)} />
      )}
      <Suspense>
        {open === 'add' && <EditContact contact={null} onClose={() => setOpen(null)} />}
        {open === 'import' && <ImportContacts onClose={() => setOpen(null)} />}
      </Suspense>
    </Page>
  );
  return <ListWithPanel list={list} panel={<Outlet />} />;
}

async function exportContacts(filter: ContactFilter): Promise<void> {
  const name = `contacts-${new Date().toISOString().slice(0, 10)}.csv`;
  await saveFile(await gateway.contacts.export(filter), name);
}

const labelsShown = 2;
const idOf = ({ contactId }: Contact) => contactId;

function ContactTable({ contacts, onEnd }: { contacts: readonly Contact[]; onEnd: () => void }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const table = useLongTable(contacts, idOf, onEnd);
  const head = (
    <>
      <span>{common('name')}</span>
      <span>{common('phoneNumber')}</span>
      <span className={classes.wide}>{t('labels')}</span>
      <span className={classes.time}>{common('lastMessage')}</span>
    </>
  );
  return (
    <LongTable
      table={table}
      name={t('title')}
      className={classes.table}
      head={head}
      row={(contact) => <Row contact={contact} />}
    />
  );
}

function Row({ contact }: { contact: Contact }) {
  const t = useTranslations('contacts');
  const common = useTranslations('common');
  const search = useSearch({ from: '/signed-in/contacts' });
  const { contactId: openId } = useParams({ strict: false });
  const { contactId, phoneNumber, labels, optedOutAt, lastInboundAt } = contact;
  return (
    <Link
      to="/contacts/$contactId"
      params={{ contactId }}
      search={search}
      className={rowClass}
      data-open={contactId === openId}
    >
      <Text span truncate fw={550} dir="auto">
        {nameOf(contact) ?? t('nameless')}
      </Text>
      <Text span truncate c="dimmed">
        {phoneNumber === null ? common('hiddenNumber') : readable(phoneNumber)}
      </Text>
      <span className={classes.wide}>
        {optedOutAt !== null && <Status tone="red">{t('optedOut')}</Status>}
        {labels.slice(0, labelsShown).map((label) => (
          <Text span truncate key={label} className={classes.label}>
            {label}
          </Text>
        ))}
        {labels.length > labelsShown && (
          <Text span c="dimmed">
            {t('andMore', { count: labels.length - labelsShown })}
          </Text>
        )}
      </span>
      <span className={classes.time}>
        {lastInboundAt === null ? t('neverWrote') : <Moment at={lastInboundAt} ago />}
      </span>
    </Link>
  );
}

/** As you call them, else as they call themselves. */
export const nameOf = ({ name, pushName }: Pick<Contact, 'name' | 'pushName'>): string | null =>
  name ?? pushName;

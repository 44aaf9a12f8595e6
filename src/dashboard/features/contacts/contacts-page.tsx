import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Outlet, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ContactFilter } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { needsStepUp, StepUp } from '../../parts/asking/step-up.tsx';
import { Empty } from '../../parts/feedback/empty.tsx';
import { Problem } from '../../parts/feedback/problem.tsx';
import { Waiting } from '../../parts/feedback/waiting.tsx';
import { Page } from '../../parts/frames/page.tsx';
import { Icon } from '../../parts/icon.tsx';
import { ListWithPanel } from '../../parts/lists/list-with-panel.tsx';
import { saveFile } from '../../parts/values/save-file.ts';
import { contactsQuery } from '../../queries/contacts/contacts.ts';
import { withWords } from '../../words/language.ts';
import { type ContactSearch, filterOf } from './list/contact-search.ts';
import { ContactTable } from './list/contact-table.tsx';

const ContactFilters = lazy(() => import('./list/contact-filters.tsx'));
const EditContact = lazy(() => import('./contact/edit-contact.tsx'));
const ImportContacts = lazy(
  withWords(['contacts'], () => import('../../parts/contact-import/import-contacts.tsx')),
);

/** Whom the account knows; the filters stand in the address. */
export function ContactsPage() {
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
  // Read while it is drawn, so that it is drawn again, and its end looked for again, when the list has been asked for.
  const mayLoadMore = query.hasNextPage && !query.isFetching;
  const download = useMutation({ mutationFn: () => exportContacts(filter) });
  const contacts = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  const isFiltered = Object.keys(search).length > 0;
  const actions = (
    <>
      <Button variant="default" onClick={() => setOpen('import')}>
        {t('import.open')}
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
      {needsStepUp(download.error) ? (
        <StepUp onConfirmed={() => download.mutate()} />
      ) : (
        <Problem error={download.error} />
      )}
      <Problem error={query.error} onRetry={() => void query.refetch()} />
      {contacts?.length === 0 && !query.hasNextPage && (
        <Empty
          icon="contacts"
          title={isFiltered ? t('noneFound') : t('emptyTitle')}
          lead={isFiltered ? t('noneFoundLead') : t('emptyLead')}
        />
      )}
      {contacts !== undefined && (contacts.length > 0 || query.hasNextPage) && (
        <ContactTable
          contacts={contacts}
          hasMore={query.hasNextPage}
          onEnd={() => {
            if (mayLoadMore) void query.fetchNextPage();
          }}
        />
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

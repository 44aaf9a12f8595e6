import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type {
  Contact,
  ContactAttribute,
  ContactFilter,
  ContactImport,
  ContactMergeList,
  Segment,
} from '../../sdk/index.ts';
import { gateway } from '../gateway/client.ts';
import { changed, queryClient, showStored } from '../gateway/query-client.ts';

const key = ['contacts'] as const;
const pageSize = 200;
/** Pages without anybody that are gone through before the list is asked to go on. */
const emptyPagesMax = 25;
const progressMs = 700;

/** Contacts behind a filter, newest first, a page at a time. Pages on which few fit are gone through. */
export const contactsQuery = (filter: ContactFilter) =>
  infiniteQueryOptions({
    queryKey: [...key, 'list', filter],
    queryFn: async ({ pageParam, signal }) => {
      const list = gateway.contacts.list(filter, { limit: pageSize, signal });
      let page = await list.page(pageParam);
      for (
        let pages = 1;
        page.data.length === 0 && page.nextCursor !== null && pages < emptyPagesMax;
        pages += 1
      ) {
        page = await list.page(page.nextCursor);
      }
      return page;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** The first contacts with these words in their names, or these digits in their numbers. */
export const foundContactsQuery = (q: string) =>
  queryOptions({
    queryKey: [...key, 'found', q],
    queryFn: async ({ signal }) => (await gateway.contacts.list({ q }, { limit: 5, signal }).page()).data,
    staleTime: 30_000,
  });

export const contactQuery = (contactId: string) =>
  queryOptions({
    queryKey: [...key, 'one', contactId],
    queryFn: ({ signal }) => gateway.contacts.get(contactId, { signal }),
  });

/** Every segment of the account: there are at most 200. */
export const segmentsQuery = queryOptions({
  queryKey: [...key, 'segments'],
  queryFn: async ({ signal }): Promise<Segment[]> =>
    (await gateway.segments.list({ limit: 200, signal }).page()).data,
});

/** Contacts that may be the same person as this one: of which the one has the phone number, and the other the alias. */
export const mergeCandidatesQuery = ({ contactId, phoneNumber, lid }: Contact, q: string) =>
  queryOptions({
    queryKey: [...key, 'same person', contactId, q],
    queryFn: async ({ signal }) => {
      const { data } = await gateway.contacts.list(q === '' ? {} : { q }, { limit: pageSize, signal }).page();
      const canBe = (other: Contact) =>
        other.contactId !== contactId &&
        (phoneNumber === null || other.phoneNumber === null) &&
        (lid === null || other.lid === null);
      return data.filter(canBe).slice(0, 20);
    },
  });

/** The labels that contacts have. */
export const contactLabelsQuery = queryOptions({
  queryKey: [...key, 'label names'],
  queryFn: async ({ signal }): Promise<string[]> =>
    (await gateway.contactLabels.list({ signal }).page()).data.map(({ label }) => label),
});

export const contactAttributesQuery = queryOptions({
  queryKey: [...key, 'attributes'],
  queryFn: async ({ signal }): Promise<ContactAttribute[]> =>
    (await gateway.contactAttributes.list({ signal }).page()).data,
});

/** An import, asked for again and again until it is over. */
export const importQuery = (importId: string) =>
  queryOptions({
    queryKey: [...key, 'import', importId],
    queryFn: ({ signal }) => gateway.contacts.getImport(importId, { signal }),
    refetchInterval: ({ state }) => state.data?.status === 'running' && progressMs,
  });

export const importsQuery = queryOptions({
  queryKey: [...key, 'imports'],
  queryFn: async ({ signal }): Promise<ContactImport[]> =>
    (await gateway.contacts.imports({ limit: 10, signal }).page()).data,
  refetchOnMount: 'always',
});

/** An erasure, asked for again and again until it is over. */
export const erasureQuery = (erasureId: string) =>
  queryOptions({
    queryKey: [...key, 'erasure', erasureId],
    queryFn: ({ signal }) => gateway.contacts.erasure(erasureId, { signal }),
    refetchInterval: ({ state }) => state.data?.status !== 'finished' && progressMs,
  });

/** The last messages with somebody, both ways, newest first. */
export const contactMessagesQuery = ({ phoneNumber, lid }: Pick<Contact, 'phoneNumber' | 'lid'>) =>
  queryOptions({
    queryKey: [...key, 'messages', phoneNumber, lid],
    queryFn: async ({ signal }) => {
      // By any address of theirs the list finds what passed under all of them.
      const address = phoneNumber ?? lid;
      if (address === null) return [];
      const pages = await Promise.all([
        gateway.messages.list({ to: address, direction: 'outbound' }, { limit: 10, signal }).page(),
        gateway.messages.list({ from: address, direction: 'inbound' }, { limit: 10, signal }).page(),
      ]);
      const found = pages.flatMap(({ data }) => data);
      const at = ({ queuedAt, receivedAt }: (typeof found)[number]) => queuedAt ?? receivedAt ?? '';
      return found.sort((a, b) => (at(a) < at(b) ? 1 : -1)).slice(0, 10);
    },
    staleTime: 0,
  });

export const contactsChanged = (deletedId?: string) => changed(key, deletedId);

/** What the gateway has stored is what is shown. */
export function showContact(contact: Contact): void {
  showStored(contactQuery(contact.contactId).queryKey, contact);
  void contactsChanged();
}

type ContactMerge = ContactMergeList['data'][number];

const mergesKey = ['contact-merges'] as const;

/** The last merge that this contact came of, while it can be undone; else null. */
export const lastMergeQuery = (contactId: string) =>
  queryOptions({
    queryKey: [...mergesKey, contactId],
    queryFn: async ({ signal }): Promise<ContactMerge | null> => {
      const { data } = await gateway.contacts.merges(contactId, { limit: 5, signal }).page();
      return data.find(({ canUndo }) => canUndo) ?? null;
    },
    staleTime: 0,
  });

export const mergesOutdated = () => queryClient.invalidateQueries({ queryKey: mergesKey });

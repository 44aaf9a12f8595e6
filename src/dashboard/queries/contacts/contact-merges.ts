import { queryOptions } from '@tanstack/react-query';
import type { ContactMergeList } from '../../../sdk/index.ts';
import { gateway } from '../../gateway/client.ts';
import { queryClient } from '../../gateway/query-client.ts';

export type ContactMerge = ContactMergeList['data'][number];

const key = ['contact-merges'] as const;

/** The last merge that this contact came of, while it can be undone; else null. */
export const lastMergeQuery = (contactId: string) =>
  queryOptions({
    queryKey: [...key, contactId],
    queryFn: async ({ signal }): Promise<ContactMerge | null> => {
      const { data } = await gateway.contacts.merges(contactId, { limit: 5, signal }).page();
      return data.find(({ canUndo }) => canUndo) ?? null;
    },
    staleTime: 0,
  });

export const mergesOutdated = () => queryClient.invalidateQueries({ queryKey: key });

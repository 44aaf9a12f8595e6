import type { MessageFilter } from '../../../sdk/index.ts';

/** What the address of the list holds; every view of it can be sent as a link. */
export interface MessageSearch {
  q?: string;
  status?: NonNullable<MessageFilter['status']>;
  direction?: NonNullable<MessageFilter['direction']>;
  numberId?: string;
  to?: string;
}

export const statuses = ['queued', 'sent', 'delivered', 'read', 'failed', 'received'] as const;
export const directions = ['outbound', 'inbound'] as const;

const text = (value: unknown) => {
  // The router reads a row of digits as a number.
  const string = typeof value === 'number' ? String(value) : value;
  return typeof string === 'string' && string.trim() !== '' ? string : undefined;
};

/** What is no filter is left out. */
export function messageSearch(search: Record<string, unknown>): MessageSearch {
  const { q, to, numberId } = search;
  const known = {
    q: text(q),
    status: statuses.find((status) => status === search.status),
    direction: directions.find((direction) => direction === search.direction),
    numberId: text(numberId),
    to: text(to),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

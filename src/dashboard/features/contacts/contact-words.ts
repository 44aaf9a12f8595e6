import type { Contact } from '../../../sdk/index.ts';

/** As you call them, else as they call themselves. */
export const nameOf = ({ name, pushName }: Pick<Contact, 'name' | 'pushName'>): string | null =>
  name ?? pushName;

import { z } from 'zod';

/** What an API key may be allowed to do. */
export const keyScopes = [
  'messages:send',
  'messages:read',
  'media',
  'numbers:read',
  'groups',
  'contacts',
  'events:read',
  'usage:read',
  'webhooks',
] as const;

export const keyScopeSchema = z.enum(keyScopes);
export type KeyScope = z.infer<typeof keyScopeSchema>;

/** Of a key that names none: all but `webhooks`, since whoever has that hears everything. */
export const defaultKeyScopes: readonly KeyScope[] = keyScopes.filter((scope) => scope !== 'webhooks');

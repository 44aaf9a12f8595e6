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

/** What is of the whole account, whoever asks: a key that is pinned strictly is not given these. */
const accountWide: readonly KeyScope[] = ['contacts', 'webhooks'];

/** The one of these scopes that a key pinned strictly cannot have; undefined where there is none. */
export const tooWideScope = (scopes: readonly KeyScope[]): KeyScope | undefined =>
  accountWide.find((scope) => scopes.includes(scope));

/** What a key may do, of what it was given. One that was made before may have been given more. */
export const scopesInForce = (scopes: readonly KeyScope[], isStrict: boolean): KeyScope[] =>
  scopes.filter((scope) => !isStrict || !accountWide.includes(scope));

/** Of a key that names none: all but `webhooks`, since whoever has that hears everything. */
export const defaultKeyScopes: readonly KeyScope[] = keyScopes.filter((scope) => scope !== 'webhooks');

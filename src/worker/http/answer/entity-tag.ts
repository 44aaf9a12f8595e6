import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import { type Refusal, refuse } from '../../../contract/errors.ts';
import type { AppEnv } from '../../app-env.ts';

/** Of what a PATCH can change, and of nothing that changes by itself. */
function tagOf(configured: object): string {
  return `"${createHash('sha256').update(JSON.stringify(configured)).digest('base64url').slice(0, 22)}"`;
}

/** Shows the `ETag` of what is answered. */
export function showTag(c: Context<AppEnv>, configured: object): void {
  c.header('ETag', tagOf(configured));
}

export const overtaken = refuse(
  'CONFLICT',
  'It was changed after you read it: If-Match does not match. Read it again.',
);

/** Whether the caller wants a change of exactly what they have read. */
export function isConditional(c: Context<AppEnv>): boolean {
  const wanted = c.req.header('If-Match');
  return wanted !== undefined && wanted.trim() !== '*';
}

/**
 * Refuses a change of something else than the caller has read, where `If-Match` says what that was. A proxy that compresses
 * answers, as the platform does, makes their tags weak (`W/"…"`). RFC 9110 13.1.1 lets no weak tag match, since the bytes may
 * differ. Our tags are of the content, so a weak one means the same.
 */
export function staleRefusal(c: Context<AppEnv>, configured: object): Refusal | null {
  if (!isConditional(c)) return null;
  const tags = (c.req.header('If-Match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(tagOf(configured)) ? null : overtaken;
}

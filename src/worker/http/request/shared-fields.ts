import type { MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { refuse } from '../../../contract/errors.ts';
import { groupIdSchema, messageIdSchema, uuidSchema } from '../../../contract/ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { passwordCharactersMax, passwordCharactersMin } from '../../auth/password.ts';
import { renderRefusal } from '../answer/refusal-response.ts';

/** Text that reads back as it was written: no NUL, no half of a surrogate pair. */
export const isPlainText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');
export const plainTextProblem = 'Not valid text: it contains a NUL character or half of a surrogate pair.';

/** A name or label that people give: 1 to 100 characters, not blank. */
export const nameSchema = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => name.trim() !== '', 'Must not be blank.')
  .refine(isPlainText, plainTextProblem);

/** A time, with its distance from UTC. */
export const timeText = z.iso.datetime({
  offset: true,
  error: 'Must be a time such as 2026-01-31T09:30:00Z.',
});
/** The same, as milliseconds since 1970. */
export const timeField = timeText.transform((time) => Date.parse(time));

/** Lower case, as it is stored and looked up. */
export const emailSchema = z.string().max(254).trim().toLowerCase().pipe(z.email());

/**
 * What mail clients turn into links: addresses of pages and mailboxes, and phone numbers. It is checked in the form that they
 * see, so invisible characters and other kinds of dots cannot hide one.
 */
function isLinked(name: string): boolean {
  const seen = name
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u3002\uff61]/g, '.');
  const isAddress = /:\/\/|@|(^|[^\p{L}\p{N}])www\.|[\p{L}\p{N}]\.\p{L}{2,}|\d\.\d+\.\d/iu;
  return isAddress.test(seen) || /(\d[\s().+/-]*){7}/.test(seen);
}

/** The name of a person or an account, as it stands in e-mails to people who have not asked for them. */
export const mailedNameSchema = nameSchema.refine(
  (name) => !isLinked(name),
  'Must not look like a web address, an e-mail address or a phone number: it stands in e-mails.',
);

/** "all" is stored as null: also what comes later. */
export const nullForAll = <Item>(items: Item[] | 'all'): Item[] | null =>
  items === 'all' ? null : [...new Set(items)];

/** A password that is being chosen. */
export const newPasswordSchema = z.string().min(passwordCharactersMin).max(passwordCharactersMax);

/** A password that is being presented: whatever its length, it is right or wrong. */
export const passwordSchema = z.string().max(passwordCharactersMax);

export const roleSchema = z.enum(['owner', 'admin', 'agent']);

/** A token out of a link in an e-mail. */
export const mailedTokenSchema = z.string().min(1).max(100);

export const notFound = (what: string) => refuse('NOT_FOUND', `There is no such ${what}.`);

/** What cannot be an id answers as an id that does not exist, before anything is asked for it. */
function pathId(
  parameter: string,
  what: string,
  isId: (value: string) => boolean,
): MiddlewareHandler<AppEnv> {
  return async (c, next) => (isId(c.req.param(parameter) ?? '') ? next() : renderRefusal(c, notFound(what)));
}

export const uuidPathId = (parameter: string, what: string) =>
  pathId(parameter, what, (value) => uuidSchema.safeParse(value).success && value === value.toLowerCase());

export const groupPathId = (parameter: string) =>
  pathId(parameter, 'group', (value) => groupIdSchema.safeParse(value).success);

export const messagePathId = (parameter: string) =>
  pathId(parameter, 'message', (value) => messageIdSchema.safeParse(value).success);

export const requestPathId = (parameter: string) =>
  pathId(parameter, 'request', (value) => /^req_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value));

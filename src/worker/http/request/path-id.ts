import type { MiddlewareHandler } from 'hono';
import { refuse } from '../../../contract/errors.ts';
import { groupIdSchema, messageIdSchema, uuidSchema } from '../../../contract/ids.ts';
import type { AppEnv } from '../../app-env.ts';
import { renderRefusal } from '../answer/refusal-response.ts';

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

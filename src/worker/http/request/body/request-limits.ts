import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from '../../../app-env.ts';
import { renderRefusal } from '../../answer/refusal-response.ts';
import { invalidField } from '../validation-details.ts';

/** Characters of the URL, and of all header names and values together. */
const urlCharactersMax = 8192;
const headerCharactersMax = 32_768;

/** Refuses what no honest client sends, before anything reads it. */
export const requestLimits: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.req.raw.url.length > urlCharactersMax) {
    return renderRefusal(c, invalidField('url', `At most ${urlCharactersMax} characters.`));
  }
  let headerCharacters = 0;
  c.req.raw.headers.forEach((value, name) => {
    headerCharacters += name.length + value.length;
  });
  if (headerCharacters > headerCharactersMax) {
    return renderRefusal(c, invalidField('headers', `At most ${headerCharactersMax} characters in all.`));
  }
  return next();
};

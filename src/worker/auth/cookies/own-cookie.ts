import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../app-env.ts';
import { isReachedByHttps } from '../../http/public-url.ts';

/**
 * Cookies that scripts and other sites never see. Their names begin with `__Host-`, so that no other host of the domain
 * can set them, which takes https and the path `/`; where browsers come by http they have their plain names.
 */
const prefixOf = (c: Context<AppEnv>) => (isReachedByHttps(c) ? ('host' as const) : undefined);

const attributesOf = (c: Context<AppEnv>) => {
  const prefix = prefixOf(c);
  return {
    path: '/',
    httpOnly: true,
    secure: prefix === 'host',
    sameSite: 'Strict' as const,
    ...(prefix && { prefix }),
  };
};

export const readOwnCookie = (c: Context<AppEnv>, name: string): string | undefined =>
  getCookie(c, name, prefixOf(c));

export const setOwnCookie = (c: Context<AppEnv>, name: string, value: string, maxAgeSeconds: number): void =>
  setCookie(c, name, value, { ...attributesOf(c), maxAge: maxAgeSeconds });

export function clearOwnCookie(c: Context<AppEnv>, name: string): void {
  deleteCookie(c, name, attributesOf(c));
}

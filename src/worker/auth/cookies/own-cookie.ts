import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../app-env.ts';

/** On a loopback address by http the browser would not take a Secure cookie; anywhere else there is no other. */
function isLocalHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/**
 * Cookies that scripts and other sites never see. Their names begin with `__Host-`, so that no other host of the domain
 * can set them, which takes https and the path `/`; by http on this machine they have their plain names.
 */
const prefixOf = (c: Context<AppEnv>) => (isLocalHttp(c.req.url) ? undefined : ('host' as const));

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

import type { Context } from 'hono';
import { settingsOf } from '../../settings/worker-settings.ts';
import type { AppEnv } from '../app-env.ts';

/** Where links in e-mails lead, without a slash at the end: `PUBLIC_URL`, else where the request came to. */
export const publicUrl = (c: Context<AppEnv>): string =>
  (settingsOf(c.env).PUBLIC_URL ?? new URL(c.req.url).origin).replace(/\/$/, '');

/** By http on this machine itself. */
function isLocalHttp(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/**
 * Whether browsers reach the gateway only by https. `PUBLIC_URL` says so, since a proxy in front may use http to us and pass
 * on another host. Without it the request itself decides; by http it can only come from this machine.
 */
export function isReachedByHttps(c: Context<AppEnv>): boolean {
  const known = settingsOf(c.env).PUBLIC_URL;
  return known === undefined ? !isLocalHttp(c.req.url) : new URL(known).protocol === 'https:';
}

/**
 * Whether a page of this origin is the gateway's own: one of `PUBLIC_URL`, or of `PUBLIC_HOSTS` with the same scheme. Without
 * `PUBLIC_URL` it is the origin that the request was sent to. The same is true of a page that this machine shows to itself.
 */
export function isOwnOrigin(c: Context<AppEnv>, origin: string): boolean {
  const { PUBLIC_URL, PUBLIC_HOSTS } = settingsOf(c.env);
  const asked = new URL(c.req.url);
  if (origin === asked.origin && (PUBLIC_URL === undefined || isLocalHttp(c.req.url))) return true;
  if (PUBLIC_URL === undefined) return false;
  const known = new URL(PUBLIC_URL);
  const others = PUBLIC_HOSTS.flatMap((host) => URL.parse(`${known.protocol}//${host}`)?.origin ?? []);
  return [known.origin, ...others].includes(origin);
}

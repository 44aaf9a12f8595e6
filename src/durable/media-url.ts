import { createHmac, timingSafeEqual } from 'node:crypto';
import { mediaUrlSeconds } from '../contract/messages/media.ts';
import type { MediaUrlOf } from '../contract/messages/shown-content.ts';
import { settingsOf } from '../settings/worker-settings.ts';

/** What a signed URL of a file carries. */
interface SignedMedia {
  account: string;
  /** Seconds since 1970. */
  expires: string;
  signature: string;
}

const signatureOf = (secret: string, accountId: string, mediaId: string, expires: string) =>
  createHmac('sha256', secret).update(`${accountId}/${mediaId}/${expires}`).digest();

/**
 * The URL by which anybody may fetch the file for an hour, without a credential. `origin`: of this gateway, without a
 * slash at the end.
 */
export function signedMediaUrl(
  { MEDIA_URL_SECRET: secret }: Pick<Env, 'MEDIA_URL_SECRET'>,
  origin: string,
  accountId: string,
  mediaId: string,
  now: number,
): string {
  const expires = String(Math.floor(now / 1000) + mediaUrlSeconds);
  const signature = signatureOf(secret, accountId, mediaId, expires).toString('base64url');
  const query = new URLSearchParams({ account: accountId, expires, signature });
  return `${origin}/v1/media/${mediaId}?${query}`;
}

/** Whether the URL was signed by this gateway, with the secret in use or the one before, and is good still. */
export function isSignedMedia(
  env: Env,
  mediaId: string,
  { account, expires, signature }: SignedMedia,
  now: number,
) {
  const { MEDIA_URL_SECRET: secret, MEDIA_URL_SECRET_PREVIOUS: previous } = env;
  const presented = Buffer.from(signature, 'base64url');
  const isOurs = [secret, ...(previous ? [previous] : [])].some((it) => {
    const expected = signatureOf(it, account, mediaId, expires);
    return expected.byteLength === presented.byteLength && timingSafeEqual(expected, presented);
  });
  return isOurs && Number(expires) * 1000 > now;
}

/** URLs of the files of an account; none where the gateway knows its address neither by its settings nor from a request. */
export function mediaUrlsOf(env: Env, accountId: string, requestOrigin?: string): MediaUrlOf {
  const { PUBLIC_URL, GATEWAY_URL } = settingsOf(env);
  const origin = (PUBLIC_URL ?? GATEWAY_URL ?? requestOrigin)?.replace(/\/$/, '');
  return (mediaId) =>
    origin === undefined ? null : signedMediaUrl(env, origin, accountId, mediaId, Date.now());
}

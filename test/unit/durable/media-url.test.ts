import { expect, test } from 'vitest';
import { isSignedMedia, mediaUrlsOf, signedMediaUrl } from '../../../src/durable/media-url.ts';

const settings = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
};
const people = { PUBLIC_URL: 'https://public.example.com/' };
const gateway = { GATEWAY_URL: 'https://gateway.example.com' };

test('a file has its URL where people find the gateway, else where it says that it is, else where it was asked', () => {
  const urlBy = (variables: object, origin?: string) => {
    const url = mediaUrlsOf({ ...settings, ...variables } as Env, 'account', origin)('file');
    return url?.split('?')[0] ?? null;
  };
  const asked = 'https://asked.example.com';
  expect(urlBy({ ...people, ...gateway }, asked)).toBe('https://public.example.com/v1/media/file');
  expect(urlBy(gateway, asked)).toBe('https://gateway.example.com/v1/media/file');
  expect(urlBy({}, asked)).toBe('https://asked.example.com/v1/media/file');
  expect(urlBy({})).toBeNull();
});

test('a file is given to whoever has its URL, for an hour and under the secret before too, and to nobody who has made one up', () => {
  const now = 1_800_000_000_500;
  const env = { MEDIA_URL_SECRET: 'now', MEDIA_URL_SECRET_PREVIOUS: 'before' } as Env;
  const read = (secret: string) => {
    const url = new URL(signedMediaUrl({ MEDIA_URL_SECRET: secret }, 'https://here', 'account', 'file', now));
    const { account = '', expires = '', signature = '' } = Object.fromEntries(url.searchParams);
    return { account, expires, signature };
  };
  const signed = read('now');
  const isGood = (media: typeof signed, at = now, mediaId = 'file') => isSignedMedia(env, mediaId, media, at);
  expect(['now', 'before', 'earlier still'].map((secret) => isGood(read(secret)))).toEqual([
    true,
    true,
    false,
  ]);
  const end = 1_800_000_000_000 + 3_600_000;
  expect([end - 1, end].map((at) => isGood(signed, at))).toEqual([true, false]);
  expect(isGood(signed, now, 'another')).toBe(false);
  const more = String(Number(signed.expires) + 1);
  const madeUp = [
    { account: 'another' },
    { expires: more },
    { signature: '' },
    { signature: signed.signature.slice(2) },
  ];
  expect(madeUp.map((change) => isGood({ ...signed, ...change }))).toEqual([false, false, false, false]);
});

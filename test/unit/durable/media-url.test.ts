import { expect, test } from 'vitest';
import { mediaUrlsOf } from '../../../src/durable/media-url.ts';

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

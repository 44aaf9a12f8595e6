import { afterEach, expect, test, vi } from 'vitest';
import { tenantFetch } from '../../../src/worker/outbound-http/tenant-fetch.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('past the network that leads to public addresses alone goes what the operator lists by name, and nothing else', async () => {
  const ways: string[] = [];
  const headers: Headers[] = [];
  const way = (name: string) => async (url: RequestInfo | URL, init?: RequestInit) => {
    ways.push(`${name} ${url}`);
    headers.push(new Headers(init?.headers));
    return new Response();
  };
  vi.spyOn(globalThis, 'fetch').mockImplementation(way('past'));
  const env = {
    JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
    WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
    BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
    KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
    MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
    PUBLIC_URL: 'https://gateway.example.com:8443',
    WEBHOOK_PRIVATE_HOSTS: 'receiver.internal',
    PUBLIC_NETWORK: { fetch: way('through') },
  } as unknown as Env;
  for (const url of ['https://receiver.internal/hook', 'https://receiver.example.com/hook'])
    await tenantFetch(env, url, { headers: { accept: '*/*' } });
  expect(ways).toEqual(['past https://receiver.internal/hook', 'through https://receiver.example.com/hook']);
  // Whoever is called that way sees where it comes from, as on the platform.
  expect(headers.map((one) => [one.get('CF-Worker'), one.get('accept')])).toEqual([
    [null, '*/*'],
    ['gateway.example.com', '*/*'],
  ]);
});

import { expect, test } from 'vitest';
import { app } from '../../../../src/worker/app.ts';
import { routeGuards } from '../../../../src/worker/auth/guards.ts';

const env = {
  JWT_PRIVATE_KEY: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: 'd'.repeat(43), x: 'x'.repeat(43) }),
  WEBHOOK_SEALING_KEY: btoa('0123456789abcdefghijklmnopqrstuv'),
  BOOTSTRAP_TOKEN: 'bootstrap-token-of-32-characters',
  KEY_CHECKSUM_SECRET: 'key-checksum-secret-of-32-characters',
  MEDIA_URL_SECRET: 'media-url-secret-of-32-characters',
  CORS_ORIGINS: 'https://app.example.com',
};

test('a page that may call the API may use every method that a route has', async () => {
  const answer = await app.request(
    '/v1/contact-attributes/orders',
    {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example.com', 'Access-Control-Request-Method': 'PUT' },
    },
    env as unknown as Env,
  );
  const allowed = answer.headers.get('Access-Control-Allow-Methods')?.split(/, ?/) ?? [];
  const used = [...routeGuards(app.routes).values()]
    .filter(({ path }) => path.startsWith('/v1/'))
    .map(({ method }) => method);
  expect(allowed.toSorted()).toEqual([...new Set(used)].sort());
});

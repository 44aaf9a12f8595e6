import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicNetwork } from '../../../../src/local/gateway/front-rules.ts';

let service: Server;
let runtime: Miniflare;

const script = `export default {
  async fetch(request, env) {
    const { network, url } = await request.json();
    const answer = await env[network].fetch(url).then((it) => it.text(), () => 'no connection');
    return new Response(answer);
  },
};`;

beforeAll(async () => {
  service = createServer((_, response) => response.end('a service of this machine'));
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script,
      compatibilityDate: '2026-01-01',
      serviceBindings: {
        CLOSED: publicNetwork(['receiver', '10.0.0.0/8', '192.168.1.20']),
        LISTED: publicNetwork(['127.0.0.1', '::1']),
      },
    }),
  );
});
afterAll(async () => {
  await runtime?.dispose();
  service.close();
});

test.for([
  ['CLOSED', 'localhost', 'no connection'],
  ['CLOSED', '127.0.0.1', 'no connection'],
  ['CLOSED', '[::ffff:127.0.0.1]', 'no connection'],
  ['CLOSED', '0.0.0.0', 'no connection'],
  ['LISTED', 'localhost', 'a service of this machine'],
  ['LISTED', '127.0.0.1', 'a service of this machine'],
])('on the network %s, %s has %s, whatever name has led there', async ([network, host, answer]) => {
  const { port } = service.address() as AddressInfo;
  const body = JSON.stringify({ network, url: `http://${host}:${port}/` });
  const response = await runtime.dispatchFetch('http://gateway/', { method: 'POST', body });
  expect(await response.text()).toBe(answer);
});

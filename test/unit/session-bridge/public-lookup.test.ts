import type { lookup } from 'node:dns';
import { expect, test } from 'vitest';
import {
  PrivateAddress,
  publicLookup,
  requireOpenHost,
  routeThrough,
} from '../../../src/session-bridge/network/client/proxy.ts';

/** A way through a proxy, as it was understood. */
interface Way {
  proxy: { username: string; password: string };
}

const resolving = (...addresses: string[]) =>
  ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as unknown as typeof lookup;

const lookedUp = (name: string, listed: string[], ...addresses: string[]) =>
  new Promise((resolve) => {
    publicLookup(listed, resolving(...addresses))(name, { all: true }, (error, found) =>
      resolve(error ?? (found as { address: string }[]).map(({ address }) => address)),
    );
  });

test.for(['10.0.0.5', '127.0.0.1', '169.254.169.254', '192.168.1.1', '::1', 'fd00::1', '::ffff:10.0.0.1'])(
  'a proxy whose name leads to %s is not dialled',
  async (address) => {
    expect(await lookedUp('proxy.example', [], address)).toBeInstanceOf(PrivateAddress);
    expect(() => requireOpenHost(address, [])).toThrow(PrivateAddress);
  },
);

test('of a name that leads to both, only the public address is dialled', async () => {
  expect(await lookedUp('proxy.example', [], '10.0.0.5', '203.0.114.7')).toEqual(['203.0.114.7']);
  expect(() => requireOpenHost('203.0.114.7', [])).not.toThrow();
  expect(() => requireOpenHost('proxy.example', [])).not.toThrow();
});

test('what the operator lists is dialled: a name wherever it leads, an address under any name', async () => {
  expect(await lookedUp('proxy', ['Proxy'], '10.0.0.5')).toEqual(['10.0.0.5']);
  expect(await lookedUp('proxy.example', ['10.0.0.0/8'], '10.0.0.5', '192.168.1.1')).toEqual(['10.0.0.5']);
  expect(() => requireOpenHost('10.0.0.5', ['10.0.0.0/8'])).not.toThrow();
  expect(await lookedUp('proxy.example', ['169.254.0.0/16'], '169.254.169.254')).toBeInstanceOf(
    PrivateAddress,
  );
});

test.each([
  ['50%off', '50%off'],
  ['50%25off', '50%off'],
  ['a%40b', 'a@b'],
  ['%E0%A4', '%E0%A4'],
])('a proxy whose password is written %s is told %s', (written, password) => {
  const proxyOf = (protocol: string) =>
    (routeThrough(`${protocol}://us%er:${written}@proxy.example:1080`, []).agent as unknown as Way).proxy;
  expect(proxyOf('socks5')).toMatchObject({ userId: 'us%er', password });
  const { username, password: ofHttp } = proxyOf('http');
  expect([username, ofHttp].map(decodeURIComponent)).toEqual(['us%er', password]);
});

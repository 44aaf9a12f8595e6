import { expect, test } from 'vitest';
import { dropRuntimeHeaders, isRuntimePath } from '../../../../src/local/gateway/front.ts';
import { knownHosts } from '../../../../src/local/gateway/front-rules.ts';

const file = 'cdn-cgi/local/r2/public/heliograph-media/media/a/b';

test.for([
  `/${file}`,
  `/./${file}`,
  `/x/../${file}`,
  `/v1/media/..%2f../${file}`,
  `//${file}`,
  `/.//${file}`,
  `/\\${file}`,
  `/x\\..\\${file}`,
  `/%2e/${file}`,
  `/x/%2E%2e/${file}`,
  '/%63dn-cgi/local/scheduled',
  '/%2563dn-cgi/local/scheduled',
  '/%2fcdn-cgi/local/scheduled',
  '/%5ccdn-cgi/local/scheduled',
  '/%09/cdn-cgi/local/scheduled',
  '/CDN-CGI/local/platform-proxy',
  '/cdn-cgi',
  '/cdn-cgi?x=1',
  '/cdn-cgi#x',
  '/__cf_local/stream/1',
  '/__CF_local%2fimagedelivery',
])('%s leads to the runtime, whoever reads it', (target) => {
  expect(isRuntimePath(target)).toBe(true);
});

test.for([
  '/',
  '/v1/messages?url=https://example.com/cdn-cgi/x',
  '/v1/cdn-cgi/x',
  '/docs/cdn-cgi',
  '/cdn-cginx',
  '/v1/contacts?q=%2Fcdn-cgi',
  '/v1/messages/100%25%20sure',
  '/v1/numbers/%E0%A4%A',
  '/%',
])('%s does not', (target) => {
  expect(isRuntimePath(target)).toBe(false);
});

test('headers that the runtime obeys do not pass, nor those of the platform, but for the one that the settings name', () => {
  const headers = {
    'mf-original-url': 'http://localhost/metrics',
    'MF-Route-Override': 'steward',
    'mf-cf-blob': '{}',
    'cf-worker': 'a',
    'cf-connecting-ip': '198.51.100.1',
    authorization: 'Bearer x',
    'x-mf-own': 'stays',
  };
  const named = { ...headers };
  dropRuntimeHeaders(headers, undefined);
  expect(headers).toEqual({ authorization: 'Bearer x', 'x-mf-own': 'stays' });
  dropRuntimeHeaders(named, 'CF-Connecting-IP');
  expect(named).toEqual({ ...headers, 'cf-connecting-ip': '198.51.100.1' });
});

const isKnown = knownHosts({
  publicUrl: 'https://gateway.example.com/',
  publicHosts: ['heliograph:8787', 'Other.example'],
  listens: ['0.0.0.0'],
});

test.for([
  'gateway.example.com',
  'GATEWAY.example.com:443',
  'gateway.example.com.',
  'heliograph',
  'heliograph:9000',
  'other.example:8787',
  'localhost:8787',
  '127.0.0.1:8787',
  '127.1.2.3',
  '2130706433',
  '[::1]:8787',
  '192.168.1.10:8787',
  '[fd00::10]',
])('the host %s is this gateway, at an address of this machine', (host) => {
  expect(isKnown(host, '::ffff:192.168.1.10') || isKnown(host, 'fd00::10%eth0')).toBe(true);
});

test.for([
  'evil.example',
  'gateway.example.com.evil.example',
  'localhost.evil.example',
  '192.168.1.11',
  '[fd00::11]',
  '',
  '.',
])('the host %s is none of its own', (host) => {
  expect(isKnown(host, '::ffff:192.168.1.10') || isKnown(host, 'fd00::10%eth0')).toBe(false);
});

import { expect, test } from 'vitest';
import { webhookUrlProblem } from '../../../src/worker/webhook-url.ts';

test.each([
  'https://example.com/hook',
  'https://example.com:8443/hook?tenant=1',
  'https://hooks.example.co.uk',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://bücher.example/hook',
])('%s may be called', (url) => {
  expect(webhookUrlProblem(url, false)).toBeNull();
});

const refused = [
  '',
  'example.com/hook',
  '/hook',
  'http://example.com/hook',
  'ftp://example.com/hook',
  'javascript:alert(1)',
  'https://user@example.com/',
  'https://user:secret@example.com/',
  'https://10.0.0.1/',
  'https://172.16.3.4/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[fe80::1]/',
  'https://[fd00::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://metadata.google.internal/',
  'https://metadata/',
  'https://intranet/',
  'https://printer.local/',
  'https://nas.home.arpa./',
  'https://10.0.0.1.nip.io/',
  'https://192-168-1-1.sslip.io/',
  `https://example.com/${'a'.repeat(2048)}`,
];

const loopback = [
  'https://localhost/',
  'https://LOCALHOST./hook',
  'https://app.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'http://127.0.0.1:9000/hook',
];

test.each([...refused, ...loopback])('%s must not be called', (url) => {
  expect(webhookUrlProblem(url, false)).toEqual(expect.any(String));
});

test.each(loopback)('the local gateway may call %s', (url) => {
  expect(webhookUrlProblem(url, true)).toBeNull();
});

test.each([...refused, 'http://user:secret@127.0.0.1/'])(
  'the local gateway must not call %s either',
  (url) => {
    expect(webhookUrlProblem(url, true)).toEqual(expect.any(String));
  },
);

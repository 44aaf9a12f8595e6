import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { webhookUrlProblem, webhookUrlRules } from '../../../src/worker/outbound-http/webhook-url.ts';

const deployed = { loopbackAllowed: false, ownHosts: [], privateHosts: [] };
const local = { ...deployed, loopbackAllowed: true };

test.each([
  'https://example.com/hook',
  'https://example.com:8443/hook?tenant=1',
  'https://hooks.example.co.uk',
  // Names that only end as private ones do.
  'https://turnip.io/hook',
  'https://hooks.example.catalan/',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://bücher.example/hook',
])('%s may be called', (url) => {
  expect(webhookUrlProblem(url, deployed)).toBeNull();
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
  'https://167772161/',
  'https://0xa000001/',
  'https://0xa.0x0.0x0.0x1/',
  'https://012.0.0.1/',
  'https://10.1/',
  'https://0/',
  'https://0xA9FEA9FE/',
  'https://2852039166/',
  'https://169.254.169.254./',
  'https://168.63.129.16/metadata/v1/',
  'https://100.100.100.200/latest/meta-data/',
  'https://192.0.0.192/',
  'https://198.18.0.1/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[fec0::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[ff02::1]/',
  'https://[::10.0.0.1]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[::ffff:a9fe:a9fe]/',
  'https://[64:ff9b:1::a00:1]/',
  'https://[2001:db8::1]/',
  'https://[fd00::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/',
  'https://[2002:a00:1::]/',
  'https://metadata.google.internal/',
  'https://metadata/',
  'https://intranet/',
  'https://printer.local/',
  'https://api.internal/',
  'https://PRINTER.LOCAL/',
  'https://localhost.localdomain/',
  'https://metadata.tencentyun.com/',
  'https://example.com./hook',
  'https://LOCALHOST./hook',
  'https://example.com/hook#part',
  'https://example.com/hook#',
  'https://@example.com/',
  'https://:@example.com/',
  'https://user:@example.com/',
  'https:example.com',
  'https:/example.com/',
  'https:///example.com/',
  'https:\\\\10.0.0.1\\',
  'https://example.com\\@10.0.0.1/',
  ' https://example.com/',
  'https://exa\nmple.com/',
  'https://example.com/a b',
  'https://example.com\t/',
  'https://',
  'https://exam ple.com/',
  'https://nas.home.arpa./',
  'https://10.0.0.1.nip.io/',
  'https://192-168-1-1.sslip.io/',
  `https://example.com/${'a'.repeat(2048)}`,
];

const loopback = [
  'https://localhost/',
  'https://LOCALHOST/hook',
  'https://app.localhost/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://0x7f.0.0.1/',
  'https://017700000001/',
  'https://127.255.255.254/',
  'https://１２７.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://[::1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:127.0.0.1]/',
  'http://127.0.0.1:9000/hook',
];

test.each([...refused, ...loopback])('%s must not be called', (url) => {
  expect(webhookUrlProblem(url, deployed)).toEqual(expect.any(String));
});

test.each(loopback)('the local gateway may call %s', (url) => {
  expect(webhookUrlProblem(url, local)).toBeNull();
});

test.each([...refused, 'http://user:secret@127.0.0.1/'])(
  'the local gateway must not call %s either',
  (url) => {
    expect(webhookUrlProblem(url, local)).toEqual(expect.any(String));
  },
);

test.each([
  ['https://gateway.example/hook', 'gateway.example'],
  ['https://GATEWAY.example:8443/hook', 'gateway.example'],
  ['https://gateway.example/hook', 'gateway.example:443'],
  ['https://8.8.8.8/hook', '8.8.8.8'],
  ['http://127.0.0.1:8787/hook', '127.0.0.1:8787'],
  ['http://localhost:8787/hook', '127.0.0.1:8787'],
  ['http://[::1]:8787/hook', 'localhost:8787'],
])('%s is the gateway itself where that is %s', (url, own) => {
  const rules = { ...local, ownHosts: ['other.example', own] };
  expect(webhookUrlProblem(url, rules)).toBe('A webhook must not call this gateway itself.');
});

test('a URL may have 2048 characters, and no more', () => {
  const url = `https://example.com/${'a'.repeat(2028)}`;
  expect([webhookUrlProblem(url, deployed), webhookUrlProblem(`${url}a`, deployed)]).toEqual([
    ...[null, 'At most 2048 characters.'],
  ]);
});

test.each(['ws://127.0.0.1/', 'ftp://127.0.0.1/', String.raw`https://example.com/a\b`])(
  'not even the local gateway may call %s',
  (url) => expect(webhookUrlProblem(url, local)).not.toBeNull(),
);

test('another service on the machine of the local gateway is not the gateway', () => {
  const rules = { loopbackAllowed: true, ownHosts: ['127.0.0.1:8787'], privateHosts: [] };
  expect(webhookUrlProblem('http://127.0.0.1:9000/hook', rules)).toBeNull();
});

test('loopback is allowed by one variable alone, and by no other value of it', () => {
  const rules = (WEBHOOK_TARGETS?: string) =>
    webhookUrlRules(
      {
        PUBLIC_HOSTS: ['a.example', 'b.example:8443'],
        PUBLIC_URL: 'https://d.example/',
        PART_HOSTS: ['127.0.0.1:8790'],
        WEBHOOK_TARGETS,
        WEBHOOK_PRIVATE_HOSTS: ['receiver'],
      },
      'c.example',
    );
  expect(rules()).toEqual({
    loopbackAllowed: false,
    ownHosts: ['a.example', 'b.example:8443', '127.0.0.1:8790', 'd.example', 'c.example'],
    privateHosts: ['receiver'],
  });
  expect(rules('public').loopbackAllowed).toBe(false);
  expect(rules('loopback').loopbackAllowed).toBe(true);
  expect(webhookUrlProblem('http://localhost:8790/admin/messages', rules('loopback'))).toContain('itself');
  const onePort = rules('loopback:41234');
  expect(webhookUrlProblem('http://127.0.0.1:41234/webhooks', onePort)).toBeNull();
  for (const url of ['http://127.0.0.1/', 'http://127.0.0.1:41235/', 'http://10.0.0.1:41234/']) {
    expect(webhookUrlProblem(url, onePort), url).not.toBeNull();
  }
});

describe('with hosts of a private network that the operator lists', () => {
  const listed = ['receiver', 'Hooks.internal', '10.1.0.0/16', '192.168.1.20', 'fd00:1::/32', '0.0.0.0/0'];
  const rules = (privateHosts: string[]) => ({ ...deployed, privateHosts });

  test.each([
    'http://receiver:3000/hook',
    'https://hooks.internal/hook',
    'http://10.1.2.3/hook',
    'http://192.168.1.20:8080/hook',
    'http://[fd00:1::7]/hook',
  ])('%s may be called', (url) => {
    expect(webhookUrlProblem(url, deployed)).not.toBeNull();
    expect(webhookUrlProblem(url, rules(listed.slice(0, 5)))).toBeNull();
  });

  test.each([
    'http://receiver.internal/hook',
    'http://other/hook',
    'http://a.hooks.internal/hook',
    'http://10.2.0.1/hook',
    'http://192.168.1.21/hook',
    'http://127.0.0.1/hook',
    'http://example.com/hook',
  ])('%s, which is not listed, may not', (url) => {
    expect(webhookUrlProblem(url, rules(listed.slice(0, 5)))).not.toBeNull();
  });

  test('no range opens the addresses at which clouds keep their metadata, and none opens the gateway itself', () => {
    for (const url of ['http://169.254.169.254/hook', 'http://168.63.129.16/hook', 'http://[fe80::1]/hook'])
      expect(webhookUrlProblem(url, rules([...listed, 'fe80::/10'])), url).not.toBeNull();
    const own = { ...rules(listed), ownHosts: ['10.1.2.3:8787'] };
    expect(webhookUrlProblem('http://10.1.2.3:8787/hook', own)).toContain('this gateway itself');
  });
});

test('every address that a customer names is called on a network that reaches no private one', () => {
  const root = new URL('../../../src/worker/', import.meta.url).pathname;
  const calling = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .filter((name) =>
      /(?<![.\w])fetch\((?!\))/.test(readFileSync(join(root, name), 'utf8').replace(/async fetch\(/g, '')),
    )
    .sort();
  // The others call what the operator has set: an identity provider, and the local gateway's own mail.
  expect(calling).toEqual([
    'auth/tokens/outside-token.ts',
    'mail/mailer.ts',
    'outbound-http/tenant-fetch.ts',
  ]);
});

test('half of a surrogate pair is refused, since it would come back as another character', () => {
  expect(webhookUrlProblem('https://example.com/\ud800', deployed)).toContain('surrogate pair');
});

test('no configuration that is deployed carries that variable', () => {
  const root = new URL('../../../', import.meta.url);
  expect(readFileSync(new URL('wrangler.toml', root).pathname, 'utf8')).not.toContain('WEBHOOK_TARGETS');
  const strict = /global_fetch_strictly_public/;
  expect(readFileSync(new URL('wrangler.toml', root).pathname, 'utf8')).toMatch(strict);
});

import { expect, test } from 'vitest';
import { readSettings } from '../../../src/local/settings.ts';

test('options that Node does not take are refused at the start, by the name of their variable', () => {
  expect(() => readSettings({ BRIDGE_NODE_OPTIONS: '--nonsense' })).toThrow(
    'BRIDGE_NODE_OPTIONS must be options that Node takes from NODE_OPTIONS',
  );
  expect(() => readSettings({ BRIDGE_NODE_OPTIONS: '--max-old-space-size=512' })).not.toThrow();
});

const publicUrl = { PUBLIC_URL: 'https://gateway.example.com' };

test.for([
  [{ HOST: '0.0.0.0' }, 'PUBLIC_URL must be set where HOST is beyond this machine'],
  [{ HOST: '192.168.1.10' }, 'PUBLIC_URL must be set where HOST is beyond this machine'],
  [
    { CLIENT_ADDRESS_HEADER: 'X-Forwarded-For' },
    'PUBLIC_URL must be set where CLIENT_ADDRESS_HEADER names a proxy',
  ],
] as const)('%o needs the address under which people know the gateway', ([settings, sentence]) => {
  expect(() => readSettings({ ...settings })).toThrow(sentence);
  expect(() => readSettings({ ...settings, ...publicUrl })).not.toThrow();
});

test.for([{}, { HOST: '::1' }, { CLIENT_ADDRESS_HEADER: 'none' }])(
  '%o does without it: nobody but this machine comes',
  (settings) => {
    expect(() => readSettings(settings)).not.toThrow();
  },
);

test.for([
  ['PORT', 'http', 'PORT must be a port number from 1 to 65535, but it is "http".'],
  ['PORT', '70000', 'PORT must be a port number from 1 to 65535, but it is "70000".'],
  ['SIMULATOR_PORT', '65535', 'SIMULATOR_PORT must be a port number from 1 to 65534, but it is "65535".'],
  ['HELIOGRAPH_DEMO', 'yes', 'HELIOGRAPH_DEMO must be 0 or 1, but it is "yes".'],
  ['NETWORK', 'telegram', 'NETWORK must be simulator or whatsapp, but it is "telegram".'],
  ['WEBHOOK_RETRY_SECONDS', '30;60', 'WEBHOOK_RETRY_SECONDS must be whole seconds'],
  ['KEY_RATE_PER_SECOND', 'abc', 'KEY_RATE_PER_SECOND must be a number above 0, but it is "abc".'],
  ['SIGNUP', 'maybe', 'SIGNUP must be closed, invite or open, but it is "maybe".'],
  ['HOST', 'everywhere', 'HOST must be an address of this machine, such as 127.0.0.1 or 0.0.0.0'],
  ['SMTP_HOST', 'mail.example', 'MAIL_FROM must be set where SMTP_HOST is'],
] as const)('%s=%s is refused in words', ([name, value, sentence]) => {
  expect(() => readSettings({ [name]: value })).toThrow(sentence);
});

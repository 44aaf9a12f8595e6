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

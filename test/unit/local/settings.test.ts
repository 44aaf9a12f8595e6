import { expect, test } from 'vitest';
import { readSettings } from '../../../src/local/settings.ts';

test('options that Node does not take are refused at the start, by the name of their variable', () => {
  expect(() => readSettings({ BRIDGE_NODE_OPTIONS: '--nonsense' })).toThrow(
    'BRIDGE_NODE_OPTIONS must be options that Node takes from NODE_OPTIONS',
  );
  expect(() => readSettings({ BRIDGE_NODE_OPTIONS: '--max-old-space-size=512' })).not.toThrow();
});

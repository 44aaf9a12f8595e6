import { expect, test } from 'vitest';
import { eventNames } from '../../../src/contract/events.ts';
import { outdatedBy } from '../../../src/dashboard/gateway/outdated-keys.ts';

const keysOf = (event: string) => outdatedBy({ event } as Parameters<typeof outdatedBy>[0]);

test('a page that shows contacts hears of one that has changed', () => {
  expect(keysOf('contact.updated')).toContain('contacts');
});

test.each(['device.connected', 'device.disconnected', 'device.logged_out'])(
  'a page that shows numbers hears of %s, and not of each code of a pairing',
  (event) => {
    expect(keysOf(event)).toContain('numbers');
    expect(keysOf('device.pairing')).not.toContain('numbers');
  },
);

test('what is counted of messages is asked for again by what happens to messages, and by nothing else', () => {
  for (const name of eventNames) {
    const counts = keysOf(name).filter((key) => key === 'usage' || key === 'traffic');
    expect(counts).toHaveLength(name.startsWith('message.') ? 2 : 0);
  }
});

test('webhooks are asked for again by every event: their attempts are told by none', () => {
  for (const name of eventNames) expect(keysOf(name)).toContain('webhooks');
});

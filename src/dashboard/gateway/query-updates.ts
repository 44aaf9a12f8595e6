import { moveMessage } from '../queries/messages.ts';
import { movePairing } from '../queries/pairing.ts';
import { live } from './live.ts';
import { queryClient } from './query-client.ts';

/** Of a stream of events about the same thing, the answers are asked for at most this often. */
const askAgainMs = 1_000;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Asks again for everything under a key, soon and once. */
function outdated(key: string): void {
  if (waiting.has(key)) return;
  const timer = setTimeout(() => {
    waiting.delete(key);
    void queryClient.invalidateQueries({ queryKey: [key] });
  }, askAgainMs);
  waiting.set(key, timer);
}

/** Keeps what was asked true to what happens. Returns what ends it. */
export function followEvents(): () => void {
  const endEvents = live.onEvent((event) => {
    if (event.event === 'device.pairing') {
      movePairing(event);
    } else if (event.event.startsWith('device.')) {
      void queryClient.invalidateQueries({ queryKey: ['numbers'] });
      outdated('alerts');
    }
    if (event.event.startsWith('message.')) {
      outdated('usage');
      outdated('traffic');
    }
    if (event.event === 'contact.updated') outdated('contacts');
    if (event.event === 'quota.exceeded') outdated('alerts');
    moveMessage(event);
    outdated('webhooks');
  });
  const endGap = live.onGap(() => void queryClient.invalidateQueries());
  return () => {
    endEvents();
    endGap();
  };
}

import type { StreamEvent } from '../../sdk/index.ts';
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

/** Whether an alert may have begun or ended with it; the others are looked for once a minute. */
function mayBeTrouble(event: StreamEvent): boolean {
  switch (event.event) {
    case 'quota.exceeded':
    case 'message.failed':
    case 'campaign.paused':
    case 'campaign.started':
      return true;
    case 'conversation.updated':
      return event.data.changes.sla !== undefined || event.data.changes.status !== undefined;
    default:
      return false;
  }
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
    if (mayBeTrouble(event)) outdated('alerts');
    moveMessage(event);
    outdated('webhooks');
  });
  // Conversations have a stream of their own, which sees to them.
  const endGap = live.onGap(
    () =>
      void queryClient.invalidateQueries({
        predicate: ({ queryKey: [name] }) => name !== 'conversations' && name !== 'conversation-items',
      }),
  );
  return () => {
    endEvents();
    endGap();
  };
}

import { moveMessage } from '../queries/messages.ts';
import { movePairing } from '../queries/numbers.ts';
import { alertChanges, live, ofConversations } from './live.ts';
import { outdatedBy } from './outdated-keys.ts';
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

/** What events alone keep true: nothing of it is missed where they go on. */
const toldByEvents = new Set<unknown>([...ofConversations, 'messages', 'events', 'contacts']);

const outdatedBut = (kept: ReadonlySet<unknown>) =>
  void queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => !kept.has(name) });

/** Keeps what was asked true to what happens. Returns what ends it. */
export function followEvents(): () => void {
  const endEvents = live.onEvent((event) => {
    movePairing(event);
    for (const key of outdatedBy(event)) {
      // Somebody with the phone in their hand waits to see it.
      if (key === 'numbers') void queryClient.invalidateQueries({ queryKey: [key] });
      else outdated(key);
    }
    moveMessage(event);
  });
  const alertsOutdated = () => outdated('alerts');
  alertChanges.add(alertsOutdated);
  const endGap = live.onGap(() => outdatedBut(ofConversations));
  const endReturn = live.onReturn(() => outdatedBut(toldByEvents));
  return () => {
    endEvents();
    endGap();
    endReturn();
    alertChanges.delete(alertsOutdated);
  };
}

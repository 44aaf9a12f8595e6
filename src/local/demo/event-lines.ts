import type { ReceivedEvent } from './demo-receiver.ts';

const nameColumn = 24;
/** What the eye can follow; under load the rest is counted. */
const linesASecond = 10;

/** Makes a line of each event, and under load one of many. */
export function showEvents(write: (line: string) => void): (event: ReceivedEvent) => void {
  let shown = 0;
  let more = 0;
  let isCounting = false;
  const endSecond = () => {
    if (more > 0) write(`… and ${more} more events`);
    shown = 0;
    more = 0;
    isCounting = false;
  };
  return (event) => {
    if (!isCounting) setTimeout(endSecond, 1000).unref();
    isCounting = true;
    if (shown === linesASecond) {
      more += 1;
      return;
    }
    shown += 1;
    const verdict = event.verified ? 'signature verified ✓' : 'signature does NOT fit ✗';
    const about = event.data.messageId ?? event.data.numberId ?? '';
    write(`${event.event.padEnd(nameColumn)}${verdict}   ${about}`.trimEnd());
  };
}

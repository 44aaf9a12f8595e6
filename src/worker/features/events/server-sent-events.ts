import type { LiveEvents, LiveReader } from './live-reader.ts';

/** So long a client may leave what it was sent lying; then it is taken for gone. */
const stalledMs = 60_000;

const headers = {
  'Content-Type': 'text/event-stream',
  // Who compresses or buffers holds events back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/**
 * Responds with the stream: `id` is the cursor, `data` the event. A line with only a colon is a heartbeat. `write`: writes the
 * next events in the form for the client.
 */
export function answerServerSentEvents(
  reader: LiveReader,
  write: (next: LiveEvents) => string | Promise<string> = writeEvents,
): Response {
  const encoder = new TextEncoder();
  let hasBegun = false;
  let stalled: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      // Called when the client has taken what it was given before.
      async pull(controller) {
        clearTimeout(stalled);
        // At once: a client takes the stream as open with its first byte.
        const next = hasBegun ? await reader.next() : 'silence';
        hasBegun = true;
        if (next === null) {
          controller.close();
          return;
        }
        controller.enqueue(encoder.encode(next === 'silence' ? ':\n\n' : await write(next)));
        stalled = setTimeout(() => {
          reader.close();
          controller.close();
        }, stalledMs);
      },
      cancel() {
        clearTimeout(stalled);
        reader.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}

/** Without events the id alone: the client remembers it, and hears nothing. */
export const writeEvents = ({
  events,
  cursor,
  alerts,
}: Pick<LiveEvents, 'events' | 'cursor' | 'alerts'>): string =>
  alerts !== undefined
    ? 'event: alerts\ndata: {}\n\n'
    : events.length === 0
      ? `id: ${cursor}\n\n`
      : events.map((event) => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('');

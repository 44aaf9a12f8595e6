import type { PresenceFrame } from '../../../durable/event-log/feed/feed-frames.ts';
import type { LiveEvents, LiveReader } from './live-reader.ts';

/** So long a client may leave what it was sent lying; then it is taken for gone. */
const stalledMs = 60_000;

const headers = {
  'Content-Type': 'text/event-stream',
  // Who compresses or buffers holds events back.
  'Cache-Control': 'no-store, no-transform',
  'X-Accel-Buffering': 'no',
};

/** Answers with the stream: `id` is the cursor, `data` the event. A line with a colon alone says that all is well. */
export function answerServerSentEvents(reader: LiveReader): Response {
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
        controller.enqueue(encoder.encode(next === 'silence' ? ':\n\n' : written(next)));
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

/** Who is where, as the API shows it. */
export const shownPresence = ({ conversations, online, typing }: PresenceFrame) => ({
  conversations: conversations.map(({ conversationId, people, lockedBy, hasNote }) => ({
    conversationId,
    people: people.map(({ until, ...person }) => ({ ...person, until: new Date(until).toISOString() })),
    lockedBy,
    ...(hasNote && { hasNote }),
  })),
  online,
  ...(typing && {
    typing: typing.map(({ conversationId, state, until }) => ({
      conversationId,
      state,
      until: new Date(until).toISOString(),
    })),
  }),
});

/** Without events the id alone: the client remembers it, and hears nothing. */
const written = ({ events, cursor, presence, alerts }: LiveEvents): string =>
  presence !== undefined
    ? `event: presence\ndata: ${JSON.stringify(shownPresence(presence))}\n\n`
    : alerts !== undefined
      ? 'event: alerts\ndata: {}\n\n'
      : events.length === 0
        ? `id: ${cursor}\n\n`
        : events.map((event) => `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`).join('');

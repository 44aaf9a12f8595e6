import { z } from 'zod';
import { eventExamples } from '../../openapi/examples/event-examples.ts';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter } from '../../openapi/operation.ts';
import { eventPageSchema } from './records.ts';

const event = {
  cursor: example.cursor,
  id: example.eventId,
  event: 'message.delivered',
  timestamp: '2026-01-31T09:30:01.912Z',
  data: eventExamples['message.delivered'],
};

const parameters = {
  after:
    'The `cursor` of an event, or `nextCursor`: start after it. `now`: start with new events. Omitted: start with ' +
    'the oldest event that is kept.',
  events: 'Only these events: names separated by commas.',
  numberId: 'Only events of this number.',
};

export const eventOperations = chapter('Events', [
  {
    id: 'listEvents',
    route: 'GET /v1/events',
    summary: 'Read events',
    description:
      'Every event of the account, oldest first, in the one order in which they happened. Continue with `nextCursor` ' +
      'as `after`: nothing is left out, and nothing is repeated. With `wait`, the request is held until there is an ' +
      'event. Events are kept for 30 days; an older cursor gets `410`, with the oldest valid one in `details`.\n\nWith ' +
      '`before` it goes backwards: the last events up to a position, in the same order; continue with `nextCursor` as ' +
      '`before`.\n\nA page may be short or empty although `hasMore` is true: a filter that few events match is read in ' +
      'steps.',
    parameters: {
      ...parameters,
      before:
        'The `cursor` of an event: the last events up to and including this one. `now`: the newest. Not with `after` or ' +
        '`wait`.',
      wait: 'Seconds to wait for an event if there is none.',
    },
    answers: [
      answer(200, 'A page of events.', eventPageSchema, {
        data: [event],
        nextCursor: example.cursor,
        hasMore: false,
      }),
    ],
    errors: ['CURSOR_EXPIRED'],
  },
  {
    id: 'followEvents',
    route: 'GET /v1/events/live',
    summary: 'Follow events live',
    description:
      'The same as server-sent events: `id` is the cursor, `data` the event; if nothing happens, a line with only a ' +
      'colon is sent every 15 seconds. A client that reconnects with `Last-Event-ID` continues where it was.\n\nOver a ' +
      'WebSocket (`Upgrade: websocket`), each frame is an event; reconnect with `after`.\n\nWith `alerts`, people are ' +
      'notified of alerts too: an event named `alerts`, without an `id`, says that some have begun, ended or been ' +
      'acknowledged; fetch them then.\n\nThe gateway ends a stream after 15 minutes, and if its client does not keep up: ' +
      'reconnect.',
    parameters: {
      ...parameters,
      alerts: 'Also notify when alerts have changed. Only for people, and only with server-sent events.',
    },
    answers: [
      {
        status: 200,
        description: 'The stream. (`101` for a WebSocket.)',
        media: {
          'text/event-stream': {
            schema: z.string(),
            example: `id: ${example.cursor}\ndata: ${JSON.stringify(event)}\n\n`,
          },
        },
      },
    ],
    errors: ['CURSOR_EXPIRED'],
  },
]);

import { z } from 'zod';
import { eventExamples } from '../../openapi/examples/event-examples.ts';
import { exampleCursor, exampleEventId } from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { eventPageSchema } from './records.ts';

const event = {
  cursor: exampleCursor,
  id: exampleEventId,
  event: 'message.delivered',
  timestamp: '2026-01-31T09:30:01.912Z',
  data: eventExamples['message.delivered'],
};

const parameters = {
  after:
    'The `cursor` of an event, or `nextCursor`: begin behind it. `now`: begin with what happens from now on. Left out: ' +
    'begin with the oldest event that is kept.',
  events: 'Only these events: names, separated by commas.',
  numberId: 'Only events of this number.',
};

export const eventOperations: Operation[] = [
  {
    id: 'listEvents',
    method: 'get',
    path: '/v1/events',
    tag: 'Events',
    summary: 'Read events',
    description:
      'Every event of the account, oldest first, in the one order in which it happened. Go on with `nextCursor` as ' +
      '`after`: nothing is left out, and nothing comes twice. With `wait` the request is held until there is ' +
      'something. Events are kept for 30 days; an older cursor gets `410`, with the oldest one that works in ' +
      '`details`.\n\n' +
      'With `before` it goes backwards: the last events up to a place, in the same order, and on with `nextCursor` as ' +
      '`before`.\n\n' +
      'A page may be short, or empty, and yet `hasMore`: a filter that little passes is read bit by bit.',
    parameters: {
      ...parameters,
      before:
        'The `cursor` of an event: the last events up to this one, itself included. `now`: the newest. Not with `after` or ' +
        '`wait`.',
      wait: 'Seconds to wait for an event where there is none.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of events.',
        schema: eventPageSchema,
        example: { data: [event], nextCursor: exampleCursor, hasMore: false },
      },
    ],
    errors: ['CURSOR_EXPIRED'],
  },
  {
    id: 'followEvents',
    method: 'get',
    path: '/v1/events/live',
    tag: 'Events',
    summary: 'Follow events live',
    description:
      'The same as server-sent events: `id` is the cursor, `data` the event, and a line with a colon alone comes every ' +
      '15 seconds where nothing happens. A client that reconnects with `Last-Event-ID` goes on where it was.\n\n' +
      'Where a WebSocket is asked for (`Upgrade: websocket`), each of its frames is an event; reconnect with `after`.' +
      '\n\n' +
      'With `alerts` a person hears of alerts too: an event named `alerts`, without an `id`, says that some have begun, ' +
      'ended or been acknowledged since; ask for them.\n\n' +
      'The gateway ends a stream after a quarter of an hour, and when its client does not keep up: reconnect.',
    parameters: {
      ...parameters,
      alerts: 'Also say when alerts have changed. For people, and server-sent events alone.',
    },
    answers: [
      {
        status: 200,
        description: 'The stream. (`101` for a WebSocket.)',
        media: {
          'text/event-stream': {
            schema: z.string(),
            example: `id: ${exampleCursor}\ndata: ${JSON.stringify(event)}\n\n`,
          },
        },
      },
    ],
    errors: ['CURSOR_EXPIRED'],
  },
];

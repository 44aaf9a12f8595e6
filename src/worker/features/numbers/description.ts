import { z } from 'zod';
import { defaultSessionSettings } from '../../../contract/bridge/session-settings.ts';
import { defaultPacing, heldReasons, openFilters } from '../../../contract/numbers/sender-settings.ts';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { numberHealthSchema, pairingSchema, phoneNumberListSchema, phoneNumberSchema } from './records.ts';

const connected = {
  numberId: example.numberId,
  label: 'Sales',
  phoneNumber: example.phoneNumber,
  state: 'connected',
  health: 'healthy',
  healthUntil: null,
  pacing: defaultPacing,
  filters: openFilters,
  inPool: true,
  teamIds: null,
  waiting: 0,
  dailyRemaining: 186,
  ...defaultSessionSettings,
  connectedAt: '2026-01-31T08:00:02.500Z',
  lastSeenAt: '2026-01-31T09:29:58.001Z',
  reason: null,
};
const unpaired = {
  ...connected,
  phoneNumber: null,
  state: 'unpaired',
  health: 'unavailable',
  connectedAt: null,
  lastSeenAt: null,
  reason: heldReasons.not_connected,
};

const asItIs = 'The number as it is now.';
const number = (status: 200 | 201 | 202, description: string, example: unknown) => [
  answer(status, description, phoneNumberSchema, example),
];

export const numberOperations = chapter('Numbers', [
  {
    id: 'createNumber',
    route: 'POST /v1/numbers',
    summary: 'Add a number',
    description: 'Creates an `unpaired` number: pair it next.',
    fields: { label: 'Your name for it, 1 to 100 characters.' },
    examples: { number: { summary: 'A number for sales', value: { label: 'Sales' } } },
    answers: number(201, 'The new number.', unpaired),
    errors: ['CONFLICT'],
  },
  {
    id: 'listNumbers',
    route: 'GET /v1/numbers',
    summary: 'List numbers',
    description: 'The numbers of the account, newest first.',
    answers: [pageAnswer('A page of numbers.', phoneNumberListSchema, [connected])],
  },
  {
    id: 'getNumber',
    route: 'GET /v1/numbers/:id',
    summary: 'Get a number',
    description: 'One number, with its current state.',
    answers: number(200, asItIs, connected).map((answer) => ({ ...answer, headers: ['ETag'] })),
  },
  {
    id: 'getNumberHealth',
    route: 'GET /v1/numbers/:id/health',
    summary: 'Get the health of a number',
    description:
      'The current health of a number as a sender, and its history. A number that fails too often rests, for longer ' +
      'each time, and then tries a single message; meanwhile the pool continues without it.',
    answers: [
      answer(200, 'The health.', numberHealthSchema, {
        numberId: example.numberId,
        status: 'resting',
        reason: heldReasons.resting,
        until: '2026-01-31T09:31:00.000Z',
        changes: [
          {
            at: '2026-01-31T09:30:30.000Z',
            status: 'resting',
            reason: heldReasons.resting,
            until: '2026-01-31T09:31:00.000Z',
          },
          { at: '2026-01-31T08:00:02.500Z', status: 'healthy', reason: null, until: null },
        ],
      }),
    ],
  },
  {
    id: 'updateNumber',
    route: 'PATCH /v1/numbers/:id',
    summary: 'Change a number',
    description:
      'Changes the fields you send, also within `pacing` and `filters`, from the next message on. A list you send ' +
      'replaces the previous one.',
    fields: {
      label: 'Your name for it, 1 to 100 characters.',
      inPool: 'Whether keys without a pin may send through it.',
      pacing: 'How fast it sends.',
      filters: "Whom it may not message, in addition to the account's filters. Groups are not filtered.",
      presence: 'Whether it appears online while connected.',
      proxyUrl:
        'The proxy through which it reaches the network, credentials included: `http`, `https`, `socks4` or `socks5`. ' +
        'Null for none. A change reconnects the number.',
      rejectCalls: 'Whether calls are rejected automatically.',
      teamIds: 'The only teams that see its conversations; null: everyone. Owners and admins see all.',
      markRead: 'When messages to it are marked as read on the network.',
    },
    examples: {
      pool: { summary: 'Remove it from the pool', value: { inPool: false } },
      pacing: {
        summary: 'Send slowly, and not at night',
        value: {
          pacing: {
            minDelayMs: 2000,
            maxDelayMs: 6000,
            dailyLimit: 500,
            quietHours: { start: '22:00', end: '07:00' },
            timeZone: 'Asia/Jakarta',
          },
        },
      },
      proxy: {
        summary: 'Reach the network through a proxy',
        value: { proxyUrl: 'socks5://user:secret@proxy.example.com:1080' },
      },
      filters: { summary: 'Message one country only', value: { filters: { allowPrefixes: ['62'] } } },
    },
    answers: number(200, asItIs, { ...connected, inPool: false }).map((answer) => ({
      ...answer,
      headers: ['ETag'],
    })),
    requestHeaders: ['If-Match'],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteNumber',
    route: 'DELETE /v1/numbers/:id',
    summary: 'Delete a number',
    description: 'Logs its session out and deletes it. Messages waiting for it fail with an error.',
    answers: [{ status: 204, description: 'The number is deleted.' }],
  },
  {
    id: 'pairNumber',
    route: 'POST /v1/numbers/:id/pair',
    summary: 'Pair a number',
    description:
      'Starts a pairing, by QR code or by a code to enter on the phone. Then poll the pairing until the number is ' +
      '`connected`. A second call replaces the first. While the number is being logged out, the code comes once its device ' +
      'is off the phone.',
    fields: {
      method: 'How the phone is linked.',
      phoneNumber: 'The phone that will receive the code: a phone number with country code.',
    },
    examples: {
      qr: { summary: 'By QR code', value: { method: 'qr' } },
      code: { summary: 'By code', value: { method: 'code', phoneNumber: '+1 555 000-0001' } },
    },
    answers: number(202, 'The pairing has started.', { ...unpaired, state: 'pairing' }),
    errors: ['CONFLICT'],
  },
  {
    id: 'getPairing',
    route: 'GET /v1/numbers/:id/pairing',
    summary: 'Get the current pairing',
    description:
      'What to show to the person who pairs. With `Accept: image/svg+xml` the response is the QR code as an image. ' +
      '`404` if no pairing is in progress.',
    answers: [
      {
        status: 200,
        description: 'The pairing.',
        schema: pairingSchema,
        example: {
          method: 'qr',
          qr: '2@Zm9vYmFy,c2VydmVy,a2V5,YWR2',
          code: null,
          expiresAt: '2026-01-31T09:31:00.000Z',
        },
        media: {
          'image/svg+xml': {
            schema: z.string(),
            example: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 61 61">…</svg>',
          },
        },
      },
    ],
  },
  {
    id: 'connectNumber',
    route: 'POST /v1/numbers/:id/connect',
    summary: 'Connect a number',
    description:
      'Starts the session of a paired number. After a pairing and after errors it connects automatically.',
    answers: number(202, asItIs, connected),
    errors: ['CONFLICT'],
  },
  {
    id: 'disconnectNumber',
    route: 'POST /v1/numbers/:id/disconnect',
    summary: 'Disconnect a number',
    description: 'Stops the session and keeps the pairing. Messages wait until it is connected again.',
    answers: number(202, asItIs, connected),
    errors: ['CONFLICT'],
  },
  {
    id: 'logoutNumber',
    route: 'POST /v1/numbers/:id/logout',
    summary: 'Log a number out',
    description:
      'Ends the session permanently: the number must be paired again, which may be asked for at once. The device is removed on ' +
      'the phone too. While the network is away, `reason` says that this waits; after an hour it says to remove it on the phone.',
    answers: number(202, asItIs, connected),
    errors: ['CONFLICT'],
  },
]);

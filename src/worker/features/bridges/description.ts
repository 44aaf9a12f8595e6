import { exampleBridgeId } from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { enrolmentBodySchema } from './enrolment-body.ts';
import { bridgeListSchema, bridgeSchema, enrolmentTokenSchema } from './records.ts';

const bridge = {
  bridgeId: exampleBridgeId,
  name: 'rack 4',
  region: null,
  state: 'linked',
  version: 8,
  release: '0.1.0',
  isDraining: false,
  numbers: 38,
  capacity: 400,
  residentBytes: 268_435_456,
  enrolledAt: '2026-01-01T09:30:00.123Z',
  linkedAt: '2026-01-31T09:30:00.123Z',
  leasesUntil: null,
};

/** What the operator of a gateway sees of its session bridges. */
export const bridgeOperations: Operation[] = [
  {
    id: 'listBridges',
    method: 'get',
    path: '/v1/operator/bridges',
    tag: 'Service',
    summary: 'List the session bridges',
    description: 'Those that are linked or hold numbers, and those that were linked within the last days.',
    answers: [
      {
        status: 200,
        description: 'All of them.',
        schema: bridgeListSchema,
        example: { data: [bridge], nextCursor: null, waitingNumbers: 0, regions: [] },
      },
    ],
  },
  {
    id: 'addBridge',
    method: 'post',
    path: '/v1/operator/bridges',
    tag: 'Service',
    summary: 'Let a new session bridge in',
    description:
      'Makes the token with which one new bridge enrols. The bridge then keeps a token of its own, so this one is needed ' +
      'for its first start alone.',
    body: enrolmentBodySchema,
    fields: {
      name: 'What the list of bridges is to call it.',
      region: 'Whose numbers it is to drive: one of `FLEET_REGIONS`. Left out: those that have no region.',
      expiresInSeconds: 'How long the token lets it in: 60 to 2592000 (30 days).',
    },
    examples: {
      named: { summary: 'A bridge with a name', value: { name: 'rack 4', expiresInSeconds: 3600 } },
    },
    answers: [
      {
        status: 201,
        description: 'The token.',
        schema: enrolmentTokenSchema,
        example: {
          token: `hbe_${'A'.repeat(43)}_${'B'.repeat(43)}`,
          name: 'rack 4',
          region: null,
          expiresAt: '2026-01-31T10:30:00.123Z',
        },
      },
    ],
  },
  {
    id: 'revokeBridge',
    method: 'delete',
    path: '/v1/operator/bridges/:bridgeId',
    tag: 'Service',
    summary: 'Revoke a session bridge',
    description:
      'Its token opens nothing any more, its links are closed, and its numbers move to others at once. For good: the machine ' +
      'comes back as a new bridge, with an empty `BRIDGE_HOME` and a new token. To repeat it changes nothing.',
    answers: [{ status: 204, description: 'It is no bridge any more.' }],
  },
  {
    id: 'drainBridge',
    method: 'post',
    path: '/v1/operator/bridges/:bridgeId/drain',
    tag: 'Service',
    summary: 'Empty a session bridge',
    description:
      'It gets no more numbers, and its numbers move to others as far as these have room, each after what it is sending. ' +
      'It stays so until it is resumed. To repeat it changes nothing.',
    answers: [
      {
        status: 202,
        description: 'It is being emptied.',
        schema: bridgeSchema,
        example: { ...bridge, isDraining: true },
      },
    ],
  },
  {
    id: 'resumeBridge',
    method: 'post',
    path: '/v1/operator/bridges/:bridgeId/resume',
    tag: 'Service',
    summary: 'Take a drained session bridge back into use',
    description: 'It gets numbers again. To repeat it changes nothing.',
    answers: [{ status: 202, description: 'It takes numbers.', schema: bridgeSchema, example: bridge }],
  },
];

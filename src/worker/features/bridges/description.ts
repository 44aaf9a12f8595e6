import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter } from '../../openapi/operation.ts';
import { enrolmentBodySchema } from './enrolment-body.ts';
import { bridgeListSchema, bridgeSchema, enrolmentTokenSchema } from './records.ts';

const bridge = {
  bridgeId: example.bridgeId,
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
export const bridgeOperations = chapter('Service', [
  {
    id: 'listBridges',
    route: 'GET /v1/operator/bridges',
    summary: 'List the session bridges',
    description:
      'Bridges that are connected or hold numbers, and those that were connected in the last days.',
    answers: [
      answer(200, 'All of them.', bridgeListSchema, {
        data: [bridge],
        nextCursor: null,
        waitingNumbers: 0,
        regions: [],
      }),
    ],
  },
  {
    id: 'addBridge',
    route: 'POST /v1/operator/bridges',
    summary: 'Enrol a session bridge',
    description:
      'Creates the token with which one new bridge enrols. The bridge then keeps its own token, so this one is needed ' +
      'only for its first start.',
    body: enrolmentBodySchema,
    fields: {
      name: 'Its name in the list of bridges.',
      region:
        'The region whose numbers it serves: one of `FLEET_REGIONS`. Omitted: numbers without a region.',
      expiresInSeconds: 'How long the token is valid, in seconds: 60 to 2592000 (30 days).',
    },
    examples: {
      named: { summary: 'A bridge with a name', value: { name: 'rack 4', expiresInSeconds: 3600 } },
    },
    answers: [
      answer(201, 'The token.', enrolmentTokenSchema, {
        token: `hbe_${'A'.repeat(43)}_${'B'.repeat(43)}`,
        name: 'rack 4',
        region: null,
        expiresAt: '2026-01-31T10:30:00.123Z',
      }),
    ],
  },
  {
    id: 'revokeBridge',
    route: 'DELETE /v1/operator/bridges/:bridgeId',
    summary: 'Revoke a session bridge',
    description:
      'Its token becomes invalid, its connections are closed, and its numbers move to other bridges at once. ' +
      'Permanent: the machine can come back as a new bridge, with an empty `BRIDGE_HOME` and a new token. Repeating ' +
      'the call changes nothing.',
    answers: [{ status: 204, description: 'The bridge is revoked.' }],
  },
  {
    id: 'drainBridge',
    route: 'POST /v1/operator/bridges/:bridgeId/drain',
    summary: 'Drain a session bridge',
    description:
      'It gets no more numbers, and its numbers move to other bridges as far as these have capacity, each after its ' +
      'current message. It stays drained until it is resumed. Repeating the call changes nothing.',
    answers: [answer(202, 'The bridge is draining.', bridgeSchema, { ...bridge, isDraining: true })],
  },
  {
    id: 'resumeBridge',
    route: 'POST /v1/operator/bridges/:bridgeId/resume',
    summary: 'Resume a drained session bridge',
    description: 'It gets numbers again. Repeating the call changes nothing.',
    answers: [answer(202, 'The bridge accepts numbers.', bridgeSchema, bridge)],
  },
]);

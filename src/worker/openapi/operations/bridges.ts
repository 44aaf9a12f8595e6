import { exampleBridgeId } from '../examples/example-values.ts';
import type { Operation } from '../operation.ts';
import { bridgeListSchema, bridgeSchema } from '../schemas/bridge.ts';

const bridge = {
  bridgeId: exampleBridgeId,
  state: 'linked',
  version: 6,
  isDraining: false,
  numbers: 38,
  capacity: 400,
  residentBytes: 268_435_456,
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
    credential: 'operator',
    answers: [
      {
        status: 200,
        description: 'All of them.',
        schema: bridgeListSchema,
        example: { data: [bridge], nextCursor: null },
      },
    ],
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
    credential: 'operator',
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
    credential: 'operator',
    answers: [{ status: 202, description: 'It takes numbers.', schema: bridgeSchema, example: bridge }],
  },
];

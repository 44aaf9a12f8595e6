import { z } from 'zod';
import { fleetRegionNames } from '../../../contract/bridge/bridge-token.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, optionalTimestamp, record } from '../../openapi/schemas.ts';

const regionSchema = z.enum(fleetRegionNames);

export const bridgeSchema = record(
  'Bridge',
  "A session bridge: the process that holds the numbers' connections to the network.",
  {
    bridgeId: uuidSchema,
    name: z.string().nullable().describe('The name the operator gave it.'),
    region: regionSchema
      .nullable()
      .describe('The region whose numbers it serves; null: numbers without a region.'),
    state: z
      .enum(['linked', 'away', 'expired', 'revoked'])
      .describe(
        '`linked`: it is connected. `away`: it is not connected, and its numbers wait for it until `leasesUntil`. ' +
          '`expired`: other bridges have taken its numbers, as far as they have capacity. `revoked`: it was removed.',
      ),
    version: z
      .int()
      .nullable()
      .describe(
        'The version of the bridge protocol it speaks. A gateway accepts its own version and the previous one, so ' +
          'upgrade the gateway first, then its bridges. Null: it has not connected for a long time.',
      ),
    release: z.string().nullable().describe('The package version it last reported. Null: not reported.'),
    isDraining: z.boolean().describe('It accepts no more numbers, and gives up those it has.'),
    numbers: z.int().describe('Numbers it serves.'),
    capacity: z.int().describe('The most numbers it serves.'),
    residentBytes: z.int().nullable().describe('The last reported memory use of its process.'),
    enrolledAt: optionalTimestamp.describe('When it was enrolled.'),
    linkedAt: optionalTimestamp.describe('When it last connected.'),
    leasesUntil: timestampSchema
      .nullable()
      .describe('When its numbers move to other bridges; null while it is connected.'),
  },
);

export const bridgeListSchema = z
  .object({
    data: z.array(bridgeSchema),
    nextCursor: z.null(),
    waitingNumbers: z.int().describe('Numbers waiting for a bridge because none has capacity.'),
    regions: z
      .array(z.object({ region: regionSchema, linkedBridges: z.int(), waitingNumbers: z.int() }))
      .describe(
        'The regions that have their own bridges. Numbers of a region wait for a bridge of that region even if others ' +
          'have capacity; with `linkedBridges` 0 there is none.',
      ),
  })
  .register(answerSchemas, { id: 'BridgeList' });

export const enrolmentTokenSchema = z
  .object({
    token: z.string().describe('`BRIDGE_ENROLMENT_TOKEN` of the new bridge. Shown only once.'),
    name: z.string().nullable(),
    region: regionSchema.nullable(),
    expiresAt: timestampSchema,
  })
  .register(answerSchemas, { id: 'EnrolmentToken' });

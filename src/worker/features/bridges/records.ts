import { z } from 'zod';
import { fleetRegionNames } from '../../../contract/bridge/bridge-token.ts';
import { timestampSchema, uuidSchema } from '../../../contract/ids.ts';
import { answerSchemas, optionalTimestamp } from '../../openapi/schemas.ts';

const regionSchema = z.enum(fleetRegionNames);

export const bridgeSchema = z
  .object({
    bridgeId: uuidSchema,
    name: z.string().nullable().describe('What the operator called it.'),
    region: regionSchema.nullable().describe('Whose numbers it drives; null: of those that have no region.'),
    state: z
      .enum(['linked', 'away', 'expired', 'revoked'])
      .describe(
        '`linked`: it is there. `away`: nothing is heard of it, and its numbers wait for it until `leasesUntil`. ' +
          '`expired`: others have its numbers, as far as they have room. `revoked`: it is no bridge any more.',
      ),
    version: z
      .int()
      .nullable()
      .describe(
        'Version of the protocol between bridge and gateway that it speaks. A gateway takes its own version and the one ' +
          'before, so it is replaced first, and its bridges after it. Null: it has not linked for long.',
      ),
    release: z
      .string()
      .nullable()
      .describe('Of the package that it runs, as it said last. Null: it did not say.'),
    isDraining: z.boolean().describe('It takes no more numbers, and gives up those that it has.'),
    numbers: z.int().describe('Numbers that it drives.'),
    capacity: z.int().describe('Numbers that it drives at most.'),
    residentBytes: z.int().nullable().describe('Memory of its process, as it said last.'),
    enrolledAt: optionalTimestamp.describe('When it was let in.'),
    linkedAt: optionalTimestamp.describe('When it linked last.'),
    leasesUntil: timestampSchema
      .nullable()
      .describe('When its numbers go to others; null while it is linked.'),
  })
  .describe('A session bridge: the process that holds the connections of numbers to the network.')
  .register(answerSchemas, { id: 'Bridge' });

export const bridgeListSchema = z
  .object({
    data: z.array(bridgeSchema),
    nextCursor: z.null(),
    waitingNumbers: z
      .int()
      .describe('Numbers that want a bridge and have none: no bridge has room for them.'),
    regions: z
      .array(z.object({ region: regionSchema, linkedBridges: z.int(), waitingNumbers: z.int() }))
      .describe(
        'The regions that have bridges of their own. Numbers of a region wait for a bridge of that region, also where others ' +
          'have room: with `linkedBridges` 0 there is none.',
      ),
  })
  .register(answerSchemas, { id: 'BridgeList' });

export const enrolmentTokenSchema = z
  .object({
    token: z.string().describe('`BRIDGE_ENROLMENT_TOKEN` of the new bridge. It is not shown again.'),
    name: z.string().nullable(),
    region: regionSchema.nullable(),
    expiresAt: timestampSchema,
  })
  .register(answerSchemas, { id: 'EnrolmentToken' });

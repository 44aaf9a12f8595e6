import { z } from 'zod';
import {
  enrolmentSecondsDefault,
  enrolmentSecondsMax,
  fleetRegionNames,
} from '../../../contract/bridge/bridge-token.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';

/** What the operator says of a bridge that is to come. */
export const enrolmentBodySchema = z.strictObject({
  name: nameSchema.optional(),
  region: z.enum(fleetRegionNames).optional(),
  expiresInSeconds: z.int().min(60).max(enrolmentSecondsMax).default(enrolmentSecondsDefault),
});

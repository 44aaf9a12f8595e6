import { z } from 'zod';
import {
  hasTarget,
  noTargetProblem,
  slaPolicyFields,
  slaPolicySchema,
} from '../../../contract/support/sla-policy.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { definitionRoutes, foreignNumber } from './definition-operations.ts';
import type { slaPolicySchema as shownPolicySchema } from './records.ts';
import { slaPolicyDefinitions } from './rows/definitions.ts';

const fields = { ...slaPolicyFields, name: nameSchema };
const { firstResponseSeconds, nextResponseSeconds, resolutionSeconds } = fields;

export const slaPolicyRoutes = definitionRoutes({
  definitions: slaPolicyDefinitions,
  what: 'SLA policy',
  show: (policyId, definition, createdAt): z.infer<typeof shownPolicySchema> => ({
    policyId,
    ...definition,
    createdAt,
  }),
  createSchema: z
    .strictObject({
      ...fields,
      firstResponseSeconds: firstResponseSeconds.default(null),
      nextResponseSeconds: nextResponseSeconds.default(null),
      resolutionSeconds: resolutionSeconds.default(null),
      businessHoursOnly: fields.businessHoursOnly.default(false),
      numberIds: fields.numberIds.default('all'),
      labels: fields.labels.default([]),
    })
    .refine(hasTarget, noTargetProblem),
  changesSchema: z.strictObject(fields).partial(),
  wholeSchema: slaPolicySchema,
  most: 100,
  problemOf: foreignNumber,
});

import { z } from 'zod';
import { businessHoursFields, businessHoursSchema } from '../../../contract/support/business-hours.ts';
import { nameSchema } from '../../http/request/shared-fields.ts';
import { definitionRoutes, foreignNumber } from './definition-operations.ts';
import type { businessHoursSchema as shownHoursSchema } from './records.ts';
import { businessHoursDefinitions } from './rows/definitions.ts';

const { holidays, numberIds, ...required } = { ...businessHoursFields, name: nameSchema };

export const businessHoursRoutes = definitionRoutes({
  definitions: businessHoursDefinitions,
  what: 'set of business hours',
  show: (businessHoursId, definition, createdAt): z.infer<typeof shownHoursSchema> => ({
    businessHoursId,
    ...definition,
    createdAt,
  }),
  createSchema: z.strictObject({
    ...required,
    holidays: holidays.default([]),
    numberIds: numberIds.default('all'),
  }),
  changesSchema: z.strictObject({ ...required, holidays, numberIds }).partial(),
  wholeSchema: businessHoursSchema,
  most: 50,
  problemOf: foreignNumber,
});

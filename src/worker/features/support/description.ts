import { z } from 'zod';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import {
  businessHoursListSchema,
  businessHoursSchema,
  slaPolicyListSchema,
  slaPolicySchema,
  supportReportSchema,
} from './records.ts';

const office = {
  name: 'Office',
  timeZone: 'Asia/Jakarta',
  spans: [
    { day: 'monday', from: '09:00', to: '12:00' },
    { day: 'monday', from: '13:00', to: '17:00' },
    { day: 'friday', from: '22:00', to: '02:00' },
  ],
  holidays: [{ date: '2026-12-25', name: 'Christmas' }],
  numberIds: 'all',
};
const hours = {
  businessHoursId: example.businessHoursId,
  ...office,
  createdAt: '2026-01-31T09:00:00.000Z',
};
const hoursFields = {
  name: 'Your name for them: 1 to 100 characters.',
  timeZone: 'The IANA time zone of the hours and holidays.',
  spans:
    'When your team works: at least one interval, without overlaps. A day may have several, past midnight if `to` is ' +
    'not after `from`.',
  holidays: 'Dates on which nobody works, from midnight to midnight; none by default.',
  numberIds:
    'The IDs of the numbers they apply to, or "all". Hours that name a number take precedence over those for all; of ' +
    'two, the older ones apply.',
};

const standard = {
  name: 'Standard',
  firstResponseSeconds: 3600,
  nextResponseSeconds: 7200,
  resolutionSeconds: null,
  businessHoursOnly: true,
  numberIds: 'all',
  labels: [],
};
const policy = { policyId: example.policyId, ...standard, createdAt: '2026-01-31T09:00:00.000Z' };
const policyFields = {
  name: 'Your name for it: 1 to 100 characters.',
  firstResponseSeconds:
    'Until the first reply by a person, at most 90 days. At least one of the three targets is required.',
  nextResponseSeconds: 'Until the reply to each later message.',
  resolutionSeconds: 'Until the conversation is resolved.',
  businessHoursOnly:
    "Whether only time within the business hours of the conversation's number counts. If the number has none, all " +
    'time counts.',
  numberIds: 'The IDs of the numbers whose conversations it applies to, or "all".',
  labels: 'Only conversations with one of these labels; empty or omitted for all.',
};
const precedence =
  'A conversation has one policy: a policy that names one of its labels takes precedence, then one that names its ' +
  'number, then the oldest.';

const figures = {
  opened: 12,
  resolved: 10,
  firstResponse: { count: 11, medianSeconds: 240, p90Seconds: 1900 },
  resolution: { count: 10, medianSeconds: 5400, p90Seconds: 26_000 },
  missed: { firstResponse: 1, nextResponse: 0, resolution: 0 },
  ratings: { count: 4, average: 4.5 },
};
const report = {
  since: '2026-01-01T00:00:00.000Z',
  until: '2026-01-31T00:00:00.000Z',
  by: 'number',
  total: figures,
  groups: [{ key: example.numberId, name: 'Sales', ...figures }],
  isComplete: true,
};

export const supportOperations = chapter('Support', [
  {
    id: 'createBusinessHours',
    route: 'POST /v1/business-hours',
    summary: 'Add business hours',
    description: 'When your team works, for some numbers or for all. Due times are recalculated.',
    fields: hoursFields,
    examples: { office: { summary: 'Two intervals on Monday, one past midnight, a holiday', value: office } },
    answers: [answer(201, 'The new business hours.', businessHoursSchema, hours)],
    errors: ['CONFLICT'],
  },
  {
    id: 'listBusinessHours',
    route: 'GET /v1/business-hours',
    summary: 'List business hours',
    description: 'All sets of business hours, newest first.',
    answers: [pageAnswer('A page of business hours.', businessHoursListSchema, [hours])],
  },
  {
    id: 'getBusinessHours',
    route: 'GET /v1/business-hours/:id',
    summary: 'Get business hours',
    description: 'One set of business hours.',
    answers: [answer(200, 'The business hours.', businessHoursSchema, hours, ['ETag'])],
  },
  {
    id: 'updateBusinessHours',
    route: 'PATCH /v1/business-hours/:id',
    summary: 'Change business hours',
    description:
      'Changes the fields you send; a list replaces the previous one. Due times are recalculated; a target whose due ' +
      'time moved into the future counts as not missed.',
    fields: hoursFields,
    examples: {
      holiday: {
        summary: 'Add a holiday',
        value: { holidays: [...office.holidays, { date: '2027-01-01', name: 'New Year' }] },
      },
    },
    answers: [answer(200, 'The business hours as they are now.', businessHoursSchema, hours, ['ETag'])],
    requestHeaders: ['If-Match'],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteBusinessHours',
    route: 'DELETE /v1/business-hours/:id',
    summary: 'Delete business hours',
    description: 'Numbers without business hours count as always open.',
    answers: [{ status: 204, description: 'The business hours are deleted.' }],
  },
  {
    id: 'createSlaPolicy',
    route: 'POST /v1/sla-policies',
    summary: 'Add an SLA policy',
    description: `How fast people must get a reply, from now on. ${precedence} Group chats have none.`,
    fields: policyFields,
    examples: {
      standard: { summary: 'One hour, within business hours', value: standard },
      vip: {
        summary: 'Ten minutes for some',
        value: { name: 'VIP', firstResponseSeconds: 600, nextResponseSeconds: 600, labels: ['vip'] },
      },
    },
    answers: [answer(201, 'The new policy.', slaPolicySchema, policy)],
    errors: ['CONFLICT'],
  },
  {
    id: 'listSlaPolicies',
    route: 'GET /v1/sla-policies',
    summary: 'List SLA policies',
    description: `The SLA policies of the account, newest first. ${precedence}`,
    answers: [pageAnswer('A page of policies.', slaPolicyListSchema, [policy])],
  },
  {
    id: 'getSlaPolicy',
    route: 'GET /v1/sla-policies/:id',
    summary: 'Get an SLA policy',
    description: 'One SLA policy.',
    answers: [answer(200, 'The policy.', slaPolicySchema, policy, ['ETag'])],
  },
  {
    id: 'updateSlaPolicy',
    route: 'PATCH /v1/sla-policies/:id',
    summary: 'Change an SLA policy',
    description:
      'Changes the fields you send. Due times are recalculated; a target whose due time moved into the future counts ' +
      'as not missed.',
    fields: policyFields,
    examples: { slower: { summary: 'Two hours', value: { firstResponseSeconds: 7200 } } },
    answers: [answer(200, 'The policy as it is now.', slaPolicySchema, policy, ['ETag'])],
    requestHeaders: ['If-Match'],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteSlaPolicy',
    route: 'DELETE /v1/sla-policies/:id',
    summary: 'Delete an SLA policy',
    description: 'It has no due times any more. Missed targets stay in the report.',
    answers: [{ status: 204, description: 'The policy is deleted.' }],
  },
  {
    id: 'getSupportReport',
    route: 'GET /v1/reports/support',
    summary: 'Get the support report',
    description:
      'Figures about the conversations opened in a period, 366 days at most. They are collected once there is an SLA ' +
      'policy, a survey, or the setting `support.reports`, and kept for 400 days. With `Accept: text/csv`, a table.',
    parameters: {
      since: 'Start of the period; 30 days before `until` by default.',
      until: 'End of the period; now by default.',
      by: 'The grouping; by day if omitted.',
    },
    parameterExamples: {
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-31T00:00:00.000Z',
      by: 'number',
    },
    answers: [
      {
        status: 200,
        description: 'The report.',
        schema: supportReportSchema,
        example: report,
        media: {
          'text/csv': {
            schema: z.string(),
            example: 'number,name,opened,resolved\r\n019ab0d4-1b2c-7d3e-8f40-5a6b7c8d9e0f,Sales,12,10\r\n',
          },
        },
      },
    ],
  },
]);

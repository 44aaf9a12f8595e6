import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import {
  contactAttributeListSchema,
  contactAttributeSchema,
  contactLabelListSchema,
  segmentListSchema,
  segmentSchema,
} from '../records.ts';

const segment = {
  segmentId: example.segmentId,
  name: 'Jakarta, recently active',
  filter: {
    seenWithinDays: 30,
    attributes: [{ name: 'city', operator: 'equals', value: 'Jakarta' }],
  },
  createdAt: '2026-01-31T09:30:00.123Z',
  updatedAt: '2026-01-31T09:30:00.123Z',
} as const;

const segmentFields = {
  name: 'With its own operators.',
  filter: 'The filter: all conditions must match. Contacts who opted out are included, but get no messages.',
  'filter.q': 'Beginnings of words in the name, or of the phone number.',
  'filter.labels': 'All of these.',
  'filter.countries': 'One of these: two letters each, by the phone number.',
  'filter.seenWithinDays': 'They wrote to one of your numbers within this many days.',
  'filter.notSeenForDays': 'They have not written for this many days.',
  'filter.hasWritten': 'Whether they have ever written.',
  'filter.attributes': 'Conditions on their attributes.',
  'filter.attributes.name': 'The attribute.',
  'filter.attributes.operator': 'Text is compared without case; dates chronologically.',
  'filter.attributes.value': 'Required by all operators but `exists` and `missing`.',
};

export const segmentOperations = chapter('Contacts', [
  {
    id: 'listSegments',
    route: 'GET /v1/segments',
    summary: 'List segments',
    description: 'Saved filters of contacts, newest first. A campaign can be sent to one.',
    answers: [pageAnswer('A page of segments.', segmentListSchema, [segment])],
  },
  {
    id: 'createSegment',
    route: 'POST /v1/segments',
    summary: 'Create a segment',
    description: 'Saves a filter under a name. An account can have at most 200.',
    fields: segmentFields,
    examples: { city: { summary: 'One city', value: { name: segment.name, filter: segment.filter } } },
    answers: [answer(201, 'The segment.', segmentSchema, segment)],
    errors: ['CONFLICT'],
  },
  {
    id: 'getSegment',
    route: 'GET /v1/segments/:id',
    summary: 'Get a segment',
    description: 'One segment. `GET /v1/contacts?segmentId=` lists its members.',
    answers: [answer(200, 'The segment.', segmentSchema, segment)],
  },
  {
    id: 'updateSegment',
    route: 'PATCH /v1/segments/:id',
    summary: 'Change a segment',
    description: 'Changes the fields you send. A filter you send replaces the previous one.',
    fields: segmentFields,
    examples: { rename: { summary: 'Rename it', value: { name: 'Jakarta' } } },
    answers: [answer(200, 'The segment as it is now.', segmentSchema, segment)],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteSegment',
    route: 'DELETE /v1/segments/:id',
    summary: 'Delete a segment',
    description: 'Its contacts stay.',
    answers: [{ status: 204, description: 'The segment is deleted.' }],
  },
  {
    id: 'listContactLabels',
    route: 'GET /v1/contact-labels',
    summary: 'List contact labels',
    description:
      'The labels that contacts have, by name: the possible values of `label` in `GET /v1/contacts`.',
    answers: [
      pageAnswer('All of them, at most 500.', contactLabelListSchema, [
        { label: 'vip' },
        { label: 'wholesale' },
      ]),
    ],
  },
  {
    id: 'listContactAttributes',
    route: 'GET /v1/contact-attributes',
    summary: 'List attributes',
    description:
      'The attributes that contacts may have, by name. An undeclared attribute has the type of its first value.',
    answers: [
      pageAnswer('All of them, at most 200.', contactAttributeListSchema, [
        { name: 'city', type: 'text', declared: false },
      ]),
    ],
  },
  {
    id: 'declareContactAttribute',
    route: 'PUT /v1/contact-attributes/:name',
    summary: 'Declare an attribute',
    description:
      'Sets the type of its values. From then on, other values are rejected; existing values of contacts stay as they ' +
      'are.',
    fields: { type: 'A date is a day (2026-01-31) or a time, as text.' },
    examples: { number: { summary: 'A number', value: { type: 'number' } } },
    answers: [
      answer(200, 'The attribute.', contactAttributeSchema, {
        name: 'orders',
        type: 'number',
        declared: true,
      }),
    ],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteContactAttribute',
    route: 'DELETE /v1/contact-attributes/:name',
    summary: "Remove an attribute's type",
    description: 'Its type is open again. The values of contacts stay.',
    answers: [{ status: 204, description: 'The declaration is deleted.' }],
    errors: ['CONFLICT'],
  },
]);

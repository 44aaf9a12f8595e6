import { exampleSegmentId } from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import {
  contactAttributeListSchema,
  contactAttributeSchema,
  contactLabelListSchema,
  segmentListSchema,
  segmentSchema,
} from '../records.ts';

const common = { tag: 'Contacts' } as const;

const segment = {
  segmentId: exampleSegmentId,
  name: 'Jakarta, lately',
  filter: {
    seenWithinDays: 30,
    attributes: [{ name: 'city', operator: 'equals', value: 'Jakarta' }],
  },
  createdAt: '2026-01-31T09:30:00.123Z',
  updatedAt: '2026-01-31T09:30:00.123Z',
} as const;

const segmentFields = {
  name: 'One of its own.',
  filter: 'Whom it means: all of it must hold. Who has opted out is in it, and is written to by nobody.',
  'filter.q': 'Beginnings of words in their names, or of the phone number.',
  'filter.labels': 'All of them.',
  'filter.countries': 'One of them: two letters each, as the phone number tells.',
  'filter.seenWithinDays': 'They wrote to one of your numbers within so many days.',
  'filter.notSeenForDays': 'They have not, for so many days.',
  'filter.hasWritten': 'Whether they have ever written.',
  'filter.attributes': 'What must hold of their attributes.',
  'filter.attributes.name': 'The attribute.',
  'filter.attributes.operator': 'Texts are compared without case; dates as they sort.',
  'filter.attributes.value': 'Needed by all operators but `exists` and `missing`.',
};

export const segmentOperations: Operation[] = [
  {
    ...common,
    id: 'listSegments',
    method: 'get',
    path: '/v1/segments',
    summary: 'List segments',
    description: 'Filters of contacts that have a name, newest first. A campaign may be sent to one.',
    answers: [
      {
        status: 200,
        description: 'A page of segments.',
        schema: segmentListSchema,
        example: { data: [segment], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'createSegment',
    method: 'post',
    path: '/v1/segments',
    summary: 'Save a segment',
    description: 'Gives a filter a name. An account has at most 200.',
    fields: segmentFields,
    examples: { city: { summary: 'Of a city', value: { name: segment.name, filter: segment.filter } } },
    answers: [{ status: 201, description: 'The segment.', schema: segmentSchema, example: segment }],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'getSegment',
    method: 'get',
    path: '/v1/segments/:id',
    summary: 'Get a segment',
    description: 'One segment. `GET /v1/contacts?segmentId=` lists who is in it.',
    answers: [{ status: 200, description: 'The segment.', schema: segmentSchema, example: segment }],
  },
  {
    ...common,
    id: 'updateSegment',
    method: 'patch',
    path: '/v1/segments/:id',
    summary: 'Change a segment',
    description: 'Changes what is sent. A filter that is sent replaces the one before.',
    fields: segmentFields,
    examples: { rename: { summary: 'Rename it', value: { name: 'Jakarta' } } },
    answers: [
      { status: 200, description: 'The segment as it is now.', schema: segmentSchema, example: segment },
    ],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'deleteSegment',
    method: 'delete',
    path: '/v1/segments/:id',
    summary: 'Delete a segment',
    description: 'Its contacts stay.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
  {
    ...common,
    id: 'listContactLabels',
    method: 'get',
    path: '/v1/contact-labels',
    summary: 'List labels of contacts',
    description: 'The labels that contacts have, by name: those that `label` of `GET /v1/contacts` may be.',
    answers: [
      {
        status: 200,
        description: 'All of them, at most 500.',
        schema: contactLabelListSchema,
        example: { data: [{ label: 'vip' }, { label: 'wholesale' }], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'listContactAttributes',
    method: 'get',
    path: '/v1/contact-attributes',
    summary: 'List attributes',
    description:
      'The attributes that contacts may have, by name. One that nobody has declared is of the type of its first value.',
    answers: [
      {
        status: 200,
        description: 'All of them, at most 200.',
        schema: contactAttributeListSchema,
        example: { data: [{ name: 'city', type: 'text', declared: false }], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'declareContactAttribute',
    method: 'put',
    path: '/v1/contact-attributes/:name',
    summary: 'Declare an attribute',
    description:
      'Says of which type its values are. From then on a value that does not fit is refused; those that contacts have ' +
      'already stay as they are.',
    fields: { type: 'A date is a day (2026-01-31) or a time, as text.' },
    examples: { number: { summary: 'A number', value: { type: 'number' } } },
    answers: [
      {
        status: 200,
        description: 'The attribute.',
        schema: contactAttributeSchema,
        example: { name: 'orders', type: 'number', declared: true },
      },
    ],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'deleteContactAttribute',
    method: 'delete',
    path: '/v1/contact-attributes/:name',
    summary: 'Forget an attribute',
    description: 'Its type is open again. The values of contacts stay.',
    answers: [{ status: 204, description: 'It is gone.' }],
    errors: ['CONFLICT'],
  },
];

import { z } from 'zod';
import {
  exampleContactId,
  exampleErasureId,
  exampleMergeId,
  exampleRecipient,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import {
  contactErasureSchema,
  contactListSchema,
  contactMergeListSchema,
  contactMergeSchema,
  contactPairSchema,
  contactSchema,
} from './records.ts';

export const exampleContact = {
  contactId: exampleContactId,
  phoneNumber: exampleRecipient,
  lid: '100000000000017',
  name: 'Budi Santoso',
  pushName: 'Budi',
  labels: ['wholesale'],
  attributes: { city: 'Jakarta' },
  timeZone: 'Asia/Jakarta',
  country: 'ID',
  consent: { source: 'sign-up form', at: '2026-01-31T09:30:00.000Z' },
  optedOutAt: null,
  firstSeenAt: '2026-01-31T09:30:05.000Z',
  lastInboundAt: '2026-01-31T09:30:05.000Z',
};
const exampleErasure = {
  erasureId: exampleErasureId,
  status: 'finished',
  erased: {
    messages: 12,
    files: 1,
    events: 40,
    archived: 3,
    conversations: 1,
    notes: 2,
    campaignRecipients: 0,
  },
  remains: ['opt_out', 'sent_files'],
  createdAt: '2026-01-31T09:30:00.123Z',
  finishedAt: '2026-01-31T09:30:02.456Z',
};
const common = { tag: 'Contacts' } as const;

/** What a list of contacts may be narrowed by. */
const filterParameters = {
  q: 'Beginnings of words in their names, or of the phone number: all of them must fit.',
  label: 'Only those with this label.',
  country: 'Only those of this country (two letters), as their phone number tells.',
  seenWithinDays: 'Only those who wrote to one of your numbers within so many days.',
  notSeenForDays: 'Only those who have not, for so many days.',
  hasWritten: 'Only those who have ever written, or only those who have not.',
  optedOut: 'Only those who have opted out, the last one first; or only those who have not.',
  attributes:
    'Conditions on attributes, as JSON: `[{"name": "city", "operator": "equals", "value": "Jakarta"}]`. Operators: ' +
    '`equals`, `not_equals`, `contains`, `less`, `greater`, `exists`, `missing`.',
  segmentId: 'Only those of this segment; what else is asked for must hold too.',
};

const fields = {
  name: 'As you call them; null: as the address book does.',
  labels: 'At most 50, of 1 to 50 characters each.',
  attributes:
    'Your own fields, at most 50: names of letters, digits and underscores; texts, numbers, yes or no. A value must be of ' +
    "its attribute's type.",
  timeZone: 'Where they live: `Asia/Jakarta`. Campaigns keep to its hours.',
  consentSource: 'How you know that they agree to be written to; null: you do not.',
};

export const contactOperations: Operation[] = [
  {
    ...common,
    id: 'listContacts',
    method: 'get',
    path: '/v1/contacts',
    summary: 'List contacts',
    description:
      "Whoever has written to one of your numbers, whoever stands in the address book of a number's phone, and whom you " +
      'have added, newest first.\n\n' +
      'An answer looks at a bounded number of contacts: with a filter that few fit, a page may be short, also empty, and ' +
      'have a `nextCursor` all the same. Only `nextCursor: null` is the end.',
    parameters: filterParameters,
    answers: [
      {
        status: 200,
        description: 'A page of contacts.',
        schema: contactListSchema,
        example: { data: [exampleContact], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'createContact',
    method: 'post',
    path: '/v1/contacts',
    summary: 'Add a contact',
    description: 'Somebody whom you know. Many at once are an import.',
    fields: {
      phoneNumber: 'With country code, in any usual writing. There is one contact for each.',
      ...fields,
    },
    examples: {
      named: {
        summary: 'With a name',
        value: { phoneNumber: '+49 1512 3456789', name: 'Anna', consentSource: 'trade fair' },
      },
    },
    answers: [{ status: 201, description: 'The contact.', schema: contactSchema, example: exampleContact }],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'exportContacts',
    method: 'get',
    path: '/v1/contacts/export',
    summary: 'Export contacts',
    description:
      'All contacts that the filter means, as CSV in UTF-8, in a form that the import takes. It comes as it is read, ' +
      'however many there are. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
    parameters: filterParameters,
    answers: [
      {
        status: 200,
        description: 'The file.',
        media: { 'text/csv': { schema: z.string(), example: 'phoneNumber,name,labels\r\n' } },
      },
    ],
    errors: ['NOT_FOUND'],
  },
  {
    ...common,
    id: 'getContact',
    method: 'get',
    path: '/v1/contacts/:id',
    summary: 'Get a contact',
    description: 'One contact.',
    answers: [{ status: 200, description: 'The contact.', schema: contactSchema, example: exampleContact }],
  },
  {
    ...common,
    id: 'updateContact',
    method: 'patch',
    path: '/v1/contacts/:id',
    summary: 'Change a contact',
    description:
      'Changes the fields that are sent. Labels and attributes that are sent replace those before.',
    fields,
    examples: { label: { summary: 'Label them', value: { labels: ['wholesale'] } } },
    answers: [
      {
        status: 200,
        description: 'The contact as it is now.',
        schema: contactSchema,
        example: exampleContact,
      },
    ],
  },
  {
    ...common,
    id: 'deleteContact',
    method: 'delete',
    path: '/v1/contacts/:id',
    summary: 'Delete a contact, or erase a person',
    description:
      'What is known of them goes, an opt-out and their messages stay. When they write again, they are a contact again.\n\n' +
      'With `erase=true` they are erased everywhere: messages with them keep when they were and how far they came, and ' +
      'nothing else; so do events, also in the archive; files that they sent and conversations go. That takes a while: the ' +
      'answer is 202, and `GET /v1/contacts/erasures/:id` says what was erased. Owners and admins only, no API key.',
    parameters: { erase: '`true`: erase them everywhere.' },
    answers: [
      { status: 204, description: 'It is gone.' },
      {
        status: 202,
        description: 'They are a contact no more, and the rest follows.',
        schema: contactErasureSchema,
        example: { ...exampleErasure, status: 'running', finishedAt: null },
      },
    ],
  },
  {
    tag: 'Contacts',
    id: 'getContactErasure',
    method: 'get',
    path: '/v1/contacts/erasures/:id',
    summary: 'Get an erasure',
    description: 'What was erased of somebody so far, and what remains.',
    answers: [
      { status: 200, description: 'The erasure.', schema: contactErasureSchema, example: exampleErasure },
    ],
  },
  {
    ...common,
    id: 'listContactMerges',
    method: 'get',
    path: '/v1/contacts/merges',
    summary: 'List merges',
    description:
      'Contacts that were made one within the last 30 days and were not parted since, newest first.',
    parameters: { contactId: 'Only those of which this contact came.' },
    answers: [
      {
        status: 200,
        description: 'The merges.',
        schema: contactMergeListSchema,
        example: {
          data: [
            {
              mergeId: exampleMergeId,
              contactId: exampleContactId,
              other: {
                contactId: exampleErasureId,
                name: null,
                pushName: 'Budi',
                phoneNumber: null,
                lid: '100000000000017',
              },
              mergedAt: '2026-01-31T09:30:00.000Z',
              undoUntil: '2026-03-02T09:30:00.000Z',
              canUndo: true,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    ...common,
    id: 'mergeContacts',
    method: 'post',
    path: '/v1/contacts/merges',
    summary: 'Make two contacts one',
    description:
      'For a phone number and an alias at the network that are one person. Usually the network tells, and it is done by ' +
      'itself. The other contact becomes a part of the first; where both say something, the first is right. Two that have a ' +
      'phone number each stay two.',
    fields: {
      contactId: 'The one that stays.',
      otherContactId: 'The other one. It is gone afterwards.',
    },
    examples: {
      two: {
        summary: 'Two that are one',
        value: { contactId: exampleContactId, otherContactId: exampleMergeId },
      },
    },
    answers: [
      {
        status: 201,
        description: 'The contact as it is now, and what undoes it.',
        schema: contactMergeSchema,
        example: { mergeId: exampleMergeId, contact: exampleContact },
      },
    ],
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  {
    ...common,
    id: 'unmergeContacts',
    method: 'delete',
    path: '/v1/contacts/merges/:id',
    summary: 'Undo a merge',
    description:
      'Both contacts are there again, as they were, but for what was changed since. Within 30 days.',
    answers: [
      {
        status: 200,
        description: 'Both contacts.',
        schema: contactPairSchema,
        example: { data: [exampleContact] },
      },
    ],
    errors: ['CONFLICT'],
  },
];

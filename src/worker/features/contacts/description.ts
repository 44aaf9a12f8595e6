import { z } from 'zod';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import {
  contactErasureSchema,
  contactListSchema,
  contactMergeListSchema,
  contactMergeSchema,
  contactPairSchema,
  contactSchema,
} from './records.ts';

export const exampleContact = {
  contactId: example.contactId,
  phoneNumber: example.recipient,
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
  erasureId: example.erasureId,
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

/** What a list of contacts may be narrowed by. */
const filterParameters = {
  q: 'Beginnings of words in the name, or of the phone number: all must match. Or exactly the alias.',
  label: 'Only contacts with this label.',
  country: 'Only contacts from this country (two letters), by their phone number.',
  seenWithinDays: 'Only contacts who wrote to one of your numbers within this many days.',
  notSeenForDays: 'Only contacts who have not written for this many days.',
  hasWritten: 'Only contacts who have ever written, or only those who have not.',
  optedOut: 'Only contacts who have opted out, the most recent first; or only those who have not.',
  attributes:
    'Conditions on attributes, as JSON: `[{"name": "city", "operator": "equals", "value": "Jakarta"}]`. Operators: ' +
    '`equals`, `not_equals`, `contains`, `less`, `greater`, `exists`, `missing`.',
  segmentId: 'Only contacts in this segment; other filters apply too.',
};

const fields = {
  name: 'Your name for the contact; null: the name in the address book.',
  labels: 'At most 50, of 1 to 50 characters each.',
  attributes:
    'Your own fields, at most 50: names of letters, digits and underscores; values are text, numbers or booleans. A ' +
    'value must have the type of its attribute.',
  timeZone: 'Their time zone: `Asia/Jakarta`. Campaigns keep to its hours.',
  consentSource: 'How you obtained their consent to be messaged; null: unknown.',
};

export const contactOperations = chapter('Contacts', [
  {
    id: 'listContacts',
    route: 'GET /v1/contacts',
    summary: 'List contacts',
    description:
      "Everyone who has written to one of your numbers, is in the address book of a number's phone, or was added by " +
      'you, newest first.\n\nEach request examines a limited number of contacts: with a filter that few match, a page ' +
      'may be short or empty and still have a `nextCursor`. Only `nextCursor: null` is the end.',
    parameters: filterParameters,
    answers: [pageAnswer('A page of contacts.', contactListSchema, [exampleContact])],
    errors: ['NOT_FOUND'],
  },
  {
    id: 'createContact',
    route: 'POST /v1/contacts',
    summary: 'Add a contact',
    description: 'Adds one contact. To add many at once, import them.',
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
    answers: [answer(201, 'The contact.', contactSchema, exampleContact)],
    errors: ['CONFLICT'],
  },
  {
    id: 'exportContacts',
    route: 'GET /v1/contacts/export',
    summary: 'Export contacts',
    description:
      'All matching contacts as CSV in UTF-8, in a format that the import accepts. It is streamed, whatever its size. ' +
      'Cells that a spreadsheet would treat as a formula begin with an apostrophe.',
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
    id: 'getContact',
    route: 'GET /v1/contacts/:id',
    summary: 'Get a contact',
    description: 'One contact.',
    answers: [answer(200, 'The contact.', contactSchema, exampleContact)],
  },
  {
    id: 'updateContact',
    route: 'PATCH /v1/contacts/:id',
    summary: 'Change a contact',
    description: 'Changes the fields you send. Labels and attributes you send replace the previous ones.',
    fields,
    examples: { label: { summary: 'Add labels', value: { labels: ['wholesale'] } } },
    answers: [answer(200, 'The contact as it is now.', contactSchema, exampleContact)],
  },
  {
    id: 'deleteContact',
    route: 'DELETE /v1/contacts/:id',
    summary: 'Delete a contact, or erase a person',
    description:
      'Deletes what is known about the contact; an opt-out and their messages stay. If they write again, they become a ' +
      'contact again.\n\nWith `erase=true` they are erased everywhere: their messages keep only times and status; events ' +
      'lose their content too, also in the archive; files they sent and their conversations are deleted. This takes a ' +
      'while: the response is 202, and `GET /v1/contacts/erasures/:id` reports the progress. Owners and admins only, ' +
      'not with an API key.',
    parameters: { erase: '`true`: erase them everywhere.' },
    answers: [
      { status: 204, description: 'The contact is deleted.' },
      answer(202, 'The contact is deleted; the rest follows.', contactErasureSchema, {
        ...exampleErasure,
        status: 'running',
        finishedAt: null,
      }),
    ],
  },
  {
    id: 'getContactErasure',
    route: 'GET /v1/contacts/erasures/:id',
    summary: 'Get an erasure',
    description: 'What was erased so far, and what remains.',
    answers: [answer(200, 'The erasure.', contactErasureSchema, exampleErasure)],
  },
  {
    id: 'listContactMerges',
    route: 'GET /v1/contacts/merges',
    summary: 'List merges',
    description: 'Contacts that were merged within the last 30 days and not separated since, newest first.',
    parameters: { contactId: 'Only the merges that led to this contact.' },
    answers: [
      pageAnswer('The merges.', contactMergeListSchema, [
        {
          mergeId: example.mergeId,
          contactId: example.contactId,
          other: {
            contactId: example.erasureId,
            name: null,
            pushName: 'Budi',
            phoneNumber: null,
            lid: '100000000000017',
          },
          mergedAt: '2026-01-31T09:30:00.000Z',
          undoUntil: '2026-03-02T09:30:00.000Z',
          canUndo: true,
        },
      ]),
    ],
  },
  {
    id: 'mergeContacts',
    route: 'POST /v1/contacts/merges',
    summary: 'Merge two contacts',
    description:
      'For a phone number and an alias that belong to one person. The network usually tells, and the merge happens ' +
      "automatically. The other contact becomes part of the first; if both have a value, the first one's is kept. Two " +
      'contacts that each have a phone number cannot be merged.',
    fields: {
      contactId: 'The contact to keep.',
      otherContactId: 'The other contact, which becomes part of the first. Its ID then means the first.',
    },
    examples: {
      two: {
        summary: 'Two contacts of one person',
        value: { contactId: example.contactId, otherContactId: example.mergeId },
      },
    },
    answers: [
      answer(201, 'The merged contact, and the ID to undo the merge.', contactMergeSchema, {
        mergeId: example.mergeId,
        contact: exampleContact,
      }),
    ],
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  {
    id: 'unmergeContacts',
    route: 'DELETE /v1/contacts/merges/:id',
    summary: 'Undo a merge',
    description: 'Restores both contacts as they were, except for later changes. Within 30 days.',
    answers: [answer(200, 'Both contacts.', contactPairSchema, { data: [exampleContact] })],
    errors: ['CONFLICT'],
  },
]);

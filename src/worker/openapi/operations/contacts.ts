import { exampleContactId, exampleRecipient } from '../examples/example-values.ts';
import type { Operation } from '../operation.ts';
import { contactListSchema, contactSchema } from '../schemas/contact.ts';

const contact = {
  contactId: exampleContactId,
  phoneNumber: exampleRecipient,
  lid: '100000000000017',
  name: 'Budi Santoso',
  pushName: 'Budi',
  labels: ['wholesale'],
  attributes: { city: 'Jakarta' },
  optedOutAt: null,
  firstSeenAt: '2026-01-31T09:30:05.000Z',
  lastInboundAt: '2026-01-31T09:30:05.000Z',
};
const common = { tag: 'Contacts', credential: 'reader', scope: 'contacts' } as const;

export const contactOperations: Operation[] = [
  {
    ...common,
    id: 'listContacts',
    method: 'get',
    path: '/v1/contacts',
    summary: 'List contacts',
    description:
      "Whoever has written to one of your numbers, and whoever stands in the address book of a number's phone, newest first.",
    parameters: {
      q: 'Beginnings of words in their names, or of the phone number: all of them must fit.',
      label: 'Only those with this label.',
    },
    answers: [
      {
        status: 200,
        description: 'A page of contacts.',
        schema: contactListSchema,
        example: { data: [contact], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'getContact',
    method: 'get',
    path: '/v1/contacts/:id',
    summary: 'Get a contact',
    description: 'One contact.',
    answers: [{ status: 200, description: 'The contact.', schema: contactSchema, example: contact }],
  },
  {
    ...common,
    id: 'updateContact',
    method: 'patch',
    path: '/v1/contacts/:id',
    summary: 'Change a contact',
    description:
      'Changes the fields that are sent. Labels and attributes that are sent replace those before.',
    fields: {
      name: 'As you call them; null: as the address book does.',
      labels: 'At most 50, of 1 to 50 characters each.',
      attributes:
        'Your own fields, at most 50: names of letters, digits and underscores; texts, numbers, yes or no.',
    },
    examples: { label: { summary: 'Label them', value: { labels: ['wholesale'] } } },
    answers: [
      { status: 200, description: 'The contact as it is now.', schema: contactSchema, example: contact },
    ],
  },
  {
    ...common,
    id: 'deleteContact',
    method: 'delete',
    path: '/v1/contacts/:id',
    summary: 'Delete a contact',
    description:
      'What is known of them goes, an opt-out stays. When they write again, they are a contact again.',
    answers: [{ status: 204, description: 'It is gone.' }],
  },
];

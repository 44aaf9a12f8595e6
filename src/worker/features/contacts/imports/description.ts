import { z } from 'zod';
import { exampleImportId } from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import { contactImportListSchema, contactImportSchema } from '../records.ts';
import { importBody } from './import-request.ts';

const common = { tag: 'Contacts' } as const;

const finished = {
  importId: exampleImportId,
  status: 'finished',
  created: 2,
  updated: 1,
  refusedCount: 1,
  refused: [
    {
      row: 4,
      error: {
        code: 'RECIPIENT_INVALID',
        message: 'Not a phone number with country code.',
        details: [{ path: 'phoneNumber', message: 'Not a phone number with country code.' }],
      },
    },
  ],
  rows: 4,
  progress: 1,
  consentSource: 'sign-up form',
  labels: ['wholesale'],
  fileName: 'customers.csv',
  defaultCountry: 'ID',
  mapping: { Phone: 'phoneNumber', City: 'attributes.city' },
  problem: null,
  createdAt: '2026-01-31T09:30:00.123Z',
  finishedAt: '2026-01-31T09:30:01.456Z',
};
const file = z.string().meta({ format: 'binary' });

export const contactImportOperations: Operation[] = [
  {
    ...common,
    id: 'importContacts',
    method: 'post',
    path: '/v1/contacts/import',
    summary: 'Import contacts',
    description:
      'At most 1,000 contacts as JSON, or a CSV file of up to 100 MiB: as the body, with its parameters in the query, or as ' +
      'the field `file` of a form, behind its other fields.\n\n' +
      'Whoever is known by the phone number is completed: the name, time zone and attributes that come are taken, labels are ' +
      'added, and nothing is taken away. An opt-out is never undone. What is wrong with one row refuses that row, and the ' +
      'rest goes in.\n\n' +
      'A file may be in UTF-8 or as spreadsheets on Windows write it, with commas, semicolons, tabs or bars between the ' +
      'cells; its first line names the columns. It is read row by row behind the answer: 202 with `running`, until ' +
      '`GET /v1/contacts/imports/:id` says otherwise. One that is in within seconds is answered with 200.\n\n' +
      'Choose an `importId` to be able to repeat a call whose answer was lost: one that is known is answered as it is, and ' +
      'nothing is taken twice.',
    parameters: {
      consentSource: 'Of a file: how you know that they agree to be written to. Required.',
      mapping:
        'Of a file: where its columns go, as JSON: `{"Phone": "phoneNumber", "City": "attributes.city", "Orders": ' +
        '"attributes.orders:number"}`. Places: `phoneNumber`, `name`, `labels` (several with `;` `,` or `|` between them), ' +
        '`timeZone`, `attributes.<name>`, with `:text`, `:number`, `:boolean` or `:date` for one that is new. Columns that ' +
        'are not named are left out. Without it, columns are known by their names.',
      labels: 'Of a file: labels for everybody in it, with commas between them.',
      defaultCountry: 'Of a file: the country (two letters) of phone numbers that do not say theirs.',
      importId: 'Of a file: a UUID of your own choice, so that the call can be repeated.',
      fileName: 'Of a file that is the body: what it is called.',
    },
    body: importBody,
    fields: {
      contacts: 'Each is judged by itself.',
      'contacts.phoneNumber': 'In any usual writing.',
      'contacts.name': 'As you call them.',
      'contacts.labels': 'They are added to those that they have.',
      'contacts.attributes': 'They are taken over those that they have.',
      'contacts.timeZone': 'As `Asia/Jakarta`.',
      consentSource: 'How you know that they agree to be written to.',
      labels: 'For everybody in it.',
      defaultCountry: 'The country (two letters) of phone numbers that do not say theirs.',
      importId: 'A UUID of your own choice, so that the call can be repeated.',
    },
    examples: {
      two: {
        summary: 'Two contacts',
        value: {
          contacts: [
            { phoneNumber: '+62 812 3456 789', name: 'Budi Santoso', attributes: { city: 'Jakarta' } },
            { phoneNumber: '0898 7654 321', labels: ['retail'], timeZone: 'Asia/Makassar' },
          ],
          consentSource: 'sign-up form',
          defaultCountry: 'ID',
        },
      },
    },
    rawBody: {
      'text/csv': { schema: file, example: 'Phone;Name\r\n+62 812 3456 789;Budi Santoso\r\n' },
      'multipart/form-data': {
        schema: z.object({ consentSource: z.string(), file }),
        example: { consentSource: 'sign-up form', file: 'the file' },
      },
    },
    answers: [
      {
        status: 200,
        description: 'It is over.',
        schema: contactImportSchema,
        example: finished,
      },
      {
        status: 202,
        description: 'The file is stored, and is read from now on.',
        schema: contactImportSchema,
        example: { ...finished, status: 'running', progress: 0.4, finishedAt: null },
      },
    ],
  },
  {
    ...common,
    id: 'listContactImports',
    method: 'get',
    path: '/v1/contacts/imports',
    summary: 'List imports',
    description: 'The imports of the account, newest first.',
    answers: [
      {
        status: 200,
        description: 'A page of imports.',
        schema: contactImportListSchema,
        example: { data: [finished], nextCursor: null },
      },
    ],
  },
  {
    ...common,
    id: 'getContactImport',
    method: 'get',
    path: '/v1/contacts/imports/:id',
    summary: 'Get an import',
    description: 'How far it is, and what came of it.',
    answers: [{ status: 200, description: 'The import.', schema: contactImportSchema, example: finished }],
  },
  {
    ...common,
    id: 'downloadRefusedRows',
    method: 'get',
    path: '/v1/contacts/imports/:id/refused',
    summary: 'Fetch the refused rows',
    description:
      'The rows that were not taken as CSV: the number of each, the field, what is wrong with it, and its cells as they ' +
      'were. Kept for 30 days.',
    answers: [
      {
        status: 200,
        description: 'The file.',
        media: { 'text/csv': { schema: file, example: 'row,field,error,Phone\r\n' } },
      },
    ],
  },
];

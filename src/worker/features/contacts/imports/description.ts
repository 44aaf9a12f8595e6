import { z } from 'zod';
import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../../openapi/operation.ts';
import { contactImportListSchema, contactImportSchema } from '../records.ts';
import { importBody } from './import-request.ts';

const finished = {
  importId: example.importId,
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

export const contactImportOperations = chapter('Contacts', [
  {
    id: 'importContacts',
    route: 'POST /v1/contacts/import',
    summary: 'Import contacts',
    description:
      'Up to 1,000 contacts as JSON, or a CSV file of up to 100 MiB: as the body, with its parameters in the query, or ' +
      'as the field `file` of a form, after its other fields.\n\nContacts with a known phone number are updated: name, ' +
      'time zone and attributes are overwritten, labels are added, and nothing is removed. An opt-out is never undone. ' +
      'A row with an error is rejected; the rest is imported.\n\nA file may be in UTF-8 or in the encoding of ' +
      'spreadsheets on Windows, with commas, semicolons, tabs or bars between cells; its first line names the columns. ' +
      'It is read in the background: the response is 202 with `running`, and `GET /v1/contacts/imports/:id` reports ' +
      'the progress. If it is finished within seconds, the response is 200.\n\nChoose an `importId` so that you can ' +
      'repeat a call whose response was lost: a known import is returned as it is, and nothing is imported twice.',
    parameters: {
      consentSource: 'For a file: how you obtained consent to message these people. Required.',
      mapping:
        'For a file: the mapping of its columns, as JSON: `{"Phone": "phoneNumber", "City": "attributes.city", "Orders": ' +
        '"attributes.orders:number"}`. Targets: `phoneNumber`, `name`, `labels` (several separated by `;` `,` or `|`), ' +
        '`timeZone`, `attributes.<name>`, with `:text`, `:number`, `:boolean` or `:date` for a new attribute. Columns ' +
        'that are not named are ignored. Without a mapping, columns are recognised by their names.',
      labels: 'For a file: labels for everyone in it, separated by commas.',
      defaultCountry: 'For a file: the country (two letters) of phone numbers without country code.',
      importId: 'For a file: a UUID of your choice, so that the call can be repeated.',
      fileName: 'For a file that is the body: its name.',
    },
    body: importBody,
    fields: {
      contacts: 'Each is accepted or rejected by itself.',
      'contacts.phoneNumber': 'In any usual format.',
      'contacts.name': 'Your name for the contact.',
      'contacts.labels': 'Added to the labels they have.',
      'contacts.attributes': 'Merged into the attributes they have.',
      'contacts.timeZone': 'As `Asia/Jakarta`.',
      consentSource: 'How you obtained their consent to be messaged.',
      labels: 'For everyone in it.',
      defaultCountry: 'The country (two letters) of phone numbers without country code.',
      importId: 'A UUID of your choice, so that the call can be repeated.',
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
      answer(200, 'The import is finished.', contactImportSchema, finished),
      answer(202, 'The file is stored, and is being read.', contactImportSchema, {
        ...finished,
        status: 'running',
        progress: 0.4,
        finishedAt: null,
      }),
    ],
    errors: ['QUOTA_EXCEEDED'],
  },
  {
    id: 'listContactImports',
    route: 'GET /v1/contacts/imports',
    summary: 'List imports',
    description: 'The imports of the account, newest first.',
    answers: [pageAnswer('A page of imports.', contactImportListSchema, [finished])],
  },
  {
    id: 'getContactImport',
    route: 'GET /v1/contacts/imports/:id',
    summary: 'Get an import',
    description: 'Its progress and its result.',
    answers: [answer(200, 'The import.', contactImportSchema, finished)],
  },
  {
    id: 'downloadRefusedRows',
    route: 'GET /v1/contacts/imports/:id/refused',
    summary: 'Download rejected rows',
    description:
      'The rejected rows as CSV: the number of each row, the field, what is wrong with it, and the original cells. ' +
      'Kept for 30 days.',
    answers: [
      {
        status: 200,
        description: 'The file.',
        media: { 'text/csv': { schema: file, example: 'row,field,error,Phone\r\n' } },
      },
    ],
  },
]);

import { defaultAccountSettings } from '../../../contract/account-settings.ts';
import {
  exampleContactId,
  exampleNumberId,
  exampleRecipient,
} from '../../openapi/examples/example-values.ts';
import type { Operation } from '../../openapi/operation.ts';
import { optOutListSchema, optOutSchema, settingsSchema } from './records.ts';

export const settingsOperations: Operation[] = [
  {
    id: 'getSettings',
    method: 'get',
    path: '/v1/settings',
    tag: 'Settings',
    summary: 'Get the settings',
    description: 'What holds for every number of the account: defaults, where nothing was set.',
    answers: [
      {
        status: 200,
        description: 'The settings.',
        schema: settingsSchema,
        example: defaultAccountSettings,
        headers: ['ETag'],
      },
    ],
    errors: ['NOT_FOUND'],
  },
  {
    id: 'updateSettings',
    method: 'patch',
    path: '/v1/settings',
    tag: 'Settings',
    summary: 'Change the settings',
    description:
      'Changes the fields that are sent, also within `filters`, `optOut`, `retention` and `support`, from the next message on. A ' +
      'list that is sent replaces the one before.',
    fields: {
      filters: 'Whom no number of the account may write to. Groups are not filtered.',
      optOut:
        'An inbound message that is exactly one of these words counts, in any case, with punctuation around it and with ' +
        'a "please" or "thank you"; others do not. With `confirmation` whoever opts out is answered once with that text. ' +
        'It counts as a message of the month, and no event tells of it.',
      retention: 'How long things are kept at hand. Longer from now on: what is archived stays archived.',
      support:
        "How the account's people answer: reports, a survey, and when a conversation is over by itself.",
    },
    examples: {
      filters: { summary: 'Write to one country only', value: { filters: { allowPrefixes: ['62'] } } },
      words: {
        summary: 'Opt-out words of your own',
        value: { optOut: { stopWords: ['STOP', 'NO MORE'], startWords: ['START'] } },
      },
      confirmation: {
        summary: 'Confirm an opt-out',
        value: { optOut: { confirmation: 'You will not hear from us again. Write START to undo that.' } },
      },
      reroute: { summary: 'Let messages move after half a minute', value: { rerouteAfterMs: 30_000 } },
      retention: { summary: 'Keep events for a week', value: { retention: { eventsDays: 7 } } },
      support: {
        summary: 'Ask how it went, and resolve after three days of silence',
        value: {
          support: {
            autoResolveHours: 72,
            survey: {
              question: 'How did we do? Answer with a number from 1 (bad) to 5 (great).',
              everyDays: 30,
            },
          },
        },
      },
      sticky: { summary: 'Let every message rotate', value: { stickyHours: 0 } },
    },
    answers: [
      {
        status: 200,
        description: 'The settings as they are now.',
        schema: settingsSchema,
        example: {
          ...defaultAccountSettings,
          filters: { ...defaultAccountSettings.filters, allowPrefixes: ['62'] },
        },
        headers: ['ETag'],
      },
    ],
    requestHeaders: ['If-Match'],
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  {
    id: 'listOptOuts',
    method: 'get',
    path: '/v1/opt-outs',
    tag: 'Settings',
    summary: 'List opt-outs',
    description:
      'Recipients who have written a stop word to one of your numbers and no start word since, or were put on the list, newest ' +
      'first. Of whom only an alias is known, `contactId` says who they are.',
    answers: [
      {
        status: 200,
        description: 'A page of opt-outs.',
        schema: optOutListSchema,
        example: {
          data: [
            {
              phoneNumber: exampleRecipient,
              contactId: exampleContactId,
              name: 'Budi Santoso',
              optedOutAt: '2026-01-31T09:12:04.000Z',
              numberId: exampleNumberId,
              word: 'STOP',
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
  {
    id: 'addOptOut',
    method: 'post',
    path: '/v1/opt-outs',
    tag: 'Settings',
    summary: 'Add an opt-out',
    description:
      'Puts a recipient on the list, who asked for it in another way: sends to them are refused. A start word of theirs takes ' +
      'them off it.',
    fields: {
      phoneNumber: 'Their phone number with country code, in any usual writing.',
      contactId: 'Instead of it: one of your contacts, also of whom no phone number is known.',
    },
    examples: {
      one: { summary: 'Somebody who has called', value: { phoneNumber: exampleRecipient } },
      contact: { summary: 'A contact', value: { contactId: exampleContactId } },
    },
    answers: [
      {
        status: 201,
        description: 'They are on the list.',
        schema: optOutSchema,
        example: {
          phoneNumber: exampleRecipient,
          contactId: null,
          name: null,
          optedOutAt: '2026-01-31T09:12:04.000Z',
          numberId: null,
          word: null,
        },
      },
      {
        status: 200,
        description: 'They were on the list before, and stay on it.',
        schema: optOutSchema,
        example: {
          phoneNumber: exampleRecipient,
          contactId: null,
          name: null,
          optedOutAt: '2026-01-31T09:12:04.000Z',
          numberId: exampleNumberId,
          word: 'STOP',
        },
      },
    ],
  },
  {
    id: 'removeOptOut',
    method: 'delete',
    path: '/v1/opt-outs/:recipient',
    tag: 'Settings',
    summary: 'Remove an opt-out',
    description:
      'Takes a recipient off the list, under all their addresses, who may then be written to again. Have their consent.',
    answers: [{ status: 204, description: 'They are off the list.' }],
  },
];

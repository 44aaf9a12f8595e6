import { defaultAccountSettings } from '../../../contract/account-settings.ts';
import { example } from '../../openapi/examples/example-values.ts';
import { answer, chapter, pageAnswer } from '../../openapi/operation.ts';
import { optOutListSchema, optOutSchema, settingsSchema } from './records.ts';

export const settingsOperations = chapter('Settings', [
  {
    id: 'getSettings',
    route: 'GET /v1/settings',
    summary: 'Get the settings',
    description: 'What applies to every number of the account; defaults if nothing was set.',
    answers: [answer(200, 'The settings.', settingsSchema, defaultAccountSettings, ['ETag'])],
    errors: ['NOT_FOUND'],
  },
  {
    id: 'updateSettings',
    route: 'PATCH /v1/settings',
    summary: 'Change the settings',
    description:
      'Changes the fields you send, also within `filters`, `optOut`, `retention` and `support`, from the next message ' +
      'on. A list you send replaces the previous one.',
    fields: {
      filters: 'Whom no number of the account may message. Groups are not filtered.',
      optOut:
        'An inbound message that is exactly one of these words counts, in any case, also with punctuation around it and ' +
        'with a "please" or "thank you"; others do not. With `confirmation`, the person who opts out gets that text ' +
        'once. It counts against the quota, and no event reports it.',
      retention:
        'How long data is kept before it is archived. Longer values apply from now on: what is archived stays archived.',
      support: 'How your team replies: reports, a survey, and when a conversation is resolved automatically.',
    },
    examples: {
      filters: { summary: 'Message one country only', value: { filters: { allowPrefixes: ['62'] } } },
      words: {
        summary: 'Opt-out words of your own',
        value: { optOut: { stopWords: ['STOP', 'NO MORE'], startWords: ['START'] } },
      },
      confirmation: {
        summary: 'Confirm an opt-out',
        value: { optOut: { confirmation: 'You will not hear from us again. Write START to undo that.' } },
      },
      reroute: {
        summary: 'Let messages change their number after half a minute',
        value: { rerouteAfterMs: 30_000 },
      },
      retention: { summary: 'Keep events for a week', value: { retention: { eventsDays: 7 } } },
      support: {
        summary: 'Send a survey, and resolve after three days of silence',
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
    route: 'GET /v1/opt-outs',
    summary: 'List opt-outs',
    description:
      'Recipients who sent a stop word to one of your numbers and no start word since, or were added by hand, newest ' +
      'first. If only an alias is known, `contactId` says who they are; if they are deleted or erased, they stay opted ' +
      'out, and are in the list again once they write. A page may be short.',
    answers: [
      pageAnswer('A page of opt-outs.', optOutListSchema, [
        {
          phoneNumber: example.recipient,
          contactId: example.contactId,
          name: 'Budi Santoso',
          optedOutAt: '2026-01-31T09:12:04.000Z',
          numberId: example.numberId,
          word: 'STOP',
        },
      ]),
    ],
  },
  {
    id: 'addOptOut',
    route: 'POST /v1/opt-outs',
    summary: 'Add an opt-out',
    description:
      'Adds a recipient who asked for it in another way: sends to them are refused. A start word from them removes the ' +
      'opt-out.',
    fields: {
      phoneNumber: 'Their phone number with country code, in any usual format.',
      contactId: 'Alternatively: one of your contacts, also without a known phone number.',
    },
    examples: {
      one: { summary: 'Someone who called', value: { phoneNumber: example.recipient } },
      contact: { summary: 'A contact', value: { contactId: example.contactId } },
    },
    answers: [
      answer(201, 'The recipient is opted out.', optOutSchema, {
        phoneNumber: example.recipient,
        contactId: null,
        name: null,
        optedOutAt: '2026-01-31T09:12:04.000Z',
        numberId: null,
        word: null,
      }),
      answer(200, 'The recipient was already opted out.', optOutSchema, {
        phoneNumber: example.recipient,
        contactId: null,
        name: null,
        optedOutAt: '2026-01-31T09:12:04.000Z',
        numberId: example.numberId,
        word: 'STOP',
      }),
    ],
    errors: ['NOT_FOUND'],
  },
  {
    id: 'removeOptOut',
    route: 'DELETE /v1/opt-outs/:recipient',
    summary: 'Remove an opt-out',
    description:
      'Removes the opt-out of a recipient, for all their addresses: they may be messaged again. Make sure you have ' +
      'their consent.',
    answers: [{ status: 204, description: 'The opt-out is removed.' }],
  },
]);

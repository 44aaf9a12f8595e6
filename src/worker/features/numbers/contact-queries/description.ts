import { networkErrors } from '../../../openapi/errors.ts';
import { example } from '../../../openapi/examples/example-values.ts';
import { answer, chapter, type Described } from '../../../openapi/operation.ts';
import { peopleSchema } from '../groups/records.ts';
import { checkedContactsSchema, pictureSchema, profileSchema } from './records.ts';

const asked = {
  errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
  ownErrors: networkErrors,
} satisfies Partial<Described>;

const network =
  '429 with `Retry-After` if the network limits such requests of this number, 503 if the number is not connected ' +
  'or the network does not respond.';
const profile = {
  name: 'Example Ltd',
  about: 'We answer from nine to five.',
  pictureUrl: null,
};

export const contactQueryOperations = [
  ...chapter('Contacts', [
    {
      ...asked,
      id: 'checkContacts',
      route: 'POST /v1/numbers/:id/contacts/check',
      summary: 'Check who is on the network',
      description:
        'Checks 1 to 50 phone numbers on the network. Frequent checks attract attention: check only people you ' +
        `are about to message. ${network}`,
      fields: { phoneNumbers: 'Phone numbers with country code.' },
      examples: { one: { summary: 'One', value: { phoneNumbers: [example.recipient] } } },
      answers: [
        answer(200, 'The results.', checkedContactsSchema, {
          data: [{ phoneNumber: example.recipient, onNetwork: true }],
        }),
      ],
    },
    {
      ...asked,
      id: 'getChatPicture',
      route: 'GET /v1/numbers/:id/chats/:chat/picture',
      summary: 'Get a profile picture',
      description: `Of a phone number or a group, if this number may see it. ${network}`,
      answers: [
        answer(200, 'The profile picture.', pictureSchema, {
          url: 'https://pps.whatsapp.net/v/t61/picture.jpg',
        }),
      ],
    },
    {
      ...asked,
      id: 'listBlocked',
      route: 'GET /v1/numbers/:id/blocked',
      summary: 'List blocked people',
      description: `The block list on the network. ${network}`,
      answers: [
        answer(200, 'People.', peopleSchema, {
          data: [{ phoneNumber: example.recipient, lid: '100000000000017' }],
        }),
      ],
    },
    {
      ...asked,
      id: 'blockContact',
      route: 'PUT /v1/numbers/:id/blocked/:phoneNumber',
      summary: 'Block someone',
      description: `They can no longer message or call the number. ${network}`,
      answers: [{ status: 204, description: 'They are blocked.' }],
    },
    {
      ...asked,
      id: 'unblockContact',
      route: 'DELETE /v1/numbers/:id/blocked/:phoneNumber',
      summary: 'Unblock someone',
      description: `They can message the number again. ${network}`,
      answers: [{ status: 204, description: 'They are not blocked.' }],
    },
    {
      ...asked,
      id: 'showTyping',
      route: 'POST /v1/numbers/:id/chats/:chat/typing',
      summary: 'Show a typing indicator',
      description: `Shown in a chat with a phone number or in a group until a message arrives, or it expires. ${network}`,
      fields: { state: 'What is shown: `typing`, `recording` a voice note, or that it has `paused`.' },
      examples: { typing: { summary: 'Typing', value: { state: 'typing' } } },
      answers: [{ status: 204, description: 'The indicator was shown.' }],
    },
  ]),
  ...chapter('Numbers', [
    {
      ...asked,
      id: 'getProfile',
      route: 'GET /v1/numbers/:id/profile',
      summary: 'Get the profile of a number',
      description: `The public profile of the number. ${network}`,
      answers: [answer(200, 'The profile.', profileSchema, profile)],
    },
    {
      errors: ['CONFLICT', 'SENDER_UNAVAILABLE', 'UNSUPPORTED_MEDIA_TYPE'],
      ownErrors: networkErrors,
      id: 'updateProfile',
      route: 'PATCH /v1/numbers/:id/profile',
      summary: 'Change the profile of a number',
      description: `Changes the fields you send. ${network}`,
      fields: {
        name: 'The name people see, 1 to 25 characters.',
        about: 'At most 139 characters.',
        picture: 'A square JPEG in base64, at most 512 KiB; null removes the picture.',
      },
      examples: {
        about: { summary: 'Another status text', value: { about: 'We answer from nine to five.' } },
      },
      answers: [answer(200, 'The profile as it is now.', profileSchema, profile)],
    },
  ]),
];

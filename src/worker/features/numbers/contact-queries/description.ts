import { networkErrors } from '../../../openapi/errors.ts';
import { exampleRecipient } from '../../../openapi/examples/example-values.ts';
import type { Operation } from '../../../openapi/operation.ts';
import { peopleSchema } from '../groups/records.ts';
import { checkedContactsSchema, pictureSchema, profileSchema } from './records.ts';

const asked = {
  tag: 'Contacts',
  errors: ['CONFLICT', 'SENDER_UNAVAILABLE'],
  ownErrors: networkErrors,
} satisfies Partial<Operation>;

const network =
  '429 with `Retry-After` where the network limits such requests of this number, 503 while the number is not connected ' +
  'or the network does not answer.';
const profile = {
  name: 'Example Ltd',
  about: 'We answer from nine to five.',
  pictureUrl: null,
};

export const contactQueryOperations: Operation[] = [
  {
    ...asked,
    id: 'checkContacts',
    method: 'post',
    path: '/v1/numbers/:id/contacts/check',
    summary: 'Ask who is on the network',
    description: `Asks the network about 1 to 50 phone numbers. Numbers that ask a lot are noticed: check whom you are about to write to. ${network}`,
    fields: { phoneNumbers: 'Phone numbers with country code.' },
    examples: { one: { summary: 'One', value: { phoneNumbers: [exampleRecipient] } } },
    answers: [
      {
        status: 200,
        description: 'Who is there.',
        schema: checkedContactsSchema,
        example: { data: [{ phoneNumber: exampleRecipient, onNetwork: true }] },
      },
    ],
  },
  {
    ...asked,
    id: 'getChatPicture',
    method: 'get',
    path: '/v1/numbers/:id/chats/:chat/picture',
    summary: 'Get a profile picture',
    description: `Of a phone number or a group, as far as this number may see it. ${network}`,
    answers: [
      {
        status: 200,
        description: 'Where it is.',
        schema: pictureSchema,
        example: { url: 'https://pps.whatsapp.net/v/t61/picture.jpg' },
      },
    ],
  },
  {
    ...asked,
    id: 'listBlocked',
    method: 'get',
    path: '/v1/numbers/:id/blocked',
    summary: 'List whom a number has blocked',
    description: `As the network has it. ${network}`,
    answers: [
      {
        status: 200,
        description: 'People.',
        schema: peopleSchema,
        example: { data: [{ phoneNumber: exampleRecipient, lid: '100000000000017' }] },
      },
    ],
  },
  {
    ...asked,
    id: 'blockContact',
    method: 'put',
    path: '/v1/numbers/:id/blocked/:phoneNumber',
    summary: 'Block somebody',
    description: `They cannot write to the number any more, nor call it. ${network}`,
    answers: [{ status: 204, description: 'They are blocked.' }],
  },
  {
    ...asked,
    id: 'unblockContact',
    method: 'delete',
    path: '/v1/numbers/:id/blocked/:phoneNumber',
    summary: 'Unblock somebody',
    description: `They may write to the number again. ${network}`,
    answers: [{ status: 204, description: 'They are not blocked.' }],
  },
  {
    ...asked,
    id: 'showTyping',
    method: 'post',
    path: '/v1/numbers/:id/chats/:chat/typing',
    summary: 'Show that somebody is typing',
    description: `Shown in a chat with a phone number or in a group until a message comes, or it fades. ${network}`,
    fields: { state: 'What is shown: `typing`, `recording` a voice note, or that it has `paused`.' },
    examples: { typing: { summary: 'Typing', value: { state: 'typing' } } },
    answers: [{ status: 204, description: 'It is shown.' }],
  },
  {
    ...asked,
    tag: 'Numbers',
    id: 'getProfile',
    method: 'get',
    path: '/v1/numbers/:id/profile',
    summary: 'Get the profile of a number',
    description: `What the number shows of itself. ${network}`,
    answers: [{ status: 200, description: 'The profile.', schema: profileSchema, example: profile }],
  },
  {
    tag: 'Numbers',
    errors: ['CONFLICT', 'SENDER_UNAVAILABLE', 'UNSUPPORTED_MEDIA_TYPE'],
    ownErrors: networkErrors,
    id: 'updateProfile',
    method: 'patch',
    path: '/v1/numbers/:id/profile',
    summary: 'Change the profile of a number',
    description: `Changes the fields that are sent. ${network}`,
    fields: {
      name: 'The name that people see, 1 to 25 characters.',
      about: 'At most 139 characters.',
      picture: 'A square JPEG in base64, at most 512 KiB; null takes the picture away.',
    },
    examples: { about: { summary: 'Another line', value: { about: 'We answer from nine to five.' } } },
    answers: [
      { status: 200, description: 'The profile as it is now.', schema: profileSchema, example: profile },
    ],
  },
];

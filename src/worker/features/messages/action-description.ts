import { exampleMessageId, exampleNumberId } from '../../openapi/examples/example-values.ts';
import type { Answer, Operation } from '../../openapi/operation.ts';
import { acceptedActionSchema } from './records.ts';

const promise =
  '`202` is a promise: from then on it survives the loss of any one process. It goes to the network through the number ' +
  'of the message, is no message of its own, and takes nothing off the quota. Where it comes to nothing after all, ' +
  '`failedActions` of the message says why.';

const accepted = (action: string): Answer => ({
  status: 202,
  description: 'Accepted.',
  schema: acceptedActionSchema,
  example: {
    messageId: exampleMessageId,
    numberId: exampleNumberId,
    action,
    acceptedAt: '2026-01-31T09:31:00.123Z',
  },
});

const common = {
  tag: 'Messages',
  errors: ['CONFLICT'],
} as const;

/** What is done to messages that are there. */
export const messageActionOperations: Operation[] = [
  {
    ...common,
    id: 'editMessage',
    method: 'patch',
    path: '/v1/messages/:messageId',
    summary: 'Change a message',
    description: `Changes the text of a text message that you have sent, for 15 minutes after it was sent; later it answers \`CONFLICT\`. \`message.edited\` tells when it is done. ${promise}`,
    fields: { text: 'The new text: 1 to 4,096 characters, not only blanks.' },
    examples: { text: { summary: 'A new text', value: { text: 'Your order 1042 leaves tomorrow.' } } },
    answers: [accepted('edit')],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'deleteMessage',
    method: 'delete',
    path: '/v1/messages/:messageId',
    summary: 'Take a message back',
    description: `Takes a message that you have sent back for everyone, for 2 days after it was sent; later it answers \`CONFLICT\`. The record stays, with \`deletedAt\`; \`message.deleted\` tells when it is done. ${promise}`,
    answers: [accepted('delete')],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'reactToMessage',
    method: 'put',
    path: '/v1/messages/:messageId/reaction',
    summary: 'React to a message',
    description: `Reacts with an emoji to a message that came in, or to one of your own; another one takes its place. \`message.reaction\` tells when it is done. ${promise}`,
    fields: { emoji: 'One emoji, with its modifiers.' },
    examples: { thumb: { summary: 'A thumb', value: { emoji: '👍' } } },
    answers: [accepted('reaction')],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'takeReactionBack',
    method: 'delete',
    path: '/v1/messages/:messageId/reaction',
    summary: 'Take a reaction back',
    description: `Takes back what the number has reacted with. ${promise}`,
    answers: [accepted('reaction')],
    errors: ['CONFLICT'],
  },
  {
    ...common,
    id: 'markMessageRead',
    method: 'post',
    path: '/v1/messages/:messageId/read',
    summary: 'Mark a message as read',
    description: `Shows the sender of a message that came in that it was read. ${promise}`,
    answers: [accepted('read')],
    errors: ['CONFLICT'],
  },
];

import { example } from '../../openapi/examples/example-values.ts';
import { type Answer, answer, chapter } from '../../openapi/operation.ts';
import { acceptedActionSchema } from './records.ts';

const promise =
  '`202` is a promise: from then on it survives the loss of any one process. It goes to the network through the ' +
  "message's number, is not a message of its own, and does not count against the quota. If it fails later, " +
  '`failedActions` of the message says why.';

const accepted = (action: string): Answer =>
  answer(202, 'Accepted.', acceptedActionSchema, {
    messageId: example.messageId,
    numberId: example.numberId,
    action,
    acceptedAt: '2026-01-31T09:31:00.123Z',
  });

/** What is done to messages that are there. */
export const messageActionOperations = chapter('Messages', [
  {
    id: 'editMessage',
    route: 'PATCH /v1/messages/:messageId',
    summary: 'Edit a message',
    description:
      'Changes the text of a text message that you sent, for 15 minutes after it was sent; later the response ' +
      `is \`CONFLICT\`. \`message.edited\` confirms it. ${promise}`,
    fields: { text: 'The new text: 1 to 4,096 characters, not only blanks.' },
    examples: { text: { summary: 'A new text', value: { text: 'Your order 1042 leaves tomorrow.' } } },
    answers: [accepted('edit')],
    errors: ['CONFLICT'],
  },
  {
    id: 'deleteMessage',
    route: 'DELETE /v1/messages/:messageId',
    summary: 'Delete a message for everyone',
    description:
      'Deletes a message that you sent for everyone, for 2 days after it was sent; later the response is ' +
      `\`CONFLICT\`. The record stays, with \`deletedAt\`; \`message.deleted\` confirms it. ${promise} From then on ` +
      'edits, reactions and another deletion are refused, unless this one comes to nothing. A message that still ' +
      'waits, for its `sendAt` or for a number, is cancelled instead: it is never sent, ends as `failed` with the code ' +
      '`cancelled`, and does not count. If it is about to be sent, the response is `CONFLICT`.',
    answers: [accepted('delete')],
    errors: ['CONFLICT'],
  },
  {
    id: 'reactToMessage',
    route: 'PUT /v1/messages/:messageId/reaction',
    summary: 'React to a message',
    description:
      'Adds an emoji to a received or sent message; a new one replaces it. `message.reaction` confirms it. ' +
      `${promise}`,
    fields: { emoji: 'One emoji, with its modifiers.' },
    examples: { thumb: { summary: 'Thumbs up', value: { emoji: '👍' } } },
    answers: [accepted('reaction')],
    errors: ['CONFLICT'],
  },
  {
    id: 'takeReactionBack',
    route: 'DELETE /v1/messages/:messageId/reaction',
    summary: 'Remove a reaction',
    description: `Removes the number's reaction. ${promise}`,
    answers: [accepted('reaction')],
    errors: ['CONFLICT'],
  },
  {
    id: 'markMessageRead',
    route: 'POST /v1/messages/:messageId/read',
    summary: 'Mark a message as read',
    description: `Shows the sender of a received message that it was read. ${promise}`,
    answers: [accepted('read')],
    errors: ['CONFLICT'],
  },
]);

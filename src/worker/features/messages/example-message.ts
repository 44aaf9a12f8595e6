import { eventExamples } from '../../openapi/examples/event-examples.ts';
import { example } from '../../openapi/examples/example-values.ts';

/** A message as it is answered. */
export const exampleMessage = {
  messageId: example.messageId,
  direction: 'outbound',
  status: 'delivered',
  numberId: example.numberId,
  to: example.recipient,
  chatType: 'personal',
  messageType: 'text',
  text: 'Your order 1042 is on its way.',
  providerMessageId: eventExamples['message.sent'].providerMessageId,
  sender: { numberId: example.numberId, phoneNumber: example.phoneNumber, source: 'pool' },
  errorMessage: null,
  errorCode: null,
  clientReference: 'order-1042',
  sendAt: null,
  queuedAt: '2026-01-31T09:30:00.123Z',
  sentAt: '2026-01-31T09:30:00.480Z',
  deliveredAt: '2026-01-31T09:30:01.912Z',
  readAt: null,
  failedAt: null,
};

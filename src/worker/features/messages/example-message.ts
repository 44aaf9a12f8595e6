import { eventExamples } from '../../openapi/examples/event-examples.ts';
import {
  exampleMessageId,
  exampleNumberId,
  examplePhoneNumber,
  exampleRecipient,
} from '../../openapi/examples/example-values.ts';

/** A message as it is answered. */
export const exampleMessage = {
  messageId: exampleMessageId,
  direction: 'outbound',
  status: 'delivered',
  numberId: exampleNumberId,
  to: exampleRecipient,
  chatType: 'personal',
  messageType: 'text',
  text: 'Your order 1042 is on its way.',
  providerMessageId: eventExamples['message.sent'].providerMessageId,
  sender: { numberId: exampleNumberId, phoneNumber: examplePhoneNumber, source: 'pool' },
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

import { type MessageStatus, mayFollow } from '../../contract/messages/message-status.ts';
import type { Message, StreamEvent } from '../../sdk/index.ts';

/** How far a message has come, as its events say. */
type Step = Partial<Message> & { status: MessageStatus };

/** More than events tell of while an answer is on its way. */
const messagesMax = 5_000;

/** What events have told of messages: an answer that was on its way meanwhile may be older. */
const steps = new Map<string, Step>();

function keep(messageId: string, step: Step): void {
  steps.delete(messageId);
  steps.set(messageId, step);
  for (const oldest of steps.keys()) {
    if (steps.size <= messagesMax) break;
    steps.delete(oldest);
  }
}

/** Remembers how far a message has come. False where the event tells something else. */
export function recordStep(event: StreamEvent): boolean {
  const step = stepOf(event);
  if (step === null || !('messageId' in event.data)) return false;
  const { messageId } = event.data;
  const known = steps.get(messageId);
  const isFurther = known === undefined || mayFollow(known.status, step.status);
  keep(messageId, isFurther ? { ...known, ...step } : { ...step, ...known });
  return true;
}

/** The message as far as events have told that it has come, where the answer is behind them. */
export function withLatestStep<Asked extends Message>(message: Asked): Asked {
  const step = steps.get(message.messageId);
  return isBehind(message.status, step) ? { ...message, ...step } : message;
}

/** The same for what shows nothing but the status. */
export function withLatestStatus<Asked extends Pick<Message, 'messageId' | 'status'>>(message: Asked): Asked {
  const step = steps.get(message.messageId);
  return isBehind(message.status, step) ? { ...message, status: step.status } : message;
}

function isBehind(status: Message['status'], step: Step | undefined): step is Step {
  return step !== undefined && status !== 'received' && mayFollow(status, step.status);
}

function stepOf({ event, data, timestamp }: StreamEvent): Step | null {
  switch (event) {
    case 'message.sent':
      return { status: 'sent', sentAt: data.sentAt, providerMessageId: data.providerMessageId };
    case 'message.delivered':
      return { status: 'delivered', deliveredAt: data.deliveredAt };
    case 'message.read':
      return { status: 'read', deliveredAt: data.deliveredAt, readAt: data.readAt };
    case 'message.failed':
      return { status: 'failed', failedAt: timestamp, errorMessage: data.errorMessage };
    default:
      return null;
  }
}

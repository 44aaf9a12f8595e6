import { isAction, type MessageAction } from '../../../../contract/messages/actions.ts';
import type { MessageContent } from '../../../../contract/messages/content.ts';
import type { Fact, SendFact } from '../../facts.ts';

const sendKinds: readonly Fact['kind'][] = [
  'message.queued',
  'message.moved',
  'message.sent',
  'message.failed',
] satisfies SendFact['kind'][];

/** A fact about something sent: about a message, or about something that is done to one. */
interface Told {
  message?: SendFact<MessageContent>;
  action?: SendFact<MessageAction>;
}

/** What a fact tells of something sent; null for any other fact. */
export function sendFactOf(fact: Fact): Told | null {
  if (!sendKinds.includes(fact.kind)) return null;
  const send = fact as SendFact;
  return isAction(send.message.content)
    ? { action: send as SendFact<MessageAction> }
    : { message: send as SendFact<MessageContent> };
}

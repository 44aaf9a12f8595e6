import type { InboundMessage } from '../../../../contract/bridge/bridge-frames.ts';
import { type MediaUrlOf, shownContent } from '../../../../contract/messages/shown-content.ts';
import { newEventId } from '../../../new-ids.ts';
import type { EventDraft } from '../../events/event-draft.ts';

/** The event of a message that came in. */
export function receivedEvent(
  messageId: string,
  item: InboundMessage,
  receiver: { numberId: string; to: string },
  urlOf: MediaUrlOf,
): EventDraft {
  const { numberId, to } = receiver;
  const { from, senderLid } = item;
  return {
    id: newEventId(),
    event: 'message.received',
    data: {
      ...common(messageId, numberId, item, urlOf),
      from,
      to,
      ...(senderLid === undefined ? {} : { senderLid }),
    },
  };
}

/** The event of a message that the number's owner has written on the phone. */
export function sentFromPhoneEvent(
  messageId: string,
  item: InboundMessage,
  numberId: string,
  to: string,
  urlOf: MediaUrlOf,
): EventDraft {
  return {
    id: newEventId(),
    event: 'message.sent_from_phone',
    data: { ...common(messageId, numberId, item, urlOf), to },
  };
}

function common(messageId: string, numberId: string, item: InboundMessage, urlOf: MediaUrlOf) {
  const { providerMessageId, content, pushName, chatType, groupId } = item;
  return {
    messageId,
    numberId,
    providerMessageId,
    ...shownContent(content, urlOf),
    isGroup: chatType === 'group',
    pushName,
    chatType,
    ...(groupId === undefined ? {} : { groupId }),
  };
}

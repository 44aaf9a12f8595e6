import type { InboundMessage } from '../../../contract/bridge-frames.ts';
import { type MediaUrlOf, shownContent } from '../../../contract/messages/shown-content.ts';
import { newEventId } from '../../new-ids.ts';
import type { EventDraft } from '../events/event-draft.ts';

/** The event of a message that came in. */
export function receivedEvent(
  messageId: string,
  item: InboundMessage,
  receiver: { numberId: string; to: string },
  urlOf: MediaUrlOf,
): EventDraft {
  const { numberId, to } = receiver;
  const { providerMessageId, from, content, pushName, chatType, groupId, senderLid } = item;
  return {
    id: newEventId(),
    event: 'message.received',
    data: {
      messageId,
      numberId,
      providerMessageId,
      from,
      to,
      ...shownContent(content, urlOf),
      isGroup: chatType === 'group',
      pushName,
      chatType,
      ...(groupId === undefined ? {} : { groupId }),
      ...(senderLid === undefined ? {} : { senderLid }),
    },
  };
}
